#include "compare/filter_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Bounds that involve a product or a quotient of double give way by this much, those held in float by more:
/// a difference and a product of floats round once each.
constexpr double kDoubleSlack = 0x1p-40, kFloatSlack = 0x1p-21;

template <class T>
constexpr int kBias = sizeof(T) == 4 ? 127 : 1023;
template <class T>
constexpr int kFields = sizeof(T) == 4 ? 256 : 2048;

/// Nearest T toward zero; at most the largest finite one.
template <class T>
T roundedDown(double x) {
    if constexpr (sizeof(T) == 8) {
        return std::min(x, std::numeric_limits<T>::max());
    } else {
        const T y = static_cast<T>(std::min(x * (1 - kFloatSlack), double{std::numeric_limits<T>::max()}));
        return y > x ? std::nextafter(y, T{0}) : y;
    }
}

/// Octave of double that starts where exponent field `field` of T does.
template <class T>
std::size_t octaveOf(int field) {
    return field == 0 ? 0 : static_cast<std::size_t>(field - kBias<T> + 1023);
}

/// The window ends one octave above the magnitude from which the frontier is flat.
template <class T>
int firstField(const Known& known) {
    constexpr int kOctaves = kernels::FilterTable<T>::kOctaves;
    int top = kBias<T> + 8;
    if (known.floors) {
        const auto& flat = known.floors->flat;
        const auto rises = std::lower_bound(flat.begin(), flat.end(), flat.back()) - flat.begin();
        if (rises > 0) top = static_cast<int>(rises) - 1023 + kBias<T> + 1;
    }
    return std::clamp(top - (kOctaves - 1), 0, kFields<T> - 1 - kOctaves);
}

} // namespace

template <class T>
kernels::FilterTable<T> filterTable(const ScanContext& ctx, const Known& known) {
    constexpr int kOctaves = kernels::FilterTable<T>::kOctaves;
    kernels::FilterTable<T> table;
    table.first = firstField<T>(known);
    const Tolerance& t = ctx.tolerance;
    for (int j = 0; j < kOctaves; ++j) {
        const std::size_t octave = octaveOf<T>(table.first + j);
        const double low = j == 0 ? 0 : FrontierBuilder::octaveLow(octave);
        const double high =
            j == kOctaves - 1 ? kInf : FrontierBuilder::octaveLow(octaveOf<T>(table.first + j + 1));
        double flat = kInf, slope = kInf;
        if (known.floors) {
            flat = known.floors->flat[j == 0 ? 0 : octave];
            // Of all octaves below `high` the last one has the floor that holds for them too.
            slope = std::isinf(high) ? 0 : known.floors->slope[octaveOf<T>(table.first + j + 1) - 1];
        }
        // Both bounds of the tolerance rise with m, and bound(m)/m falls.
        flat = std::min(flat, bound(t, low));
        const double steepness = std::isinf(high) ? t.rtol : bound(t, high) / high;
        slope = std::min(slope, steepness * (1 - kDoubleSlack));
        if (high > ctx.significantFrom) {
            const double most = known.significantMaxRel.value_or(-1);
            const double from = std::max(low, ctx.significantFrom);
            flat = most < 0 ? -1 : std::min(flat, most == 0 ? 0 : most * from * (1 - kDoubleSlack));
            slope = most < 0 ? 0 : std::min(slope, most * (1 - kDoubleSlack));
        }
        // A product with any magnitude of the octave stays finite, so that an infinite e is let through.
        slope = std::isinf(high) ? 0 : std::min(slope, double{std::numeric_limits<T>::max()} / 2 / high);
        table.flat[j] = flat < 0 ? T{-1} : roundedDown<T>(flat);
        table.slope[j] = roundedDown<T>(slope);
    }
    return table;
}

template kernels::FilterTable<float> filterTable<float>(const ScanContext&, const Known&);
template kernels::FilterTable<double> filterTable<double>(const ScanContext&, const Known&);

} // namespace divdet
