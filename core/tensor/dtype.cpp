#include "tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace divdet {
namespace {

struct Traits {
    std::string_view name;
    std::uint8_t size;
    DTypeKind kind;
    std::uint8_t fraction;
};

constexpr std::array<Traits, kDTypeCount> kTraits{{
    {"f64", 8, DTypeKind::floating, 52},
    {"f32", 4, DTypeKind::floating, 23},
    {"f16", 2, DTypeKind::floating, 10},
    {"bf16", 2, DTypeKind::floating, 7},
    {"f8e4m3", 1, DTypeKind::floating, 3},
    {"f8e5m2", 1, DTypeKind::floating, 2},
    {"i8", 1, DTypeKind::integer, 0},
    {"i16", 2, DTypeKind::integer, 0},
    {"i32", 4, DTypeKind::integer, 0},
    {"i64", 8, DTypeKind::integer, 0},
    {"u8", 1, DTypeKind::integer, 0},
    {"u16", 2, DTypeKind::integer, 0},
    {"u32", 4, DTypeKind::integer, 0},
    {"u64", 8, DTypeKind::integer, 0},
    {"bool", 1, DTypeKind::boolean, 0},
    {"c64", 8, DTypeKind::complex, 23},
    {"c128", 16, DTypeKind::complex, 52},
    {"void", 0, DTypeKind::opaque, 0},
}};

const Traits& traits(DType t) {
    return kTraits[static_cast<std::size_t>(t)];
}

/// Other spellings, lower case, without a leading `torch.`, `np.` or `numpy.`.
constexpr std::pair<std::string_view, DType> kAliases[] = {
    {"float64", DType::f64},        {"double", DType::f64},
    {"fp64", DType::f64},           {"float32", DType::f32},
    {"float", DType::f32},          {"fp32", DType::f32},
    {"float16", DType::f16},        {"half", DType::f16},
    {"fp16", DType::f16},           {"bfloat16", DType::bf16},
    {"f8_e4m3", DType::f8e4m3},     {"f8_e4m3fn", DType::f8e4m3},
    {"float8_e4m3", DType::f8e4m3}, {"float8_e4m3fn", DType::f8e4m3},
    {"f8_e5m2", DType::f8e5m2},     {"float8_e5m2", DType::f8e5m2},
    {"f8e4m3fn", DType::f8e4m3},    {"int8", DType::i8},
    {"int16", DType::i16},          {"short", DType::i16},
    {"int32", DType::i32},          {"int", DType::i32},
    {"int64", DType::i64},          {"long", DType::i64},
    {"uint8", DType::u8},           {"uint16", DType::u16},
    {"uint32", DType::u32},         {"uint64", DType::u64},
    {"boolean", DType::boolean},    {"complex64", DType::c64},
    {"cfloat", DType::c64},         {"complex128", DType::c128},
    {"cdouble", DType::c128},
};

} // namespace

std::size_t itemSize(DType t) {
    return traits(t).size;
}
std::string_view name(DType t) {
    return traits(t).name;
}
DTypeKind kind(DType t) {
    return traits(t).kind;
}
int fractionBits(DType t) {
    return traits(t).fraction;
}

DType coarser(DType a, DType b) {
    if (fractionBits(a) != fractionBits(b)) return fractionBits(a) < fractionBits(b) ? a : b;
    return itemSize(b) < itemSize(a) ? b : a;
}

std::optional<DType> parseDType(std::string_view text) {
    std::string key(text);
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (std::string_view prefix : {"torch.", "numpy.", "np."})
        if (key.starts_with(prefix)) key.erase(0, prefix.size());
    for (int i = 0; i < kDTypeCount; ++i)
        if (kTraits[static_cast<std::size_t>(i)].name == key) return static_cast<DType>(i);
    for (const auto& [alias, type] : kAliases)
        if (alias == key) return type;
    return std::nullopt;
}

} // namespace divdet
