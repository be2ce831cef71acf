#pragma once
#include <cstdint>

namespace divdet {

/// P(z > x) of a standard normal z.
double upperTail(double x);

/// E[max(z − x, 0)]: the upper tail's own integral from x on. Never negative.
double upperTailIntegral(double x);

/// The k for which the larger of `n` standard normal numbers exceeds ±k with probability at most p
/// (Bonferroni: each side of each number gets p / 2n). 0 < p < 1, n >= 1.
double deviationsFor(double p, std::int64_t n);

} // namespace divdet
