#include "plots/view_range.h"
#include <algorithm>

namespace divdet {

ViewRange zoomedAt(ViewRange view, double fixed, double factor, double least, double most) {
    const double wanted = std::clamp(view.size() * factor, least, most);
    const double real = wanted / view.size();
    return {fixed - (fixed - view.low) * real, fixed + (view.high - fixed) * real};
}

ViewRange ordered(double a, double b, double least) {
    ViewRange view{std::min(a, b), std::max(a, b)};
    if (view.size() >= least) return view;
    const double middle = (view.low + view.high) / 2;
    return {middle - least / 2, middle + least / 2};
}

} // namespace divdet
