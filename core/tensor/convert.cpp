#include "tensor/convert.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "numerics/rounding.h"
#include "tensor/walk.h"

namespace divdet {
namespace {

constexpr std::size_t kPart = 512; ///< elements converted at a time, on the stack

template <std::size_t N>
using Bits = std::conditional_t<
    N == 1, std::uint8_t,
    std::conditional_t<N == 2, std::uint16_t, std::conditional_t<N == 4, std::uint32_t, std::uint64_t>>>;

constexpr std::uint8_t byteSwap(std::uint8_t v) {
    return v;
}
constexpr std::uint16_t byteSwap(std::uint16_t v) {
    return __builtin_bswap16(v);
}
constexpr std::uint32_t byteSwap(std::uint32_t v) {
    return __builtin_bswap32(v);
}
constexpr std::uint64_t byteSwap(std::uint64_t v) {
    return __builtin_bswap64(v);
}

/// memcpy, because a mapped file need not align its data.
template <class T>
T read(const std::byte* p, bool swapped) {
    Bits<sizeof(T)> bits;
    std::memcpy(&bits, p, sizeof bits);
    if (swapped) bits = byteSwap(bits);
    return std::bit_cast<T>(bits);
}

template <DType D>
auto readAs(const std::byte* p, bool s) {
    if constexpr (D == DType::f64)
        return read<double>(p, s);
    else if constexpr (D == DType::f32)
        return read<float>(p, s);
    else if constexpr (D == DType::f16)
        return numerics::f16ToFloat(read<std::uint16_t>(p, s));
    else if constexpr (D == DType::bf16)
        return numerics::bf16ToFloat(read<std::uint16_t>(p, s));
    else if constexpr (D == DType::f8e4m3)
        return numerics::f8e4m3ToFloat(read<std::uint8_t>(p, s));
    else if constexpr (D == DType::f8e5m2)
        return numerics::f8e5m2ToFloat(read<std::uint8_t>(p, s));
    else if constexpr (D == DType::i8)
        return read<std::int8_t>(p, s);
    else if constexpr (D == DType::i16)
        return read<std::int16_t>(p, s);
    else if constexpr (D == DType::i32)
        return read<std::int32_t>(p, s);
    else if constexpr (D == DType::i64)
        return read<std::int64_t>(p, s);
    else if constexpr (D == DType::u8)
        return read<std::uint8_t>(p, s);
    else if constexpr (D == DType::u16)
        return read<std::uint16_t>(p, s);
    else if constexpr (D == DType::u32)
        return read<std::uint32_t>(p, s);
    else if constexpr (D == DType::u64)
        return read<std::uint64_t>(p, s);
    else
        return static_cast<std::uint8_t>(read<std::uint8_t>(p, s) != 0); // boolean: any non-zero byte is true
}

template <DType D, class T>
void loadRuns(const TensorView& v, std::int64_t first, std::span<T> out) {
    walkRuns(v, first, static_cast<std::int64_t>(out.size()),
             [&](const std::byte* p, std::int64_t stride, std::int64_t n, std::int64_t at) {
                 for (std::int64_t i = 0; i < n; ++i, p += stride)
                     out[static_cast<std::size_t>(at + i)] = static_cast<T>(readAs<D>(p, v.swapped));
             });
}

/// Calls f<D>() for the run-time dtype; complex and opaque types are outside its domain.
template <class F>
void dispatchReal(DType t, F&& f) {
    switch (t) {
    case DType::f64:
        return f.template operator()<DType::f64>();
    case DType::f32:
        return f.template operator()<DType::f32>();
    case DType::f16:
        return f.template operator()<DType::f16>();
    case DType::bf16:
        return f.template operator()<DType::bf16>();
    case DType::f8e4m3:
        return f.template operator()<DType::f8e4m3>();
    case DType::f8e5m2:
        return f.template operator()<DType::f8e5m2>();
    case DType::i8:
        return f.template operator()<DType::i8>();
    case DType::i16:
        return f.template operator()<DType::i16>();
    case DType::i32:
        return f.template operator()<DType::i32>();
    case DType::i64:
        return f.template operator()<DType::i64>();
    case DType::u8:
        return f.template operator()<DType::u8>();
    case DType::u16:
        return f.template operator()<DType::u16>();
    case DType::u32:
        return f.template operator()<DType::u32>();
    case DType::u64:
        return f.template operator()<DType::u64>();
    case DType::boolean:
        return f.template operator()<DType::boolean>();
    case DType::c64:
    case DType::c128:
    case DType::opaque:
        return;
    }
}

WideInt widen(std::int64_t x) {
    return {x < 0, x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x)};
}

template <class T>
bool storeInteger(double x, std::byte* p) {
    // The upper limit of a 64-bit type is not a double; one past it is.
    const double past = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(x >= static_cast<double>(std::numeric_limits<T>::min()) && x < past)) return false;
    const T v = static_cast<T>(x);
    std::memcpy(p, &v, sizeof v);
    return true;
}

