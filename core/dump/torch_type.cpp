#include "dump/torch_type.h"

namespace divdet {
namespace {

struct Row {
    std::string_view storage; ///< class without `torch.` and `Storage`; empty: untyped storages only
    TorchType type;
};

constexpr Row kRows[] = {
    {"Double", {"float64", DType::f64, 8}},
    {"Float", {"float32", DType::f32, 4}},
    {"Half", {"float16", DType::f16, 2}},
    {"BFloat16", {"bfloat16", DType::bf16, 2}},
    {"ComplexDouble", {"complex128", DType::c128, 16}},
    {"ComplexFloat", {"complex64", DType::c64, 8}},
    {"Long", {"int64", DType::i64, 8}},
    {"Int", {"int32", DType::i32, 4}},
    {"Short", {"int16", DType::i16, 2}},
    {"Char", {"int8", DType::i8, 1}},
    {"Byte", {"uint8", DType::u8, 1}},
    {"Bool", {"bool", DType::boolean, 1}},
    {"QInt8", {"qint8", DType::i8, 1, true}},
    {"QUInt8", {"quint8", DType::u8, 1, true}},
    {"QInt32", {"qint32", DType::i32, 4, true}},
    {"QUInt4x2", {"quint4x2", std::nullopt, 1, true}}, // several elements in a byte
    {"QUInt2x4", {"quint2x4", std::nullopt, 1, true}},
    {"", {"uint16", DType::u16, 2}},
    {"", {"uint32", DType::u32, 4}},
    {"", {"uint64", DType::u64, 8}},
    {"", {"float8_e4m3fn", DType::f8e4m3, 1}},
    {"", {"float8_e5m2", DType::f8e5m2, 1}},
    {"", {"float8_e4m3fnuz", DType::u8, 1, false, SmallFloat::f8e4m3fnuz}},
    {"", {"float8_e5m2fnuz", DType::u8, 1, false, SmallFloat::f8e5m2fnuz}},
    {"", {"float8_e8m0fnu", DType::u8, 1, false, SmallFloat::f8e8m0}},
    {"", {"float4_e2m1fn_x2", std::nullopt, 1}},
    {"", {"complex32", std::nullopt, 4}},
    {"", {"bits8", std::nullopt, 1}},
    {"", {"bits16", std::nullopt, 2}},
};

} // namespace

std::optional<TorchType> torchStorageType(std::string_view dotted) {
    if (dotted == "torch.storage.UntypedStorage" || dotted == "torch.UntypedStorage")
        return TorchType{"uint8", DType::u8, 1, false, std::nullopt};
    for (std::string_view prefix : {"torch.cuda.", "torch."}) {
        if (!dotted.starts_with(prefix)) continue;
        dotted.remove_prefix(prefix.size());
        break;
    }
    constexpr std::string_view suffix = "Storage";
    if (!dotted.ends_with(suffix)) return std::nullopt;
    dotted.remove_suffix(suffix.size());
    for (const Row& row : kRows)
        if (!row.storage.empty() && row.storage == dotted) return row.type;
    return std::nullopt;
}

std::optional<TorchType> torchScalarType(std::string_view dotted) {
    constexpr std::string_view prefix = "torch.";
    if (!dotted.starts_with(prefix)) return std::nullopt;
    dotted.remove_prefix(prefix.size());
    for (const Row& row : kRows)
        if (row.type.name == dotted) return row.type;
    return std::nullopt;
}

} // namespace divdet
