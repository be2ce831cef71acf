#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

/// How a fault stands to the honest runs.
enum class Separation {
    caught,    ///< fails at the recommended tolerance, where every honest run passes
    elsewhere, ///< not there, but some tolerance tells them apart: see FaultWindow::witness
    never,     ///< passes wherever every honest run passes (up to kLeastGap)
};

const char* toString(Separation s); ///< "caught", "elsewhere", "never"

/// A pair of numbers; rule and NaN setting are those that the window was asked for.
struct TolerancePair {
    double rtol, atol; ///< atol in the unit of the tensor
    friend bool operator==(const TolerancePair&, const TolerancePair&) = default;
};

struct FaultWindow {
    double needs = 0; ///< rtol on the linked path from which on the fault passes; inf: it never does
    Separation separation = Separation::never;
    /// The tolerance that tells it apart by most, with what honest runs and the fault need there as atol.
    std::optional<TolerancePair> witness;
    double honestAtol = 0, faultAtol = 0;
};

/// Along atol = scale · linkedAtol(rtol) every run passes from one rtol on, so that each such line sorts
/// them.
struct SaneLine {
    double scale = 1;
    double low = 0, high = 0; ///< rtol: honest runs pass from `low` on, caught faults fail below `high`
    std::optional<std::size_t>
        bound;              ///< the fault that passes from `high` on; none: zeros, or the range ends
    TolerancePair middle{}; ///< halfway on the log axis, in few digits
    std::size_t caught = 0; ///< faults that fail there

    bool onPath() const { return scale == 1; } ///< the linked path
    TolerancePair pairAt(double rtol) const { return {rtol, scale * linkedAtol(rtol)}; }
};

/// Which tolerances every honest run passes and every fault fails: the pass region of honest runs without the
/// union of the pass regions of faults.
struct SaneWindow {
    enum class State {
        open,
        noHonestRun,   ///< nothing was given to pass
        noFault,       ///< nothing was given to catch
        honestFails,   ///< an honest run passes at no tolerance
        nothingTested, ///< where honest runs pass, a tensor of zeros passes too
        closed,        ///< every fault passes wherever honest runs do
    };
    State state = State::closed;
    double honestNeeds = 0; ///< rtol on the linked path that every honest run passes; inf: none
    std::optional<std::size_t> honestMost; ///< the honest run that needs it
    std::vector<FaultWindow> faults;       ///< parallel to those asked about

    std::optional<SaneLine> best; ///< with State::open: the line that catches most faults, its middle
    /// The linked path, where it is open as well and not the best: it catches fewer faults.
    std::optional<SaneLine> path;

    bool open() const { return state == State::open; }
};

/// A fault is told apart only where it needs this many times what honest runs need: a narrower gap closes
/// with the next seed, and no number of a few digits hits it.
inline constexpr double kLeastGap = 1.01;
/// Below this ratio of its ends (rtol) a line counts as narrow.
inline constexpr double kNarrow = 1.25;

/// Of `t` the rule (one without a frontier is answered as allclose) and the NaN setting count. All judged
/// taps of a comparison count together. rtol runs from 1e-9 to 1, the range of the sliders.
///
/// The recommended pair is the middle of a line: of the linked path unless it is closed, or another line that
/// is not narrow catches more faults; the lines tried are those through each fault's witness. It is written
/// with the fewest digits (two or more) that stay near the middle and inside, and the pair on the line at the
/// same rtol is inside as well. Inside is decided by judge(): every honest run is within, every fault that is
/// told apart outside.
SaneWindow saneWindow(std::span<const Comparison* const> honest, std::span<const Comparison* const> faults,
                      const Tolerance& t);

} // namespace divdet