/// Rounds once from double; false when an integer target cannot hold x.
bool store(double x, DType t, std::byte* p) {
    const auto put = [&](auto v) { std::memcpy(p, &v, sizeof v); };
    switch (t) {
    case DType::f64:
        put(x);
        return true;
    case DType::f32:
        put(static_cast<float>(x));
        return true;
    case DType::f16:
        put(numerics::f16FromDouble(x));
        return true;
    case DType::bf16:
        put(numerics::bf16FromDouble(x));
        return true;
    case DType::f8e4m3:
        put(numerics::f8e4m3FromDouble(x));
        return true;
    case DType::f8e5m2:
        put(numerics::f8e5m2FromDouble(x));
        return true;
    case DType::boolean:
        put(static_cast<std::uint8_t>(x != 0));
        return true;
    case DType::i8:
        return storeInteger<std::int8_t>(x, p);
    case DType::i16:
        return storeInteger<std::int16_t>(x, p);
    case DType::i32:
        return storeInteger<std::int32_t>(x, p);
    case DType::i64:
        return storeInteger<std::int64_t>(x, p);
    case DType::u8:
        return storeInteger<std::uint8_t>(x, p);
    case DType::u16:
        return storeInteger<std::uint16_t>(x, p);
    case DType::u32:
        return storeInteger<std::uint32_t>(x, p);
    case DType::u64:
        return storeInteger<std::uint64_t>(x, p);
    case DType::c64:
    case DType::c128:
    case DType::opaque:
        return false;
    }
    return false;
}

/// Whose numbers are floats too, exactly.
bool holdsFloats(DType t) {
    return t == DType::f32 || t == DType::f16 || t == DType::bf16;
}

/// From floats the rounding is one addition and a shift, many at a time.
void storeAsBf16(std::span<const double> floats, std::byte* to) {
    std::uint16_t codes[1024];
    for (std::size_t i = 0; i < floats.size(); ++i)
        codes[i] = numerics::bf16FromFloat(static_cast<float>(floats[i]));
    std::memcpy(to, codes, floats.size() * sizeof(std::uint16_t));
}

} // namespace

void loadAsDouble(const TensorView& v, std::int64_t first, std::span<double> out) {
    dispatchReal(v.dtype, [&]<DType D>() { loadRuns<D, double>(v, first, out); });
}

void loadAsComplex(const TensorView& v, std::int64_t first, std::span<std::complex<double>> out) {
    if (kind(v.dtype) != DTypeKind::complex) {
        double real[kPart];
        for (std::size_t at = 0; at < out.size(); at += kPart) {
            const std::size_t n = std::min(kPart, out.size() - at);
            loadAsDouble(v, first + static_cast<std::int64_t>(at), {real, n});
            for (std::size_t i = 0; i < n; ++i) out[at + i] = real[i];
        }
        return;
    }
    const bool wide = v.dtype == DType::c128;
    walkRuns(v, first, static_cast<std::int64_t>(out.size()),
             [&](const std::byte* p, std::int64_t stride, std::int64_t n, std::int64_t at) {
                 for (std::int64_t i = 0; i < n; ++i, p += stride) {
                     auto& o = out[static_cast<std::size_t>(at + i)];
                     if (wide)
                         o = {read<double>(p, v.swapped), read<double>(p + 8, v.swapped)};
                     else
                         o = {read<float>(p, v.swapped), read<float>(p + 4, v.swapped)};
                 }
             });
}

