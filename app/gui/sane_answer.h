#pragma once
#include <array>
#include <memory>

#include "session/sane/sane_tolerance.h"

namespace divdet {

/// The runs behind the window of sane tolerances, and the window under every rule that frontiers answer:
/// another rule or NaN setting is a look-up.
struct SaneAnswer {
    std::shared_ptr<const SaneRuns> runs;
    std::array<SaneTolerance, 4> tolerances; ///< at slot()

    static std::size_t slot(const Tolerance& t) {
        return (frontierRule(t.rule) == Rule::either ? 2u : 0u) + (t.equalNan ? 1u : 0u);
    }
    const SaneTolerance& at(const Tolerance& t) const { return tolerances[slot(t)]; }
    const SaneScope& chosen(const Tolerance& t) const { return at(t).chosen(); }
};

} // namespace divdet
