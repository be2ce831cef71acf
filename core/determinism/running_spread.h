#pragma once
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "determinism/tap_spread.h"
#include "tensor/tensor.h"

namespace divdet {

/// The spread of one tap over runs that are given one after the other and not kept: what spreadOf says of
/// all of them, in memory for three tensors of fp64, however many there are.
class RunningSpread {
public:
    /// Errors: mismatch when dtype or shape is not that of the first run; unsupported for a dtype that is not
    /// real (live blocks have none).
    Status add(const Tensor& run);

    std::int64_t runs() const { return m_runs; }
    bool varies() const { return !m_state.empty(); } ///< some run differed from the first
    /// Of the runs so far. Precondition: one or more.
    TapSpread spread() const;

private:
    using Digest =
        std::pair<std::uint64_t, std::uint64_t>; ///< 128 bits: chance gives no two results one name

    void widen(const Tensor& run);
    static Digest digestOf(const Tensor& t);

    Tensor m_first;
    std::int64_t m_runs = 0;
    std::set<Digest> m_results;
    // By element, empty until a run differs from the first.
    std::vector<double> m_low, m_high;
    std::vector<std::uint8_t> m_state; ///< kVaries and kNonFinite
};

} // namespace divdet
