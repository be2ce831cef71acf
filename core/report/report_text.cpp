#include "report/report_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_text.h"
#include "report/caution_text.h"

namespace divdet::report {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Judged {
    std::size_t pairs = 0;
    std::int64_t elements = 0;
    CountBounds over;
    std::string only; ///< the name, where there is one
};

Judged judged(const Comparison& c, const Judgement& j) {
    Judged out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const TapPair& p = c.pairs[i];
        if (!p.judged) continue;
        ++out.pairs;
        out.only = p.name;
        if (!p.summary) continue;
        out.elements += p.summary->elements;
        out.over.low += j.taps[i].mismatches.low;
        out.over.high += j.taps[i].mismatches.high;
    }
    return out;
}

std::string indexText(std::int64_t flat, const Shape& shape) {
    return flat < 0 ? std::string("-") : toString(unravel(flat, shape));
}

std::string at(double value, std::int64_t index, const Shape& shape) {
    if (index < 0) return "-";
    return fmt::format("{} at {}", shortNumber(value), indexText(index, shape));
}

/// The worst element where it is known: at the tolerance of the scan.
std::string worst(const TapPair& p, const Tolerance& t) {
    const Summary& s = *p.summary;
    if (!(s.at.tolerance == t) || s.at.worst.index < 0) return "-";
    const Element& w = s.at.worst;
    return fmt::format("{}: {} -> {}", indexText(w.index, p.referenceShape), shortNumber(w.reference),
                       shortNumber(w.candidate));
}

std::string needed(double x) {
    return std::isinf(x) ? std::string("none passes") : shortNumber(x);
}

std::string verdictWord(const TapPair& p, const TapVerdict& v) {
    if (p.judged) return std::string(toString(v.verdict));
    return v.over ? "traced (over)" : "traced";
}

} // namespace

std::string countWords(const CountBounds& b) {
    if (b.low == b.high) return countText(b.low);
    return fmt::format("between {} and {}", countText(b.low), countText(b.high));
}

std::string someNames(const std::vector<std::string>& names, std::size_t shown) {
    std::string out;
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > shown) out += fmt::format(" and {} more", names.size() - shown);
    return out;
}

std::string toleranceSentence(const Tolerance& t) {
    const std::string rtol = toleranceText(t.rtol), atol = toleranceText(t.atol);
    std::string out;
    if (t.rule == Rule::allclose)
        out = fmt::format(
            "An element passes when |candidate - reference| <= {} + {} * |reference| (rule allclose, "
            "atol {}, rtol {}).",
            atol, rtol, atol, rtol);
    else if (t.rule == Rule::either)
        out = fmt::format(
            "An element passes when |candidate - reference| is at most {} or at most {} * |reference| "
            "(rule either, atol {}, rtol {}).",
            atol, rtol, atol, rtol);
    else
        out = fmt::format("Rule {}, atol {}, rtol {}.", toString(t.rule), atol, rtol);
    return out + (t.equalNan ? " NaN equals NaN." : "");
}

std::string verdictSentence(const Comparison& c, const Judgement& j) {
    const Judged n = judged(c, j);
    const std::string what = n.pairs == 1 ? "'" + n.only + "'" : fmt::format("{} pairs of tensors", n.pairs);
    switch (j.verdict) {
    case Verdict::within:
        return fmt::format(
            "Within: all {} elements of {} are as close to the reference as the tolerance asks.",
            countText(n.elements), what);
    case Verdict::outside:
        return fmt::format(
            "Outside: {} of {} elements of {} differ from the reference by more than the tolerance "
            "allows.",
            countWords(n.over), countText(n.elements), what);
    case Verdict::inconclusive:
        return n.pairs == 0
                   ? "Inconclusive: no pair was chosen to be judged, so nothing was tested."
                   : "Inconclusive: nothing was really tested, because even a tensor of zeros would pass or "
                     "all elements are NaN (see the cautions).";
    case Verdict::incomparable:
        return fmt::format("Incomparable: {} of {} pairs have shapes or types that cannot be compared.",
                           j.incomparable, n.pairs);
    case Verdict::incomplete:
        return "Incomplete: some tensors are on one side only, so the whole was not compared; those that are "
               "on both "
               "sides agree within the tolerance.";
    case Verdict::unreadable:
        return fmt::format("Unreadable: {} of {} pairs could not be read.", j.unreadable, n.pairs);
    }
    return {};
}

