#pragma once
#include <string>
#include <vector>

#include "judge/local/allowed.h"
#include "judge/local/residual.h"

namespace divdet::local {

/// What op number `op` of the recorded run may give, with the ops that had to be computed as well because
/// what they made was not recorded (names of their outputs, in the program's order).
struct AllowedAt {
    Allowed allowed;
    std::vector<std::string> together;
};

/// Reads what was recorded, and bounds what was not from the recorded values behind it: with a rounding to
/// the dtype it would be stored in wherever a kernel may have stored it, which a fused one leaves out.
/// Errors: notFound for an input or weight that is not there, naming it; those of allowedFrom.
Result<AllowedAt> allowedAt(const RecordedRun& run, std::size_t op, const Progress& progress = {});

/// What op number `op` reads, by input: as recorded, or (f64) as computed from the recorded values behind it.
/// Errors: those of allowedAt.
Result<std::vector<Tensor>> operandsAt(const RecordedRun& run, std::size_t op, const Progress& progress = {});

/// Whether there is such a tensor at all: of inputs and weights that nobody gave there are only places.
inline bool isThere(const Tensor& t) {
    return t.view().data != nullptr;
}

} // namespace divdet::local
