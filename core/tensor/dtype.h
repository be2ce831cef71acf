#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace divdet {

/// Element types. `opaque` is numpy's void: bytes whose meaning the file does not tell (ml_dtypes' bf16 saved
/// by numpy arrives like that); such a tensor can be read only after the user names its type.
enum class DType : std::uint8_t {
    f64,
    f32,
    f16,
    bf16,
    f8e4m3,
    f8e5m2,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    boolean,
    c64,
    c128,
    opaque,
};

inline constexpr int kDTypeCount = 18;

enum class DTypeKind : std::uint8_t { floating, integer, boolean, complex, opaque };

std::size_t itemSize(DType t);  ///< bytes; 0 for opaque, whose size is the tensor's own
std::string_view name(DType t); ///< f64 f32 f16 bf16 f8e4m3 f8e5m2 i8 … u64 bool c64 c128 void
DTypeKind kind(DType t);

/// Stored significand bits after the leading one (f32: 23); 0 for types that are not floating or complex.
/// Complex types answer for their parts.
int fractionBits(DType t);

/// The one of two floating types with fewer significand bits (ties: the smaller item, then the first).
DType coarser(DType a, DType b);

/// Reads our names and those of numpy, torch and safetensors: float16, torch.bfloat16, F8_E4M3, f8_e4m3fn, …
std::optional<DType> parseDType(std::string_view text);

} // namespace divdet
