#pragma once
#include <optional>
#include <string>

#include "compare/comparison.h"

/// The plots of a report, each one `<svg>` element. They draw what a scan kept; nothing is read again.
namespace divdet::svg {

/// The (rtol, atol) plane on log axes: what passes, what does not, and the tolerance in use.
std::string frontierPlot(const TapPair& pair, const Tolerance& tolerance);

/// How many elements lie where over |reference| and |error|, with the bound of the tolerance: of both rules.
std::string densityPlot(const TapPair& pair, const Tolerance& tolerance);

/// How many elements are how many units in the last place apart. None for pairs without ulps.
std::optional<std::string> ulpPlot(const TapPair& pair);

/// Where in the last two dimensions the error is largest. None for a pair without tiles.
std::optional<std::string> tilePlot(const TapPair& pair);

/// Relative rms error and needed rtol of every pair in depth order. None for fewer than two pairs.
std::optional<std::string> depthPlot(const Comparison& comparison, const Judgement& judgement);

} // namespace divdet::svg
