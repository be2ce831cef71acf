#pragma once
#include <cstdint>
#include <string>

namespace divdet {

/// Numbers as every text of the programs shows them; what is shown can be typed back.

/// Three significant digits; an exponent below 0.01 and from 10,000 on, without plus or leading zero:
/// 9.59e-4, 0.0297, 34.6, 2509, nan, inf.
std::string shortNumber(double x);

/// As short as it can be without losing anything: 1e-5, 1.3e-6, 0.25, 0.
std::string toleranceText(double x);

std::string countText(std::int64_t n); ///< 32,768

} // namespace divdet
