#include "dump/tensorproto.h"

#include <charconv>

#include <fmt/format.h>

#include "base/sigbus_guard.h"
#include "dump/checked.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

std::string textOf(const FileBytes& file, ByteRange range) {
    return {reinterpret_cast<const char*>(file.bytes().data()) + range.offset,
            static_cast<std::size_t>(range.size)};
}

Error malformed(std::string message, std::uint64_t offset, std::string hint = "") {
    return {ErrorCode::malformed, std::move(message), "", std::move(hint), offset};
}

/// Bytes that n elements take when packed bit by bit.
std::uint64_t packedBytes(std::uint64_t n, unsigned bits) {
    return n / 8 * bits + (n % 8 * bits + 7) / 8;
}

class Description {
public:
    Description(const std::shared_ptr<const FileBytes>& file, ByteRange message, TapEntry& tap,
                std::vector<Caution>& cautions)
        : m_file(file)
        , m_tap(tap)
        , m_cautions(cautions) {
        const std::byte* bytes = file->bytes().data();
        if (!guardMappedRead([&] { out.fields = scanTensorProto(bytes, message); })) {
            out.fields = {};
            out.fields.message = message;
            out.fields.fault = "the file became shorter while it was read";
            out.fields.truncated = true;
        }
        std::string name = textOf(*file, out.fields.name);
        tap.name = isUtf8(name) ? std::move(name) : latin1ToUtf8(name);
    }

    TensorProto out;

    Status check(OnnxExternalFiles& external) {
        const TensorProtoFields& f = out.fields;
        if (f.fault)
            return Error{f.truncated ? ErrorCode::truncated : ErrorCode::malformed, f.fault, "",
                         "copy or save the file again", f.faultOffset};
        if (auto ok = checkType(); !ok) return ok;
        if (auto ok = checkShape(); !ok) return ok;
        if (f.external) return checkExternal(external);
        if (f.hasRaw) {
            if (f.hasTyped())
                m_cautions.push_back({"two-data-fields",
                                      "values stand in raw_data and in a typed field; raw_data counts",
                                      m_tap.name});
            out.holder = m_file;
            out.data = f.raw;
            return checkBytes("raw_data holds", f.raw.offset);
        }
        return checkTyped();
    }

private:
    std::uint64_t at() const { return out.fields.message.offset; }

    Status checkType() {
        const TensorProtoFields& f = out.fields;
        out.type = onnxType(f.dataType);
        if (f.dataType == 8)
            return Error{ErrorCode::unsupported, "the tensor holds text (STRING)", "",
                         "only numbers are compared", at()};
        if (f.dataType == 0)
            return malformed("the tensor has no data type", at(),
                             "this may be another kind of protobuf file");
        if (!out.type)
            return Error{ErrorCode::unsupported, fmt::format("there is no data type {}", f.dataType), "",
                         "this version knows the types up to 28 of ONNX", at()};
        m_tap.dtype = out.type->dtype;
        if (f.segment)
            return Error{ErrorCode::unsupported, "the tensor is one segment of a larger one", "",
                         "join the segments before saving", at()};
        return Done{};
    }

    Status checkShape() {
        const TensorProtoFields& f = out.fields;
        if (f.rank > limits::kOnnxDims)
            return Error{ErrorCode::refused,
                         fmt::format("{} dimensions, at most {} are read", f.rank, limits::kOnnxDims), "", "",
                         at()};
        Shape shape(f.dims.begin(), f.dims.begin() + static_cast<std::ptrdiff_t>(f.rank));
        for (const std::int64_t extent : shape)
            if (extent < 0) return malformed(fmt::format("a dimension of {}", extent), at());
        // 16 is the widest element; strides of the unpacked tensor are made from these numbers too.
        if (!byteCount(shape, 16))
            return malformed(
                fmt::format("the shape {} has more elements than 63 bits count", toString(shape)), at());
        m_elements = static_cast<std::uint64_t>(*elementCount(shape));
        m_tap.shape = std::move(shape);
        return Done{};
    }

