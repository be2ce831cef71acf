#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "compare/comparison.h"

namespace divdet {

/// A channel is one index of an axis. The one whose error stands out most over the median channel, both in
/// size and relative to its own signal.
struct ChannelFacts {
    int axis = 0;
    std::int64_t channel = 0, extent = 0;
    double excess = 0;   ///< the smaller of the two ratios to the median channel
    double relative = 0; ///< rms(c−r)/rms(r) of the channel
    /// Least squares of c−r on r in the channel, both centred: c ≈ gain·r + const.
    double gain = 1, gainZ = 0;  ///< gainZ: (gain − 1) in its standard errors
    double explained = 0;        ///< share of the centred error that the gain explains
    std::optional<double> limit; ///< candidate values pile up there while the reference goes on
    std::int64_t atLimit = 0;    ///< elements at the limit
};

/// One diagonal (column − row) of the last two axes on which every reference element is exactly zero.
struct DiagonalFacts {
    std::int64_t offset = 0, nonZero = 0; ///< candidate elements that are not zero
    double largest = 0;                   ///< largest |c| there, over rms of the reference's other elements
};

/// Distinct values of the candidate, where there are few.
struct LevelFacts {
    std::int64_t candidate = 0, reference = 0; ///< the reference's are counted up to a limit
    double steps = 0; ///< range of the reference over the smallest distance of two candidate values
};

/// Some elements of both sides, at indices that depend on the number of elements alone.
struct TapSample {
    std::vector<double> reference, candidate;
};

/// What one pass over a tap gathers for the rules; nothing here depends on what is declared.
struct TapFacts {
    bool judged = false; ///< real floating tensors with a signal, of at least 8 elements
    bool small = false;  ///< real floating, but too few elements for a statistic
    bool same = false;   ///< every byte is equal
    std::int64_t elements = 0;
    Shape shape;
    bool sameDType = false;
    DType dtype = DType::f32; ///< the coarser of the two
    double unit = 0;          ///< half an ulp of 1 in that dtype
    double error = 0;         ///< rms(c−r)/rms(r) over the bulk (see sentinel)
    double peak = 0;          ///< max |r| / rms(r) over the bulk
    /// Values of the reference from here on are a constant far outside the others, such as a mask's −10000;
    /// infinite: there are none. They are left out of sums: nothing else would be seen beside them.
    double sentinel = 0;
    bool beforeClamp = false; ///< the candidate was taken before max(·, 0), which was then applied here
    double zeroShare = 0;     ///< of the reference's elements, exactly zero
    double rowUlps = 0;       ///< rms of c−r in ulps (2·unit) of the rms of its row (along the last axis)
    /// rms(r) over its standard deviation when the mean is taken per index of an axis (one entry per axis),
    /// per row (last but one entry), or of all (last entry); 1 where it was not looked at.
    std::vector<double> meanShare;
    std::optional<ChannelFacts> channel;
    std::vector<DiagonalFacts> diagonals; ///< those with non-zero candidate elements
    std::optional<LevelFacts> levels;     ///< none: the candidate has many
    TapSample sample;
};

/// Reads the tap once, and one channel of it again. Preconditions: the pair has a summary; `data` is its
/// elements. Memory: some numbers per index of each axis (axes of more than a million indices are not looked
/// at). A cancelled look gives facts of no use.
TapFacts gatherFacts(const TapPair& pair, const PairData& data, const Progress& progress = {});

} // namespace divdet
