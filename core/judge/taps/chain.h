#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/taps/noise_floor.h"
#include "judge/taps/tap_facts.h"
#include "judge/taps/tap_name.h"

namespace divdet {

/// A tap as its place in the run makes it: what it may have inherited, and from where.
struct ChainTap {
    std::size_t pair = 0; ///< index in the list of pairs
    std::string label;    ///< its name
    TapName name;
    const TapFacts* facts = nullptr;
    double floor = 0;   ///< noiseFloor
    double earlier = 0; ///< largest error of an earlier judged tap: the running maximum, because constants
                        ///< and masks with no error do not end what came before them
    double meanFactor =
        1;                ///< rms/std of an earlier tap whose mean is gone here, and was not yet gone between
    double carried = 0;   ///< error of an earlier tap times the rms/std that it lost on the way
    double allowance = 0; ///< largest floor and carried error up to and with this tap: what few elements or
                          ///< channels may show although the tap as a whole shows less
    std::optional<double> growth; ///< error over that of the last judged tap that had one
    bool sameBefore = false;      ///< every earlier tap is equal to the byte, and one of them is judged
    std::optional<std::size_t> exactSum; ///< see sums.h: index in Chain::sums

    /// Error that needs no cause here.
    double expected() const { return std::max({floor, earlier, carried}); }
};

/// Both tensors of `whole` show whole = left + sign·right in the reference.
struct TapSum {
    std::size_t whole = 0, left = 0, right = 0; ///< places in Chain::taps
    double sign = 1;
    double residual = 0; ///< rms of the candidate's whole − (left + sign·right), over rms of the largest part
    double tolerated = 0;
};

struct Chain {
    TapContext context;
    std::vector<ChainTap> taps; ///< in the order of execution
    std::vector<TapSum> sums;
};

struct NamedFacts {
    std::string name;
    TapFacts facts;
};

/// `facts` must outlive the chain.
Chain makeChain(std::span<const NamedFacts> facts, const TapContext& context);

} // namespace divdet
