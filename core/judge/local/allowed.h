#pragma once
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "lower/lowered.h"
#include "numerics/tensor_core_spec.h"
#include "tensor/tensor.h"

/// What one op may give, by the arithmetic that is declared for it.
namespace divdet::local {

/// What is known of the order in which a kernel adds.
enum class Order : std::uint8_t {
    known, ///< that of the slots: running-error bounds (Higham, ASNA, 3.3), sharp at any length
    any,   ///< a foreign kernel: bounds that hold for every order, blunt beyond a thousand terms
    /// The same, but for sums beyond a thousand terms the smaller of that and what roundings reach that are
    /// drawn at random (Higham and Mary 2019, lambda = 8): no proof, since those of like terms are not.
    likely,
};
inline constexpr std::size_t kLikelyFrom = 1000; ///< terms above which `any` and `likely` differ

/// The op in double on the inputs that were really read, declared lossy steps applied exactly, and how far
/// rounding may move the result before its last rounding, the one to the storage dtype. Row-major, one per
/// output element; `bound` is never negative, and infinite where the arithmetic promises nothing.
struct Allowed {
    std::vector<double> exact, bound;
};

/// Inputs as the kernel read them, in the dtypes they are stored in. Errors: mismatch for shapes or indices
/// that the op refuses, unsupported for slots without a bound, cancelled.
Result<Allowed> allowedBy(const lower::LoweredOp& declared, std::span<const Tensor> inputs,
                          numerics::Arch arch, Order order, const Progress& progress = {});

inline constexpr double kU = 0x1p-24; ///< unit roundoff of fp32

} // namespace divdet::local
