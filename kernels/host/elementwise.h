#pragma once
#include <cstddef>
#include <cstdint>

/// Element by element operations over whole arrays, bit-equal to the scalar functions of numerics/ for any
/// number of threads. `out` may be the input itself.
namespace divdet::host {

enum class Elementwise : std::uint8_t {
    gelu,
    geluTanh,
    silu,
    relu,
    exp,
    tanh,
    erf,
    log,
    rsqrt,
    fastExp,
    fastTanh,
    fastRsqrt,
    fastGelu,
    fastGeluTanh,
    fastSilu
};

/// The functions of numerics/maths.h; fast…: of numerics/fast_maths.h.
void apply(Elementwise f, const float* in, float* out, std::size_t n);

inline void gelu(const float* in, float* out, std::size_t n) {
    apply(Elementwise::gelu, in, out, n);
}
inline void geluTanh(const float* in, float* out, std::size_t n) {
    apply(Elementwise::geluTanh, in, out, n);
}
inline void silu(const float* in, float* out, std::size_t n) {
    apply(Elementwise::silu, in, out, n);
}

enum class RoundFormat : std::uint8_t {
    tf32NearestEven,
    tf32NearestAway,
    tf32TowardZero,
    bf16,
    f16,
    f8e4m3,
    f8e5m2
};

/// Values rounded to the format and held in floats (numerics/rounding.h).
void roundTo(RoundFormat format, const float* in, float* out, std::size_t n);

void add(const float* a, const float* b, float* out, std::size_t n); ///< a + b
void addBias(const float* x, const float* bias, float* out, std::size_t rows, std::size_t width);
void mul(const float* a, const float* b, float* out, std::size_t n); ///< a b
void mulGain(const float* x, const float* gain, float* out, std::size_t rows, std::size_t width);
void scale(const float* x, float factor, float* out, std::size_t n); ///< x factor

/// Elements first, first + 1, ... of a counter-based stream (numerics/philox.h).
void fillNormal(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out, std::size_t n);
void fillUniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out, std::size_t n);

} // namespace divdet::host
