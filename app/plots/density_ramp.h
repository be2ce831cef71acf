#pragma once
#include "gui/theme_tokens.h"
#include "plots/qcp.h"
#include <cstdint>
#include <span>

namespace divdet {

/// A gradient through tokens, evenly spaced; NaN is see-through.
QCPColorGradient gradientOf(std::span<const Token> ramp);

/// Place of a count on the density ramp, 0 … 1: log(1 + n), and a single element already stands well off the
/// ground.
double densityOf(std::int64_t count, std::int64_t largest);
QColor densityColor(std::int64_t count, std::int64_t largest);

/// Colour at `t` of a ramp.
QColor rampColor(std::span<const Token> ramp, double t);

} // namespace divdet
