#pragma once

namespace divdet {

/// The smallest decimal number of that many significant digits that is not below x. x >= 0, finite.
double roundedUp(double x, int digits);

} // namespace divdet
