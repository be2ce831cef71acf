#include "dump/npy_layout.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
using Kind = NpyLiteral::Kind;

Error malformed(std::string what, std::uint64_t at) {
    return Error{ErrorCode::malformed, std::move(what), "", "save the array again", at};
}

Error cut(std::string what, std::uint64_t total) {
    return Error{ErrorCode::truncated, std::move(what), "", "copy or save the file again", total};
}

struct Keys {
    const NpyLiteral *descr = nullptr, *fortran = nullptr, *shape = nullptr;
};

/// Exactly the three keys; of a key given twice the last counts, as in Python.
Result<Keys> keysOf(const NpyLiteral& header, std::uint64_t at) {
    if (header.kind != Kind::dict) return malformed("the header is not a dictionary", at);
    Keys keys;
    for (std::size_t i = 0; i < header.items.size(); i += 2) {
        const NpyLiteral& key = header.items[i];
        if (key.kind != Kind::text) return malformed("a key of the header is not a string", at);
        if (key.text == "descr")
            keys.descr = &header.items[i + 1];
        else if (key.text == "fortran_order")
            keys.fortran = &header.items[i + 1];
        else if (key.text == "shape")
            keys.shape = &header.items[i + 1];
        else
            return malformed("the header has an unknown key " + inQuotes(key.text), at);
    }
    if (!keys.descr || !keys.fortran || !keys.shape)
        return malformed(fmt::format("the header has no {}", !keys.descr   ? "descr"
                                                             : !keys.shape ? "shape"
                                                                           : "fortran_order"),
                         at);
    return keys;
}

Result<Shape> shapeOf(const NpyLiteral& value, std::uint64_t at) {
    if (value.kind != Kind::tuple) return malformed("the shape is not a tuple", at);
    if (value.items.size() > limits::kNpyDims)
        return Error{ErrorCode::refused,
                     fmt::format("{} dimensions, numpy allows {}", value.items.size(), limits::kNpyDims), "",
                     "", at};
    Shape shape;
    for (const NpyLiteral& extent : value.items) {
        if (extent.kind != Kind::integer || extent.integer < 0)
            return malformed("the shape has an extent that is not a count", at);
        shape.push_back(extent.integer);
    }
    return shape;
}

