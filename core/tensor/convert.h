#pragma once
#include <complex>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet {

/// Elements [first, first + out.size()) of `v` in row-major order, widened to double (f64 exactly, every
/// narrower float and integers below 2^53 exactly; wider integers rounded to nearest even; bool 0 or 1).
/// Preconditions: v is not complex and not opaque; the range lies inside v. Like the two below it allocates
/// nothing, so that it can stand inside a guard for mapped memory.
void loadAsDouble(const TensorView& v, std::int64_t first, std::span<double> out);

/// The same for complex tensors; real tensors get a zero imaginary part.
void loadAsComplex(const TensorView& v, std::int64_t first, std::span<std::complex<double>> out);

/// The same for integer and bool tensors, exact to 64 bits: value = sign · magnitude.
struct WideInt {
    bool negative;
    std::uint64_t magnitude;
};
void loadAsWideInt(const TensorView& v, std::int64_t first, std::span<WideInt> out);

/// Element i as double (complex: its modulus). For inspectors and messages, not for loops.
double elementAt(const TensorView& v, std::int64_t i);

/// Contiguous copy in another dtype, rounded to nearest even; floating and integer types only. Values beyond
/// a floating target's range become infinite (f8e4m3, which has none: nan); integer targets are an error
/// when a value does not fit.
Result<Tensor> converted(const Tensor& t, DType target);

/// Contiguous, native-endian, aligned copy of the same dtype; returns `t` itself when it already is all that.
Tensor compacted(const Tensor& t);

} // namespace divdet
