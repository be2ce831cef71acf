#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compare/frontier.h"
#include "compare/histogram.h"
#include "compare/tolerance.h"

namespace divdet {

/// A largest value and the flat, row-major index of its first occurrence; index -1: there was none.
struct Extreme {
    double value = 0;
    std::int64_t index = -1;
};

struct SideCounts {
    std::int64_t reference = 0, candidate = 0, both = 0;
};

/// Least squares c ≈ gain·r + offset over pairs finite on both sides.
struct Regression {
    double gain = 1, offset = 0;
};

/// Largest and rms error per tile of the last two dims (leading dims folded in), at most 512 × 512 tiles.
/// Non-finite pairs make a tile's maximum infinite.
struct TileMap {
    int rows = 0, columns = 0;
    std::int64_t rowsPerTile = 1, columnsPerTile = 1;
    std::vector<float> maxAbs, rms; ///< row-major, rows · columns
};

/// What one element is, for the worst one. Complex values are given by their modulus.
struct Element {
    std::int64_t index = -1;
    double reference = 0, candidate = 0, abs = 0, rel = 0, bound = 0;
    double excess() const { return abs - bound; }
};

/// The part that depends on the tolerance; exact, from a scan at that tolerance.
struct AtTolerance {
    Tolerance tolerance;
    std::int64_t mismatches = 0;     ///< every element that fails, non-finite ones too
    std::int64_t firstMismatch = -1; ///< flat index
    Element worst;                   ///< largest abs/bound among failing pairs finite on both sides
    std::optional<double>
        significantMaxRel; ///< max rel over finite pairs with |r| >= atol/rtol; none: no such pair
};

/// Everything one pass over a pair gives. Formulas: e = |c − r| (complex: modulus; integers exactly), rel =
/// e/|r|. Sums run over pairs finite on both sides, in double, in blocks of 4096 merged by a fixed tree.
struct Summary {
    std::int64_t elements = 0;
    std::int64_t equal = 0;    ///< c == r (−0 equals +0; NaN equals nothing)
    bool bitIdentical = false; ///< same dtype and every byte the same
    std::int64_t finite = 0;   ///< pairs finite on both sides with a finite difference

    Extreme maxAbs;               ///< over pairs finite on both sides; inf where the difference overflows
    Extreme maxRel;               ///< over the same with r != 0
    std::int64_t infiniteRel = 0; ///< finite pairs with r = 0 and c != 0
    std::optional<double> maxUlp; ///< in the coarser floating dtype of the two; none for other kinds
    bool ulpSignFlips = false;    ///< the largest ulp distance lies between different signs

    double meanAbs = 0;
    double rms = 0; ///< sqrt(mean e²)
    double rmsReference = 0, rmsCandidate = 0;
    double meanReference = 0;                                ///< 0 for complex
    double sqnrDb = std::numeric_limits<double>::infinity(); ///< 20·log10(‖r‖/‖c−r‖), inf when equal
    std::optional<double> cosine;                            ///< none when a side is all zero
    std::optional<double> bias;                              ///< mean(c − r); none for complex
    double biasError = 0;                                    ///< its standard error
    std::int64_t above = 0, below = 0;                       ///< finite pairs with c > r, c < r (real only)
    std::optional<Regression> regression;                    ///< none when r is constant or complex

    SideCounts nan, inf;              ///< both: of NaN, NaN on both sides; of inf, the same infinity
    SideCounts zero, subnormal;       ///< subnormal of each side's own dtype
    std::int64_t signedZero = 0;      ///< −0 against +0
    std::int64_t never = 0;           ///< elements that fail at every tolerance, pairs of NaN not counted
    std::int64_t overflowedError = 0; ///< those of them that are finite on both sides: |c − r| is not
    double maxMagnitude = 0;          ///< largest |r| over finite r
    double minMagnitude = std::numeric_limits<double>::infinity(); ///< smallest non-zero |r|
    std::int64_t finiteReference = 0;

    Frontier frontier;
    /// Smallest rtol that passes on the linked path, per Rule; finite pairs only (see neverPass).
    std::array<double, 2> neededLinked{};
    ErrorHistogram histogram;
    std::array<std::int64_t, 66> ulpHistogram{}; ///< [0]: 0 ulp, [i]: 2^(i−1) … 2^i − 1
    TileMap tiles;
    AtTolerance at; ///< at the tolerance of the scan

    /// Elements that fail at every tolerance.
    std::int64_t neverPass(bool equalNan) const { return never + (equalNan ? 0 : nan.both); }
    /// rtol that passes on the linked path for the whole pair; inf when an element never passes.
    double neededRtolLinked(const Tolerance& t) const {
        return neverPass(t.equalNan) ? std::numeric_limits<double>::infinity()
                                     : neededLinked[static_cast<std::size_t>(frontierRule(t.rule))];
    }
};

} // namespace divdet
