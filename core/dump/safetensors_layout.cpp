#include "dump/safetensors_layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

struct Known {
    std::string_view name;
    unsigned bits;
    std::optional<DType> dtype;
};

constexpr Known kKnown[] = {
    {"BOOL", 8, DType::boolean},      {"U8", 8, DType::u8},          {"I8", 8, DType::i8},
    {"F8_E5M2", 8, DType::f8e5m2},    {"F8_E4M3", 8, DType::f8e4m3}, {"I16", 16, DType::i16},
    {"U16", 16, DType::u16},          {"F16", 16, DType::f16},       {"BF16", 16, DType::bf16},
    {"I32", 32, DType::i32},          {"U32", 32, DType::u32},       {"F32", 32, DType::f32},
    {"C64", 64, DType::c64},          {"F64", 64, DType::f64},       {"I64", 64, DType::i64},
    {"U64", 64, DType::u64},          {"F4", 4, std::nullopt},       {"F6_E2M3", 6, std::nullopt},
    {"F6_E3M2", 6, std::nullopt},     {"F8_E8M0", 8, std::nullopt},  {"F8_E4M3FNUZ", 8, std::nullopt},
    {"F8_E5M2FNUZ", 8, std::nullopt},
};

const Known* known(std::string_view dtype) {
    const auto* at =
        std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.name == dtype; });
    return at == std::end(kKnown) ? nullptr : at;
}

Error wrong(const SafetensorsEntry& e, std::string what) {
    return Error{ErrorCode::malformed,
                 fmt::format("the range [{}, {}] of {} {}", e.begin, e.end, inQuotes(e.name), what), "",
                 "save the file again"};
}

/// Bytes by dtype and shape. The product is formed in order, so an overflow counts even before a zero.
std::optional<std::uint64_t> claimedBytes(const SafetensorsEntry& e, unsigned bits) {
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : e.shape) {
        const auto next = mulFits(elements, extent);
        if (!next) return std::nullopt;
        elements = *next;
    }
    const auto total = mulFits(elements, bits);
    if (!total || *total % 8 != 0) return std::nullopt;
    return *total / 8;
}

} // namespace

std::optional<unsigned> safetensorsBits(std::string_view dtype) {
    const Known* k = known(dtype);
    return k ? std::optional(k->bits) : std::nullopt;
}

std::optional<DType> safetensorsDType(std::string_view dtype) {
    const Known* k = known(dtype);
    return k ? k->dtype : std::nullopt;
}

std::string_view safetensorsName(DType dtype) {
    for (const Known& k : kKnown)
        if (k.dtype == dtype) return k.name;
    return {};
}

Status checkSafetensorsRanges(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataBytes) {
    std::vector<const SafetensorsEntry*> order;
    for (const SafetensorsEntry& e : entries) order.push_back(&e);
    std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    std::uint64_t reached = 0;
    for (const SafetensorsEntry* e : order) {
        if (e->end < e->begin) return wrong(*e, "ends before it begins");
        if (e->begin > reached) return wrong(*e, fmt::format("leaves a gap after byte {}", reached));
        if (e->begin < reached) return wrong(*e, fmt::format("overlaps what ends at byte {}", reached));
        if (const auto bits = safetensorsBits(e->dtype)) {
            const auto bytes = claimedBytes(*e, *bits);
            if (!bytes)
                return wrong(
                    *e, fmt::format(
                            "cannot hold {} elements of the shape given: no whole number of bytes below 2^64",
                            e->dtype));
            if (*bytes != e->end - e->begin)
                return wrong(*e, fmt::format("has {} bytes, dtype {} and shape need {}", e->end - e->begin,
                                             e->dtype, *bytes));
        }
        reached = e->end;
    }
    if (reached < dataBytes)
        return Error{ErrorCode::malformed,
                     fmt::format("{} bytes follow the last tensor", dataBytes - reached), "",
                     "save the file again"};
    return Done{};
}

} // namespace divdet
