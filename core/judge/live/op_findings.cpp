#include "judge/live/op_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/live/arithmetic_text.h"
#include "lower/pass_info.h"

namespace divdet {

using local::OpResidual;

namespace {

/// The ops that were judged as one with this one.
std::string together(const OpResidual& r) {
    if (r.together.empty()) return "";
    return fmt::format(" (judged as one with {}, which {} not recorded)", fmt::join(r.together, ", "),
                       r.together.size() == 1 ? "was" : "were");
}

} // namespace

Finding beyondBound(const OpResidual& r, const lower::LoweredOp& op, const Shape& shape) {
    const auto worst = unravel(r.worst, shape);
    Finding f{"beyond-bound", FindingClass::bug, "", {}};
    f.text = fmt::format("{} of {} elements cannot come from the declared arithmetic ({}) on the inputs that "
                         "this op read{}: at {} it "
                         "has {:.6g}, and only {:.6g} ± {:.2g} is possible",
                         r.score.beyond, r.score.elements, arithmeticText(op), together(r), toString(worst),
                         r.storedAtWorst, r.exactAtWorst, r.boundAtWorst);
    f.evidence = {{"beyond", r.score.beyond},
                  {"share", static_cast<double>(r.score.beyond) / static_cast<double>(r.score.elements)},
                  {"largest_score", r.score.largest},
                  {"first", unravel(r.firstBeyond, shape)},
                  {"worst", worst},
                  {"exact", r.exactAtWorst},
                  {"bound", r.boundAtWorst},
                  {"declared", arithmeticText(op)}};
    return f;
}

/// Within what every order of the sum may give, and beyond what random roundings do.
Finding beyondLikely(const OpResidual& r, const lower::LoweredOp& op, const Shape& shape, bool repeats) {
    const auto worst = unravel(r.worst, shape);
    Finding f{"beyond-likely-bound", repeats ? FindingClass::unclear : FindingClass::bug, "", {}};
    f.text =
        fmt::format("{} of {} elements are further from the exact result than roundings at random of the "
                    "declared arithmetic ({}) come in sums this long{}: at {} it has {:.6g}, and "
                    "{:.6g} ± {:.2g} is likely. The bound is a probabilistic one, no proof",
                    r.score.beyond, r.score.elements, arithmeticText(op), together(r), toString(worst),
                    r.storedAtWorst, r.exactAtWorst, r.boundAtWorst);
    if (repeats) f.text += "; errors of one sign, or of terms that are alike, may be roundings that repeat";
    f.evidence = {{"beyond", r.score.beyond},
                  {"share", static_cast<double>(r.score.beyond) / static_cast<double>(r.score.elements)},
                  {"largest_score", r.score.largest},
                  {"worst", worst},
                  {"exact", r.exactAtWorst},
                  {"bound", r.boundAtWorst},
                  {"bound_kind", std::string("probabilistic")},
                  {"declared", arithmeticText(op)}};
    return f;
}

Finding noCorrectBits(const OpResidual& r, const lower::LoweredOp& op) {
    return {
        "cancellation",
        FindingClass::bug,
        fmt::format("{} of {} elements are off by more than 1 % of the tap, and the declared arithmetic ({}) "
                    "allows it: the numbers that it subtracts agree in nearly all their bits",
                    r.unpromised, r.score.elements, arithmeticText(op)),
        {{"elements", r.unpromised}, {"declared", arithmeticText(op)}}};
}

Finding suspectRounding(const OpResidual& r) {
    return {"suspect-rounding",
            FindingClass::note,
            fmt::format(
                "no element is beyond its bound, but they come nearer to it ({:.2f} of it in the mean) than "
                "honest rounding does ({:.2f})",
                r.score.rms, local::kSuspectRms),
            {{"rms_score", r.score.rms}}};
}

Finding withinBound(const OpResidual& r, const lower::LoweredOp& op) {
    return {"within-bound",
            FindingClass::drift,
            fmt::format(
                "every element is one that the declared arithmetic ({}) may give on the inputs this op read "
                "(at most {:.2g} of the bound){}",
                arithmeticText(op), r.score.largest, together(r)),
            {{"largest_score", r.score.largest}, {"declared", arithmeticText(op)}}};
}

Finding droppedTerms(const MissingTerms& m) {
    return {"missing-terms",
            FindingClass::bug,
            fmt::format("the outputs are the sums of the first {} of {} products: the last {} were not added",
                        m.kept, m.terms, m.terms - m.kept),
            {{"kept", m.kept}, {"terms", m.terms}}};
}

Finding inTiles(const WrongTiles& w) {
    return {
        "wrong-tiles",
        FindingClass::bug,
        fmt::format(
            "{} of {} tiles of {} × {} elements are wrong as a whole and the others are clean: what a thread "
            "block read or wrote was not ready (a race, a missing barrier)",
            w.wrong, w.of, w.tile, w.tile),
        {{"tile", w.tile}, {"wrong", w.wrong}, {"tiles", w.of}, {"first", w.first}}};
}

Finding sameBitsAs(const lower::PassChoice& choice) {
    const auto info = lower::findPass(choice.id);
    const lower::PassChoice plain{choice.id, choice.variant, {}};
    const bool bug = info->kind == lower::PassKind::bug;
    if (choice.id == "stale-buffer")
        return {"stale-match",
                FindingClass::bug,
                "exactly these values were there when the program ran on its previous inputs: the buffer was "
                "read "
                "before it was written again",
                {{"pass", choice.id}}};
    return {"same-bits-as",
            FindingClass::bug,
            fmt::format("exactly these bits come out of this op with {} ({}){}", lower::toString(plain),
                        info->title, bug ? "" : ", which is not declared"),
            {{"pass", lower::toString(plain)}}};
}

} // namespace divdet