/// Where byte `at` of the text came from: each character was one byte.
std::uint64_t latin1Offset(std::string_view utf8, std::uint64_t at) {
    const std::string_view before = utf8.substr(0, static_cast<std::size_t>(at));
    return static_cast<std::uint64_t>(std::count_if(
        before.begin(), before.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace

bool startsLikeNpy(std::span<const std::byte> bytes) {
    const std::size_t n = std::min(bytes.size(), kMagic.size());
    return n > 0 && std::memcmp(bytes.data(), kMagic.data(), n) == 0;
}

Result<std::uint64_t> npyHeaderEnd(std::span<const std::byte> start, std::uint64_t total) {
    if (!startsLikeNpy(start) && !start.empty()) return malformed("this is not an npy array", 0);
    if (start.size() < 8) return cut("the file ends inside the npy magic", total);
    const int major = std::to_integer<int>(start[6]), minor = std::to_integer<int>(start[7]);
    if (major < 1 || major > 3 || minor != 0)
        return Error{ErrorCode::unsupported, fmt::format("npy format version {}.{}", major, minor), "",
                     "versions 1.0, 2.0 and 3.0 are read", 6};
    const std::size_t prefix = major == 1 ? 10 : 12;
    if (start.size() < prefix) return cut("the file ends inside the length of the npy header", total);
    const std::uint64_t length =
        major == 1 ? littleAt<std::uint16_t>(start.data() + 8) : littleAt<std::uint32_t>(start.data() + 8);
    if (prefix + length > total)
        return cut(fmt::format("the npy header claims {} bytes, the file has {}", length, total - prefix),
                   total);
    if (length > limits::kNpyHeaderBytes)
        return Error{
            ErrorCode::refused,
            fmt::format("an npy header of {} bytes, the limit is {}", length, limits::kNpyHeaderBytes), "",
            "", 8};
    return prefix + length;
}

Result<NpyLayout> readNpyLayout(std::span<const std::byte> head, std::uint64_t total) {
    const auto end = npyHeaderEnd(head.subspan(0, std::min<std::size_t>(head.size(), 12)), total);
    if (!end) return end.error();
    const int major = std::to_integer<int>(head[6]);
    const std::size_t prefix = major == 1 ? 10 : 12;
    if (head.size() < *end) return Error{ErrorCode::internal, "the npy header was not read whole", "", ""};
    const std::string_view raw(reinterpret_cast<const char*>(head.data()) + prefix,
                               static_cast<std::size_t>(*end) - prefix);
    if (major == 3 && !isUtf8(raw)) return malformed("the header is not UTF-8", prefix);
    const std::string text = major == 3 ? std::string(raw) : latin1ToUtf8(raw);
    auto literal = parseNpyLiteral(text, major < 3);
    if (!literal) {
        Error e = literal.error();
        std::uint64_t at = e.offset.value_or(0);
        if (major < 3) at = latin1Offset(text, at);
        e.offset = prefix + at;
        return e;
    }
    const auto keys = keysOf(*literal, prefix);
    if (!keys) return keys.error();
    if (keys->fortran->kind != Kind::boolean) return malformed("fortran_order is not True or False", prefix);
    auto type = parseNpyType(*keys->descr);
    if (!type) {
        Error e = type.error();
        e.offset = prefix;
        return e;
    }
    auto shape = shapeOf(*keys->shape, prefix);
    if (!shape) return shape.error();

    NpyLayout out{std::move(*type), std::move(*shape), keys->fortran->integer != 0, *end, 0, 0};
    const auto bytes = byteCount(out.shape, out.type.item);
    if (!bytes)
        return malformed("the shape " + toString(out.shape) + " has more bytes than fit 63 bits", prefix);
    if (*bytes > total - *end)
        return cut(fmt::format("the shape {} needs {} bytes, the file has {}", toString(out.shape), *bytes,
                               total - *end),
                   total);
    out.dataBytes = *bytes;
    out.trailing = total - *end - *bytes;
    return out;
}

void describeNpy(const NpyLayout& layout, TapEntry& tap) {
    const NpyType& type = layout.type;
    tap.dtype = type.dtype;
    tap.shape = layout.shape;
    if (type.record && type.fields.size() == 1) { // nothing to choose
        tap.dtype = type.fields[0].dtype;
        tap.shape.insert(tap.shape.end(), type.fields[0].shape.begin(), type.fields[0].shape.end());
    } else if (type.dtype == DType::opaque) {
        tap.opaqueItem = type.item;
        for (const NpyField& f : type.fields) tap.fields.push_back(f.name);
    }
}

Result<Tensor> npyTensor(const NpyLayout& layout, const std::byte* stream, std::shared_ptr<const void> owner,
                         const std::string& field) {
    const NpyType& type = layout.type;
    TensorView view{type.dtype, layout.shape, rowMajorStrides(layout.shape, type.item),
                    stream + layout.dataOffset, type.swapped};
    if (layout.fortran) {
        std::int64_t step = static_cast<std::int64_t>(type.item);
        for (std::size_t d = 0; d < view.shape.size(); ++d) {
            view.strides[d] = step;
            step *= std::max<std::int64_t>(view.shape[d], 1);
        }
    }
    if (type.record && (!field.empty() || type.fields.size() == 1)) {
        const auto chosen = std::find_if(type.fields.begin(), type.fields.end(),
                                         [&](const NpyField& f) { return f.name == field; });
        if (chosen == type.fields.end() && !field.empty()) {
            std::vector<std::string> names;
            for (const NpyField& f : type.fields) names.push_back(f.name);
            return Error{ErrorCode::usage, "the records have no numeric field " + inQuotes(field), "",
                         "its fields are " + someOf(names)};
        }
        const NpyField& f = chosen == type.fields.end() ? type.fields[0] : *chosen;
        const auto inner = rowMajorStrides(f.shape, itemSize(f.dtype));
        view.dtype = f.dtype;
        view.swapped = f.swapped;
        view.data += f.offset;
        view.shape.insert(view.shape.end(), f.shape.begin(), f.shape.end());
        view.strides.insert(view.strides.end(), inner.begin(), inner.end());
    }
    return Tensor(std::move(view), std::move(owner));
}

} // namespace divdet
