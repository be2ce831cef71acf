#include "hunt/miss_bound.h"

namespace divdet::hunt {
namespace {

/// The chance that one more run is good after `runs` good ones beyond what was seen.
double oneMoreGood(const FailureRate& seen, std::uint64_t runs) {
    const double good = static_cast<double>(seen.good + runs + 1);
    return good / (good + static_cast<double>(seen.bad) + 1);
}

} // namespace

double missProbability(const FailureRate& seen, std::uint64_t runs) {
    double p = 1;
    for (std::uint64_t i = 0; i < runs; ++i) p *= oneMoreGood(seen, i);
    return p;
}

std::uint64_t runsForMiss(const FailureRate& seen, double bound, std::uint64_t limit) {
    double p = 1;
    std::uint64_t runs = 0;
    while (p > bound && runs < limit) p *= oneMoreGood(seen, runs++);
    return runs;
}

} // namespace divdet::hunt
