#include "session/advise/advise_snippets.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/rounded_up.h"

namespace divdet {
namespace {

/// Polygraphy passes an element within atol or within rtol, not within their sum. Twice the larger of the two
/// is never below the sum, so that honest runs pass as often.
constexpr double kEither = 2;

} // namespace

std::string snippet(const Advice& a, const std::string& tool) {
    const Tolerance& t = a.recommended;
    const std::string numbers = fmt::format("rtol={}, atol={}", toleranceText(t.rtol), toleranceText(t.atol));
    const std::string comment = fmt::format("# reference: {}; an honest run fails with probability {}\n",
                                            a.reference, shortNumber(a.falseAlarm));
    // In double on both sides: a tool that computes in bf16 rounds the bound by more than it is worth.
    if (tool == "torch")
        return comment +
               fmt::format("torch.testing.assert_close(candidate.double(), reference.double(), {})\n",
                           numbers);
    if (tool == "numpy")
        return comment + fmt::format("numpy.testing.assert_allclose(candidate.astype(numpy.float64), "
                                     "reference.astype(numpy.float64), {})\n",
                                     numbers);
    if (tool == "polygraphy")
        return comment + fmt::format("CompareFunc.simple(check_error_stat=\"elemwise\", rtol={}, atol={})\n",
                                     toleranceText(roundedUp(kEither * t.rtol, 4)),
                                     toleranceText(roundedUp(kEither * t.atol, 4)));
    return "";
}

} // namespace divdet