std::string needSentence(const Comparison& c, const Judgement& j) {
    if (std::none_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return p.judged && p.summary; }))
        return {};
    const double linked = neededRtolLinked(c, j.tolerance), rtol = neededRtol(c, j.tolerance),
                 atol = neededAtol(c, j.tolerance);
    if (std::isinf(linked)) return "No tolerance passes: some element is NaN or infinite on one side only.";
    if (linked == 0) return "The judged tensors are equal: no tolerance is needed.";
    return fmt::format("To pass it needs rtol {} at atol {}, or atol {} at rtol {}.", needed(rtol),
                       toleranceText(j.tolerance.atol), needed(atol), toleranceText(j.tolerance.rtol));
}

bool anyClass(const Comparison& c) {
    return std::any_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return p.pairClass.has_value(); });
}

std::vector<std::string> pairHead(bool withClass) {
    std::vector<std::string> head{"pair", "verdict"};
    if (withClass) head.push_back("class");
    for (const char* h : {"type", "shape", "over tolerance", "max abs", "max rel", "worst element",
                          "needs rtol", "needs atol", "cautions"})
        head.push_back(h);
    return head;
}

std::vector<PairRow> pairRows(const Comparison& c, const Judgement& j) {
    const bool classes = anyClass(c);
    std::vector<PairRow> out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const TapPair& p = c.pairs[i];
        const TapVerdict& v = j.taps[i];
        PairRow row{i, {}};
        row.cells.push_back(p.name == p.candidateName ? p.name : p.name + " = " + p.candidateName);
        row.cells.push_back(verdictWord(p, v));
        if (classes) row.cells.push_back(p.pairClass ? std::string(toString(*p.pairClass)) : "-");
        row.cells.push_back(p.referenceDType == p.candidateDType
                                ? std::string(name(p.referenceDType))
                                : fmt::format("{}, {}", name(p.referenceDType), name(p.candidateDType)));
        row.cells.push_back(toString(p.referenceShape));
        if (const Summary* s = p.summary.get()) {
            const bool never = s->neverPass(j.tolerance.equalNan) > 0;
            const Tolerance& t = j.tolerance;
            row.cells.push_back(fmt::format("{} of {}", countWords(v.mismatches), countText(s->elements)));
            row.cells.push_back(at(s->maxAbs.value, s->maxAbs.index, p.referenceShape));
            row.cells.push_back(at(s->maxRel.value, s->maxRel.index, p.referenceShape));
            row.cells.push_back(worst(p, t));
            row.cells.push_back(needed(never ? kInf : s->frontier.neededRtol(t.rule, t.atol)));
            row.cells.push_back(needed(never ? kInf : s->frontier.neededAtol(t.rule, t.rtol)));
        } else {
            row.cells.push_back(p.problem ? p.problem->text() : "not compared");
            row.cells.insert(row.cells.end(), 5, "-");
        }
        row.cells.push_back(someNames(v.cautions, v.cautions.size()));
        out.push_back(std::move(row));
    }
    return out;
}

std::vector<CautionLine> cautionLines(const Comparison& c, const Judgement& j) {
    std::vector<CautionLine> out;
    const auto line = [&](const std::string& id) -> CautionLine& {
        for (auto& l : out)
            if (l.id == id) return l;
        return out.emplace_back(CautionLine{id, std::string(cautionText(id)), {}});
    };
    for (const auto& id : c.cautions) line(id);
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        for (const auto& id : j.taps[i].cautions) line(id).pairs.push_back(c.pairs[i].name);
    return out;
}

std::vector<std::size_t> byNeed(const Comparison& c, const Judgement& j) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        if (c.pairs[i].summary) out.push_back(i);
    const auto need = [&](std::size_t i) { return c.pairs[i].summary->neededRtolLinked(j.tolerance); };
    std::stable_sort(out.begin(), out.end(), [&](auto a, auto b) {
        if (c.pairs[a].judged != c.pairs[b].judged) return c.pairs[a].judged;
        return need(a) > need(b);
    });
    return out;
}

} // namespace divdet::report
