#include "dump/npy_scalar.h"

#include <charconv>
#include <optional>

#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = NpyScalar::Kind;

struct Named {
    std::string_view name;
    DType dtype;
};

/// Single letters and names without a size; `l` is 64 bits wide where npy files with it are written (Linux).
constexpr Named kNames[] = {
    {"?", DType::boolean},
    {"b", DType::i8},
    {"B", DType::u8},
    {"h", DType::i16},
    {"H", DType::u16},
    {"i", DType::i32},
    {"I", DType::u32},
    {"l", DType::i64},
    {"L", DType::u64},
    {"q", DType::i64},
    {"Q", DType::u64},
    {"p", DType::i64},
    {"P", DType::u64},
    {"e", DType::f16},
    {"f", DType::f32},
    {"d", DType::f64},
    {"F", DType::c64},
    {"D", DType::c128},
    {"half", DType::f16},
    {"single", DType::f32},
    {"double", DType::f64},
    {"float16", DType::f16},
    {"float32", DType::f32},
    {"float64", DType::f64},
    {"int8", DType::i8},
    {"int16", DType::i16},
    {"int32", DType::i32},
    {"int64", DType::i64},
    {"uint8", DType::u8},
    {"uint16", DType::u16},
    {"uint32", DType::u32},
    {"uint64", DType::u64},
    {"bool", DType::boolean},
    {"bool_", DType::boolean},
    {"complex64", DType::c64},
    {"complex128", DType::c128},
    {"bfloat16", DType::bf16},
    {"float8_e4m3fn", DType::f8e4m3},
    {"float8_e5m2", DType::f8e5m2},
};

std::optional<DType> sized(char kind, std::uint64_t bytes) {
    const auto pick = [bytes](DType one, DType two, DType four, DType eight) -> std::optional<DType> {
        return bytes == 1   ? one
               : bytes == 2 ? two
               : bytes == 4 ? four
               : bytes == 8 ? std::optional(eight)
                            : std::nullopt;
    };
    switch (kind) {
    case 'b':
        return bytes == 1 ? std::optional(DType::boolean) : std::nullopt;
    case 'i':
        return pick(DType::i8, DType::i16, DType::i32, DType::i64);
    case 'u':
        return pick(DType::u8, DType::u16, DType::u32, DType::u64);
    case 'f':
        return bytes == 1 ? std::nullopt : pick(DType::f16, DType::f16, DType::f32, DType::f64);
    case 'c':
        return bytes == 8    ? std::optional(DType::c64)
               : bytes == 16 ? std::optional(DType::c128)
                             : std::nullopt;
    default:
        return std::nullopt;
    }
}

Error bad(std::string_view text) {
    std::string hint;
    if (text.ends_with("f1"))
        hint = "ml_dtypes saves float8_e5m2 like this and numpy cannot read it back; save its bytes as "
               "uint8, or use safetensors";
    return Error{ErrorCode::malformed, inQuotes(text) + " is not a type numpy knows", "", hint};
}

} // namespace

Result<NpyScalar> parseNpyScalar(std::string_view text) {
    std::string_view rest = text;
    NpyScalar out;
    if (!rest.empty() && std::string_view("<>=|").find(rest[0]) != std::string_view::npos) {
        out.swapped = rest[0] == '>';
        rest.remove_prefix(1);
    }
    if (rest == "O" || rest == "O8" || rest == "O4" || rest == "object" || rest == "T")
        return Error{ErrorCode::refused,
                     "the array holds Python objects (" + inQuotes(text) +
                         "), stored as a pickle that would run code",
                     "", "save the numbers as a plain array"};
    for (const Named& n : kNames)
        if (rest == n.name && (rest.size() == 1 || rest.size() == text.size())) {
            out.dtype = n.dtype;
            out.item = itemSize(n.dtype);
            return out;
        }
    if (rest == "g" || rest == "G" || rest == "f16" || rest == "c32") {
        out.kind = Kind::other;
        out.item = rest == "g" || rest == "f16" ? 16 : 32;
        return out;
    }
    if (rest.empty()) return bad(text);
    const char kind = rest[0];
    std::string_view digits = rest.substr(1);
    if (kind == 'M' || kind == 'm') { // datetime64, timedelta64 with a unit in brackets
        if (!digits.starts_with("8") || (digits.size() > 1 && (digits[1] != '[' || digits.back() != ']')))
            return bad(text);
        out.kind = Kind::other;
        out.item = 8;
        return out;
    }
    std::uint64_t count = 0;
    if (digits.empty() && std::string_view("SUVa").find(kind) == std::string_view::npos) return bad(text);
    const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (!digits.empty() && (r.ec != std::errc() || r.ptr != digits.data() + digits.size())) return bad(text);
    if (std::string_view("SUVa").find(kind) != std::string_view::npos) {
        if (count > limits::kNpyItemBytes / (kind == 'U' ? 4 : 1)) return bad(text);
        out.kind = kind == 'V' ? Kind::voidBytes : Kind::other;
        out.item = kind == 'U' ? 4 * count : count;
        return out;
    }
    const auto dtype = sized(kind, count);
    if (!dtype) return bad(text);
    out.dtype = *dtype;
    out.item = itemSize(*dtype);
    return out;
}

} // namespace divdet
