#include <algorithm>
#include <cstring>

#include "base/sigbus_guard.h"
#include "dump/tensorproto.h"

namespace divdet {
namespace {

Error becameShorter(const FileBytes& file) {
    return {ErrorCode::truncated, "the file became shorter while it was read", file.pathText(),
            "compare again when it is written completely"};
}

/// Numbers of one typed field into a buffer, each cut to `item` bytes (a bool of 2 stays one, as in the
/// library: core/tensor takes every byte but 0 for true). The scan has counted them.
bool gather(const std::byte* file, const TensorProtoFields& fields, const OnnxType& type, std::size_t item,
            std::span<std::byte> out) {
    const std::uint32_t number = type.field;
    ProtobufWalker walker(file, fields.message);
    WireField f;
    std::size_t at = 0;
    const auto put = [&](std::uint64_t value) {
        if (item > out.size() - at) return;
        std::memcpy(out.data() + at, &value, item); // this program runs on little-endian machines only
        at += item;
    };
    const bool fixed = number == TensorProtoFields::floats || number == TensorProtoFields::doubles;
    while (walker.next(f)) {
        if (f.number != number) continue;
        if (f.type == WireType::varint || f.type == WireType::fixed32 || f.type == WireType::fixed64) {
            const WireType single = number == TensorProtoFields::floats    ? WireType::fixed32
                                    : number == TensorProtoFields::doubles ? WireType::fixed64
                                                                           : WireType::varint;
            if (f.type == single) put(f.value);
        } else if (fixed) {
            const std::size_t n = std::min<std::size_t>(f.payload.size, out.size() - at);
            if (n > 0) std::memcpy(out.data() + at, file + f.payload.offset, n);
            at += n;
        } else {
            ProtobufWalker packed(file, f.payload);
            std::uint64_t value = 0;
            while (!packed.atEnd() && packed.varint(value)) put(value);
        }
    }
    return at == out.size();
}

/// Elements of fewer than eight bits, low bits first, one byte each.
void unpackBits(const std::byte* from, unsigned bits, bool isSigned, std::span<std::byte> out) {
    const unsigned mask = (1u << bits) - 1;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t bit = i * bits;
        unsigned window = std::to_integer<unsigned>(from[bit / 8]);
        if (bit % 8 + bits > 8) window |= std::to_integer<unsigned>(from[bit / 8 + 1]) << 8;
        unsigned code = (window >> (bit % 8)) & mask;
        if (isSigned && (code >> (bits - 1))) code |= ~mask;
        out[i] = static_cast<std::byte>(code);
    }
}

/// Codes one per byte, as raw data or a typed field has them, into the tensor's own type.
Tensor widened(const OnnxType& type, std::span<const std::byte> codes, const Shape& shape) {
    TensorBuilder b(DType::f32, shape);
    const auto values = smallFloatValues(*type.small);
    auto out = b.as<float>();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[std::to_integer<std::size_t>(codes[i])];
    return std::move(b).finish();
}

Tensor ofCodes(const OnnxType& type, std::span<const std::byte> codes, const Shape& shape) {
    if (type.small) return widened(type, codes, shape);
    TensorBuilder b(type.dtype, shape);
    if (!codes.empty()) std::memcpy(b.bytes().data(), codes.data(), b.bytes().size());
    return std::move(b).finish();
}

Tensor ofBytes(const TensorProto& t, const Shape& shape, const std::byte* data,
               std::shared_ptr<const void> owner) {
    TensorView view{t.type->dtype, shape, rowMajorStrides(shape, itemSize(t.type->dtype)), data, false};
    return Tensor(std::move(view), std::move(owner));
}

Result<Tensor> fromTyped(const FileBytes& file, const TensorProto& t, const Shape& shape) {
    const OnnxType& type = *t.type;
    const bool packed = type.bits == 2 || type.bits == 4;
    const auto n = static_cast<std::size_t>(*elementCount(shape));
    const std::size_t item = type.bits < 8 ? 1 : type.bits / 8 / type.perField;
    const std::size_t count = packed ? t.fields.counts[type.field] : n * type.perField;
    auto bytes = std::make_shared<std::vector<std::byte>>(count * item);
    bool whole = false;
    const std::byte* start = file.bytes().data();
    const std::span<std::byte> target(*bytes);
    if (!guardMappedRead([&] { whole = gather(start, t.fields, type, item, target); }))
        return becameShorter(file);
    if (!whole) return becameShorter(file);
    if (packed) {
        std::vector<std::byte> codes(n);
        unpackBits(bytes->data(), type.bits, type.isSigned, codes);
        return ofCodes(type, codes, shape);
    }
    if (type.unpacked()) return ofCodes(type, *bytes, shape);
    const std::byte* data = bytes->data();
    return ofBytes(t, shape, data, std::move(bytes));
}

} // namespace

Result<Tensor> loadTensorProto(const FileBytes& file, const TensorProto& t, const Shape& shape) {
    if (!t.holder) return fromTyped(file, t, shape);
    const std::byte* data = t.holder->bytes().data() + t.data.offset;
    const auto n = static_cast<std::size_t>(*elementCount(shape));
    if (!t.type->unpacked()) return ofBytes(t, shape, data, t.holder);
    std::vector<std::byte> codes(n);
    const std::span<std::byte> target(codes);
    if (!guardMappedRead([&] {
            if (t.type->bits < 8)
                unpackBits(data, t.type->bits, t.type->isSigned, target);
            else if (n > 0)
                std::memcpy(target.data(), data, n);
        }))
        return becameShorter(*t.holder);
    return ofCodes(*t.type, codes, shape);
}

} // namespace divdet
