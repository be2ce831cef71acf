#include <algorithm>
#include <cmath>

#include "hunt/reductions/numbers.h"

namespace divdet::hunt::reductions {
namespace {

constexpr float kLargestWhole = 4;

float largest(std::span<const float> numbers) {
    float out = 0;
    for (const float x : numbers) out = std::max(out, std::fabs(x));
    return out;
}

/// A way to write numbers more plainly. Zeros stay zeros, so that no reduction undoes another.
struct Form {
    float (*of)(float x, float largest);
    bool (*is)(float x); ///< whether a number has this form already
};

// From the plainest on; a form is tried only while the numbers have none that is as plain.
constexpr Form kForms[] = {
    {[](float, float) { return 0.0f; }, [](float x) { return x == 0; }},
    {[](float x, float) { return x == 0 ? 0.0f : 1.0f; }, [](float x) { return x == 0 || x == 1; }},
    {[](float x, float most) { return std::round(x / most * kLargestWhole); },
     [](float x) { return std::fabs(x) <= kLargestWhole && x == std::round(x); }},
    {[](float x, float) { return std::round(x); }, [](float x) { return x == std::round(x); }},
    {[](float x, float) {
         return x == 0 ? 0.0f : std::copysign(std::exp2(std::round(std::log2(std::fabs(x)))), x);
     },
     isPowerOfTwo},
};

Status makePlain(Reducer& reducer, block::ValueIndex value) {
    const std::vector<float> numbers = numbersOf(reducer.now().graph.values[value]);
    const float most = largest(numbers);
    if (!(most > 0) || !std::isfinite(most)) return Done{};
    for (const Form& form : kForms) {
        if (std::all_of(numbers.begin(), numbers.end(), form.is)) return Done{};
        std::vector<float> plain(numbers.size());
        std::transform(numbers.begin(), numbers.end(), plain.begin(),
                       [&](float x) { return form.of(x, most) + 0.0f; }); // -0 is no plainer than 0
        const auto taken = offerNumbers(reducer, value, plain);
        if (!taken) return taken.error();
        if (*taken) return Done{};
    }
    return Done{};
}

} // namespace

Status plainNumbers(Reducer& reducer) {
    for (const block::ValueIndex value : leavesOf(reducer.now().graph))
        if (auto s = makePlain(reducer, value); !s) return s;
    return Done{};
}

} // namespace divdet::hunt::reductions