void loadAsWideInt(const TensorView& v, std::int64_t first, std::span<WideInt> out) {
    std::int64_t part[kPart];
    for (std::size_t at = 0; at < out.size(); at += kPart) {
        const std::span wide(part, std::min(kPart, out.size() - at));
        const std::int64_t from = first + static_cast<std::int64_t>(at);
        dispatchReal(v.dtype, [&]<DType D>() {
            if constexpr (D != DType::f64 && D != DType::f32 && D != DType::f16 && D != DType::bf16 &&
                          D != DType::f8e4m3 && D != DType::f8e5m2)
                loadRuns<D, std::int64_t>(v, from, wide); // u64: the bits are kept and read back unsigned
        });
        for (std::size_t i = 0; i < wide.size(); ++i)
            out[at + i] =
                v.dtype == DType::u64 ? WideInt{false, static_cast<std::uint64_t>(wide[i])} : widen(wide[i]);
    }
}

double elementAt(const TensorView& v, std::int64_t i) {
    if (kind(v.dtype) == DTypeKind::complex) {
        std::complex<double> z;
        loadAsComplex(v, i, {&z, 1});
        return std::hypot(z.real(), z.imag());
    }
    double x = 0;
    loadAsDouble(v, i, {&x, 1});
    return x;
}

Result<Tensor> converted(const Tensor& t, DType target) {
    const TensorView& v = t.view();
    if (kind(v.dtype) == DTypeKind::complex || kind(v.dtype) == DTypeKind::opaque ||
        kind(target) == DTypeKind::complex || kind(target) == DTypeKind::opaque)
        return Error{ErrorCode::unsupported,
                     fmt::format("no conversion from {} to {}", name(v.dtype), name(target)), "",
                     "convert real tensors only"};
    if (v.dtype == target) return compacted(t);
    TensorBuilder out(target, v.shape);
    const std::int64_t n = v.elements();
    const std::size_t item = itemSize(target);
    double block[1024];
    for (std::int64_t at = 0; at < n; at += 1024) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(1024, n - at));
        loadAsDouble(v, at, {block, count});
        if (target == DType::bf16 && holdsFloats(v.dtype)) {
            storeAsBf16({block, count}, out.bytes().data() + static_cast<std::size_t>(at) * item);
            continue;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (!store(block[i], target, out.bytes().data() + (static_cast<std::size_t>(at) + i) * item))
                return Error{ErrorCode::mismatch,
                             fmt::format("element {} is {}, which {} cannot hold",
                                         toString(unravel(at + static_cast<std::int64_t>(i), v.shape)),
                                         block[i], name(target)),
                             "", "choose a wider or a floating dtype"};
    }
    return std::move(out).finish();
}

Tensor compacted(const Tensor& t) {
    const TensorView& v = t.view();
    const std::size_t alignment = std::min<std::size_t>(itemSize(v.dtype), 8);
    const bool aligned = alignment == 0 || reinterpret_cast<std::uintptr_t>(v.data) % alignment == 0;
    if (v.contiguous() && aligned) return t;
    TensorBuilder out(v.dtype, v.shape);
    const std::size_t item = itemSize(v.dtype);
    const std::size_t part = kind(v.dtype) == DTypeKind::complex ? item / 2 : item;
    std::byte* dst = out.bytes().data();
    walkRuns(v, 0, v.elements(), [&](const std::byte* p, std::int64_t stride, std::int64_t n, std::int64_t) {
        for (std::int64_t i = 0; i < n; ++i, p += stride)
            for (std::size_t half = 0; half < item; half += part)
                for (std::size_t b = 0; b < part; ++b) *dst++ = p[half + (v.swapped ? part - 1 - b : b)];
    });
    return std::move(out).finish();
}

} // namespace divdet