    Status checkBytes(const std::string& what, std::uint64_t offset) {
        const std::uint64_t need =
            out.type->bits < 8 ? packedBytes(m_elements, out.type->bits) : m_elements * (out.type->bits / 8);
        if (out.data.size == need) return Done{};
        return malformed(fmt::format("{} {} bytes, {} × {} needs {}", what, out.data.size,
                                     toString(m_tap.shape), out.type->name, need),
                         offset);
    }

    Status checkTyped() {
        const TensorProtoFields& f = out.fields;
        const std::uint64_t have = f.counts[out.type->field];
        const bool packed = out.type->bits == 2 || out.type->bits == 4;
        const std::uint64_t need =
            packed ? packedBytes(m_elements, out.type->bits) : m_elements * out.type->perField;
        // The library cuts what is too much of packed bits; one entry per element is how it comes to be.
        if (packed && have > need) {
            m_cautions.push_back({"size-mismatch",
                                  fmt::format("{} packed entries where {} are enough", have, need),
                                  m_tap.name});
            return Done{};
        }
        if (have == need) return Done{};
        return malformed(fmt::format("{} numbers in the field of {} values, the shape {} needs {}", have,
                                     out.type->name, toString(m_tap.shape), need),
                         at());
    }

    Result<std::uint64_t> number(ByteRange range, const char* what) {
        const std::string text = textOf(*m_file, {range.offset, std::min<std::uint64_t>(range.size, 64)});
        std::uint64_t value = 0;
        const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
        if (r.ec != std::errc() || r.ptr != text.data() + text.size() || range.size > 64)
            return malformed(fmt::format("the {} of the external data is {}", what, inQuotes(text)),
                             range.offset);
        return value;
    }

    Status checkExternal(OnnxExternalFiles& external) {
        const TensorProtoFields& f = out.fields;
        if (f.hasTyped() || f.raw.size > 0)
            m_cautions.push_back(
                {"two-data-fields", "values stand here and in an external file; those count", m_tap.name});
        const std::string location =
            textOf(*m_file, {f.location.offset,
                             std::min<std::uint64_t>(f.location.size, limits::kOnnxLocationBytes + 1)});
        auto file = external.open(location);
        if (!file) {
            Error e = file.error();
            e.offset = f.location.offset;
            return e;
        }
        const std::uint64_t size = (*file)->size();
        if (f.hasOffset) {
            auto offset = number(f.offset, "offset");
            if (!offset) return offset.error();
            out.data.offset = *offset;
        }
        if (out.data.offset > size)
            return outside(fmt::format("its offset is {}", out.data.offset), location, size);
        out.data.size = size - out.data.offset;
        if (f.hasLength) {
            auto length = number(f.length, "length");
            if (!length) return length.error();
            if (*length > out.data.size)
                return outside(fmt::format("{} bytes are wanted from byte {} on", *length, out.data.offset),
                               location, size);
            out.data.size = *length;
        }
        out.holder = std::move(*file);
        return checkBytes("the external data " + inQuotes(location) + " gives", f.location.offset);
    }

    Error outside(const std::string& what, const std::string& location, std::uint64_t size) {
        return {ErrorCode::truncated,
                fmt::format("the data file {} has {} bytes, {}", inQuotes(location), size, what), "",
                "copy the data file again", out.fields.location.offset};
    }

    const std::shared_ptr<const FileBytes>& m_file;
    TapEntry& m_tap;
    std::vector<Caution>& m_cautions;
    std::uint64_t m_elements = 0;
};

} // namespace

TensorProto describeTensorProto(const std::shared_ptr<const FileBytes>& file, ByteRange message,
                                OnnxExternalFiles& external, TapEntry& tap, std::vector<Caution>& cautions) {
    Description d(file, message, tap, cautions);
    if (auto ok = d.check(external); !ok) {
        tap.error = ok.error();
        tap.error->path = file->pathText() + (tap.name.empty() ? "" : ": " + tap.name.substr(0, 200));
    }
    return std::move(d.out);
}

} // namespace divdet
