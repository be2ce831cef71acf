#pragma once
#include <cstddef>
#include <cstdint>

#include "compare/sums.h"

/// Loops over one block of pairs, compiled for every instruction set and chosen when the program runs. All
/// give the same bits. `special`: some pair may not be finite. T is float (every narrower type fits it
/// exactly) or double; pointers need not be aligned. None allocates, so that a guard for mapped memory can be
/// around them (base/sigbus_guard.h).
namespace divdet::kernels {

inline constexpr int kBlock = 4096; ///< most elements of one call

/// Which pairs cannot change anything: those with e <= flat[o] or e <= slope[o]·m, o being m's octave counted
/// from `first` (an exponent field of T) and clamped to the table. A negative `flat` lets all through.
template <class T>
struct FilterTable {
    static constexpr int kOctaves = 32;
    int first = 0;
    alignas(64) T flat[kOctaves];
    alignas(64) T slope[kOctaves];
};

/// Pairs that a filter let through, in order; non-finite ones always are.
template <class T>
struct Survivors {
    int count = 0;
    alignas(64) std::int32_t index[kBlock + 64];
    alignas(64) T candidate[kBlock + 64];
    alignas(64) T reference[kBlock + 64];
};

/// What the filter sees besides; the magnitudes mean something only when nothing was special.
struct FilterFacts {
    std::int64_t equal = 0;
    double maxMagnitude = 0, minMagnitude = 0; ///< of |r|
    bool special = false;                      ///< some |c − r| is NaN or infinite
};

void filterPairs(const float* c, const float* r, int n, const FilterTable<float>& table,
                 Survivors<float>& survivors, FilterFacts& facts);
void filterPairs(const double* c, const double* r, int n, const FilterTable<double>& table,
                 Survivors<double>& survivors, FilterFacts& facts);

/// Counts of kinds; of pairs that are finite where not said otherwise. `normal`: smallest normal magnitude.
struct KindCounts {
    std::int64_t finite = 0, infiniteRel = 0, above = 0, below = 0, equal = 0;
    std::int64_t nanC = 0, nanR = 0, nanBoth = 0, infC = 0, infR = 0, infBoth = 0;
    std::int64_t zeroC = 0, zeroR = 0, zeroBoth = 0, signedZero = 0;
    std::int64_t subnormalC = 0, subnormalR = 0, subnormalBoth = 0;
    std::int64_t never = 0, overflowed = 0, finiteReference = 0;
    double maxMagnitude = 0, minMagnitude = 0; ///< of finite |r|; the smallest one that is not zero
};
void countKinds(const float* c, const float* r, int n, float normalC, float normalR, KindCounts& counts);
void countKinds(const double* c, const double* r, int n, double normalC, double normalR, KindCounts& counts);

/// What decides whether countKinds has to look at a block without specials; those pairs that are neither
/// equal nor above are below.
struct SignCounts {
    std::int64_t above = 0;
    double minCandidate = 0; ///< smallest |c|
};
void countSigns(const float* c, const float* r, int n, SignCounts& counts);
void countSigns(const double* c, const double* r, int n, SignCounts& counts);

/// Where the next block lies in memory: a loop that has all it needs in the cache fetches it meanwhile. Only
/// a hint: the bytes need not be there. Null: no next block.
struct Ahead {
    const std::byte *candidate = nullptr, *reference = nullptr;
    std::size_t candidateBytes = 0, referenceBytes = 0;
};

/// Sums over finite pairs in 16 virtual lanes (element i in lane i mod 16), folded by halves. `largest` only
/// from doubles.
void sumPairs(const float* c, const float* r, int n, bool special, const Ahead& ahead, Sums& sums,
              LargestValues& largest);
void sumPairs(const double* c, const double* r, int n, bool special, const Ahead& ahead, Sums& sums,
              LargestValues& largest);

/// Adds the finite pairs to a table of ErrorHistogram cells, row·kHistogramStride + column.
/// 15 cache lines: with a power of two all rows would fall on the same few sets of the cache.
inline constexpr int kHistogramStride = 240;
inline constexpr int kHistogramCells = 260 * kHistogramStride; ///< the last row takes what is not finite
void histogramPairs(const float* c, const float* r, int n, bool special, std::uint32_t* table,
                    const Ahead& ahead);
void histogramPairs(const double* c, const double* r, int n, bool special, std::uint32_t* table,
                    const Ahead& ahead);

/// Adds pairs that are all finite to the lanes of a block's sums, to the histogram and, where `tileMax` is
/// not null, to tiles with one lane per column (of these pairs, in one line): one loop that widens and
/// subtracts once. The same bits as sumPairs, histogramPairs and addTiles. False, and nothing done, where the
/// registers of the instruction set do not hold all that, or n is no multiple of kFusedStep.
inline constexpr int kFusedStep = 64;
[[nodiscard]] bool fusedPairs(const float* c, const float* r, int n, std::uint32_t* table, double* tileMax,
                              double* tileSum2, const Ahead& ahead, LaneSums& sums);

/// A float format as ulps see it: the code of magnitude x is `bits(x) >> shift` less `offset`, and below
/// `normal` it is x·scale.
struct UlpFormat {
    int shift = 0;
    std::int32_t offset = 0, overflow = 0x7F800000; ///< the code that magnitudes beyond the format get
    float normal = 0, scale = 0;
    bool rounds = false;  ///< the values need not be of this format
    bool integer = false; ///< a step is one, and nothing else applies
};
struct UlpFacts {
    std::int64_t bins[66] = {}; ///< as Summary::ulpHistogram
    std::uint32_t most = 0;     ///< largest distance
    int mostAt = -1;            ///< where it comes first
};
/// Raises facts.most only above what it is before.
void ulpPairs(const float* c, const float* r, int n, bool special, const UlpFormat& format, UlpFacts& facts);

/// A piece of a line that starts at `column`, all finite, onto the lanes of its tile row: lane `column` where
/// tiles are at most 8 columns wide, else lane 8·tile + (column in the tile) mod 8.
void addTiles(const float* c, const float* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2);
void addTiles(const double* c, const double* r, int n, std::int64_t column, std::int64_t columnsPerTile,
              double* max, double* sum2);

/// Widening of contiguous 16-bit floats.
void widenBf16(const void* from, int n, float* to);
void widenF16(const void* from, int n, float* to);

} // namespace divdet::kernels
