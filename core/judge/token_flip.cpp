#include "judge/token_flip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "compare/scan.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

struct Flip {
    std::int64_t step = -1;
    double gap = 0, error = 0; ///< between the two largest reference scores there; largest |c − r| there
};

/// Rows are the vectors of scores of one step; with several of them in a step any flip counts.
std::optional<Flip> firstFlip(const PairEvidence& pair, std::size_t axis) {
    const Shape& shape = pair.reference.shape;
    const std::int64_t width = shape.back(), rows = pair.reference.elements() / width;
    std::int64_t below = 1; // rows that follow before the step's index moves on
    for (std::size_t a = axis + 1; a + 1 < shape.size(); ++a) below *= shape[a];
    std::vector<double> r(static_cast<std::size_t>(width)), c(r.size());
    std::optional<Flip> out;
    for (std::int64_t row = 0; row < rows && !pair.progress.cancelled(); ++row) {
        const std::int64_t step = row / below % shape[axis];
        if (out && step >= out->step) continue;
        loadAsDouble(pair.reference, row * width, r);
        loadAsDouble(pair.candidate, row * width, c);
        const auto inR = std::max_element(r.begin(), r.end()) - r.begin();
        const auto inC = std::max_element(c.begin(), c.end()) - c.begin();
        if (inR == inC) continue;
        Flip flip{step, r[static_cast<std::size_t>(inR)] - r[static_cast<std::size_t>(inC)], 0};
        for (std::size_t i = 0; i < r.size(); ++i) flip.error = std::max(flip.error, std::fabs(c[i] - r[i]));
        out = flip;
    }
    return out;
}

TensorView firstSteps(TensorView view, std::size_t axis, std::int64_t count) {
    view.shape[axis] = count;
    return view;
}

} // namespace

std::optional<PairCauses> judgeUpToFlip(const PairEvidence& pair) {
    const auto tokenAxis = pair.context.op.tokenAxis;
    const Shape& shape = pair.reference.shape;
    if (!tokenAxis || !realFloating(pair) || pair.mask) return {};
    if (static_cast<std::size_t>(*tokenAxis) + 1 >= shape.size() || pair.reference.elements() == 0) return {};
    const auto axis = static_cast<std::size_t>(*tokenAxis);
    const auto flip = firstFlip(pair, axis);
    if (!flip || !(flip->gap <= 2 * flip->error)) return {};
    const TensorView r = firstSteps(pair.reference, axis, flip->step + 1),
                     c = firstSteps(pair.candidate, axis, flip->step + 1);
    const auto summary = scan(r, c, {}, pair.progress);
    if (!summary) return {};
    JudgeContext context = pair.context;
    context.op.tokenAxis.reset();
    context.runs.clear(); // they have the whole shape
    context.fp64.reset();
    PairCauses out;
    const PairEvidence upTo{r, c, std::nullopt, *summary, pair.progress, context};
    out.findings = findCauses(upTo);
    out.pairClass = classify(*summary, out.findings);
    // A flip by noise is one only where the steps before it are noise.
    if (out.pairClass > PairClass::drift) return {};
    out.cautions.emplace_back("argmax-tie");
    out.findings.push_back(
        {"different-inputs",
         FindingClass::note,
         fmt::format("At step {} the largest score moves to another place: the two lie {:.3g} apart, the "
                     "errors there go up to {:.3g}. From step {} on the runs read different tokens, so "
                     "only the steps up to {} are judged.",
                     flip->step, flip->gap, flip->error, flip->step + 1, flip->step),
         {{"first_flip", flip->step}, {"gap", flip->gap}, {"error", flip->error}}});
    return out;
}

} // namespace divdet
