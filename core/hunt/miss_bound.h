#pragma once
#include <cstdint>

namespace divdet::hunt {

/// How often a set that fails was seen to fail.
struct FailureRate {
    std::uint64_t bad = 0, good = 0;

    double observed() const {
        return bad + good ? static_cast<double>(bad) / static_cast<double>(bad + good) : 0;
    }
};

/// The chance that `runs` further runs of a failing set are all good, given what was seen of it and a uniform
/// prior on its rate of failure: E[(1-p)^runs] under Beta(bad + 1, good + 1).
double missProbability(const FailureRate& seen, std::uint64_t runs);

/// The fewest runs whose missProbability is at most `bound`; `limit` when that is not enough.
std::uint64_t runsForMiss(const FailureRate& seen, double bound, std::uint64_t limit);

} // namespace divdet::hunt
