#include "dump/npy_write.h"

#include <unordered_set>

#include <fmt/format.h>

#include "dump/atomic_file.h"
#include "dump/text_encoding.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

std::string_view descrOf(DType dtype) {
    switch (dtype) {
    case DType::f64:
        return "<f8";
    case DType::f32:
        return "<f4";
    case DType::f16:
        return "<f2";
    case DType::bf16:
        return "|V2";
    case DType::f8e4m3:
    case DType::f8e5m2:
        return "|V1";
    case DType::i8:
        return "|i1";
    case DType::i16:
        return "<i2";
    case DType::i32:
        return "<i4";
    case DType::i64:
        return "<i8";
    case DType::u8:
        return "|u1";
    case DType::u16:
        return "<u2";
    case DType::u32:
        return "<u4";
    case DType::u64:
        return "<u8";
    case DType::boolean:
        return "|b1";
    case DType::c64:
        return "<c8";
    case DType::c128:
        return "<c16";
    case DType::opaque:
        return {};
    }
    return {};
}

} // namespace

Result<std::string> npyHeader(const Tensor& tensor) {
    const std::string_view descr = descrOf(tensor.dtype());
    if (descr.empty())
        return Error{ErrorCode::unsupported, "a tensor of unknown type cannot be written", "",
                     "name its type first"};
    std::string shape;
    for (const std::int64_t extent : tensor.shape()) shape += fmt::format("{}, ", extent);
    if (shape.size() > 2)
        shape.resize(shape.size() - (tensor.shape().size() == 1 ? 1 : 2)); // (3,) but (3, 4)
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
    constexpr std::size_t prefix = 10, step = 64;
    text.append(step - 1 - (prefix + text.size()) % step, ' ');
    text += '\n';
    if (text.size() > 0xffff)
        return Error{ErrorCode::unsupported, "a tensor with too many dimensions for npy", "", ""};
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(text.size() & 0xff);
    out += static_cast<char>(text.size() >> 8);
    return out + text;
}

std::span<const std::byte> bytesOf(const Tensor& compact) {
    return {compact.view().data, static_cast<std::size_t>(compact.elements()) * itemSize(compact.dtype())};
}

Status checkDistinct(std::span<const NamedTensor> tensors, const std::filesystem::path& path) {
    std::unordered_set<std::string_view> names;
    for (const NamedTensor& t : tensors)
        if (!names.insert(t.name).second)
            return Error{ErrorCode::usage, "two tensors are named " + inQuotes(t.name), path.string(),
                         "give each its own name"};
    return Done{};
}

Status writeNpy(const std::filesystem::path& path, const Tensor& tensor) {
    const auto header = npyHeader(tensor);
    if (!header) return header.error();
    AtomicFile file(path);
    if (auto ok = file.open(); !ok) return ok;
    if (auto ok = file.write(std::string_view(*header)); !ok) return ok;
    const Tensor compact = compacted(tensor);
    if (auto ok = file.write(bytesOf(compact)); !ok) return ok;
    return file.commit();
}

} // namespace divdet
