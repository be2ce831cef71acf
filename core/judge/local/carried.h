#pragma once
#include <span>
#include <vector>

#include "judge/local/allowed.h"

namespace divdet::local {

/// A value that an op reads: as it was recorded, or, where it was not, what the ops before it may have given.
struct Operand {
    Tensor value;              ///< f64 where it was not recorded
    std::vector<double> bound; ///< how far the value read may lie from `value`; empty: it is that value

    bool certain() const { return bound.empty(); }
};

/// allowedBy() for operands that are known to within a bound: what the roundings of the op itself may add,
/// and how far the uncertainty of its operands can move the result. The bounds hold for every choice of
/// operands within theirs. Errors: those of allowedBy; unsupported where nothing can be said (what is
/// quantised, rows that are picked by uncertain numbers).
Result<Allowed> allowedFrom(const lower::LoweredOp& declared, std::span<const Operand> operands,
                            numerics::Arch arch, Order order, const Progress& progress = {});

/// A result that was rounded to the dtype it is stored in, and is read again.
void roundOnTheWay(DType storage, Allowed& x);

/// Whether an op only moves elements, masks or clamps them: a rounding before it and one after it are the
/// same.
bool movesOnly(block::OpKind kind);

} // namespace divdet::local
