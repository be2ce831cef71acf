#pragma once
#include <algorithm>
#include <optional>

#include "compare/tolerance.h"

namespace divdet {

/// What |c − r| of one element may be at most under the rule, where |r| = `magnitude`; in the unit of the
/// tensor. Null for rules over the whole tensor, where no element has a bound. The rules that answer as a
/// tool does round this to the tool's type; here it is in double.
inline std::optional<double> elementBound(const Tolerance& t, double magnitude) {
    if (info(t.rule).wholeTensor) return std::nullopt;
    if (t.rule == Rule::polygraphyElemwise) return std::max(t.atol, t.rtol * magnitude);
    return bound(t, magnitude);
}

} // namespace divdet
