#include "cli/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/metric/message.h"
#include "report/metric_text.h"

namespace divdet::cli {
namespace {

/// Findings printed under the table; one cause often shows in every later tap.
constexpr std::size_t kMostFindings = 8;

std::string upper(std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

std::string toleranceWords(const Tolerance& t) {
    std::string out = fmt::format("rtol {}, atol {}", toleranceText(t.rtol), toleranceText(t.atol));
    if (t.rule != Rule::allclose) out += fmt::format(" (rule {})", toString(t.rule));
    return out;
}

std::string mismatchText(const TapVerdict& v) {
    if (v.statistic) return shortNumber(v.statistic->abs);
    if (v.refused || info(v.tolerance.rule).wholeTensor) return "-";
    if (v.mismatches.low == v.mismatches.high) return countText(v.mismatches.low);
    return fmt::format("{}..{}", countText(v.mismatches.low), countText(v.mismatches.high));
}

std::string verdictCell(const TapPair& p, const TapVerdict& v) {
    if (p.judged) return upper(toString(v.verdict));
    return v.over ? "over" : "traced";
}

std::string dtypeCell(const TapPair& p) {
    if (p.referenceDType == p.candidateDType) return std::string(name(p.referenceDType));
    return fmt::format("{}/{}", name(p.referenceDType), name(p.candidateDType));
}

std::vector<std::size_t> rowsToShow(const Comparison& c, const Judgement& j, int top) {
    std::vector<std::size_t> rows(c.pairs.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (top <= 0 || rows.size() <= static_cast<std::size_t>(top)) return rows;
    const auto need = [&](std::size_t i) {
        const auto& p = c.pairs[i];
        return p.summary ? p.summary->neededRtolLinked(j.tolerance) : std::numeric_limits<double>::infinity();
    };
    std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) {
        if (c.pairs[a].judged != c.pairs[b].judged) return c.pairs[a].judged;
        return need(a) > need(b);
    });
    rows.resize(static_cast<std::size_t>(top));
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::string table(const Comparison& c, const Judgement& j, const Paint& paint, int top) {
    const bool ops = std::any_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return !p.op.empty(); });
    std::vector<Table::Column> columns{{"tap", false}};
    if (ops) columns.push_back({"op", false});
    for (const char* head : {"dtype", "shape"}) columns.push_back({head, false});
    for (const char* head : {"max abs", "max rel", "max ulp", "over tol.", "needs rtol"})
        columns.push_back({head, true});
    const bool classes =
        std::any_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return p.bound.has_value(); });
    if (classes) columns.push_back({"class", false});
    columns.push_back({"verdict", false});
    Table t(columns);
    const auto rows = rowsToShow(c, j, top);
    for (std::size_t i : rows) {
        const TapPair& p = c.pairs[i];
        const TapVerdict& v = j.taps[i];
        std::vector<std::string> cells{p.name == p.candidateName ? p.name : p.name + " = " + p.candidateName};
        if (ops) cells.push_back(p.op);
        cells.push_back(dtypeCell(p));
        cells.push_back(toString(p.referenceShape));
        if (const Summary* s = p.summary.get()) {
            cells.push_back(s->maxAbs.index < 0 ? "-" : shortNumber(s->maxAbs.value));
            cells.push_back(s->maxRel.index < 0 ? "-" : shortNumber(s->maxRel.value));
            cells.push_back(s->maxUlp
                                ? (*s->maxUlp < 100000 ? countText(static_cast<std::int64_t>(*s->maxUlp))
                                                       : shortNumber(*s->maxUlp))
                                : "-");
            cells.push_back(mismatchText(v));
            cells.push_back(shortNumber(s->neededRtolLinked(j.tolerance)));
        } else {
            cells.insert(cells.end(), 5, "-");
        }
        if (classes) cells.push_back(p.pairClass ? std::string(toString(*p.pairClass)) : "-");
        cells.push_back(verdictCell(p, v));
        t.row(std::move(cells));
    }
    std::string out = t.text([&](std::size_t row, std::size_t column, const std::string& cell) {
        const std::size_t i = rows[row];
        if (column + 1 != columns.size()) return cell;
        return c.pairs[i].judged ? paint.verdict(j.taps[i].verdict, cell) : paint.faint(cell);
    });
    if (rows.size() < c.pairs.size())
        out += fmt::format("… {} more; --top {} shows all\n", c.pairs.size() - rows.size(), c.pairs.size());
    return out;
}

std::string missing(const char* where, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 6); ++i) first.push_back(shown(names[i]));
    return fmt::format("only in the {}: {}{}\n", where, fmt::join(first, ", "),
                       names.size() > first.size() ? fmt::format(" and {} more", names.size() - first.size())
                                                   : "");
}

/// The class of the whole, and where the trouble starts.
std::string classLine(const Comparison& c) {
    const auto all = overallClass(c);
    if (!all || !c.firstBad) return {};
    const TapPair& first = c.pairs[*c.firstBad];
    std::size_t inherit = 0;
    for (const auto& p : c.pairs) inherit += p.pairClass == PairClass::inherited;
    std::string out = fmt::format("class {}: first at {}", toString(*all), shown(first.name));
    if (inherit)
        out += fmt::format("; {} later tap{} only carr{} it on", inherit, inherit == 1 ? "" : "s",
                           inherit == 1 ? "ies" : "y");
    out += '\n';
    for (const auto& f : first.findings)
        if (f.kind == FindingClass::unclear)
            out += fmt::format("{}: {} ({}): {}\n", shown(first.name), toString(f.kind), f.id, shown(f.text));
    return out;
}

/// The named causes that make a pair a bug.
std::string findings(const Comparison& c) {
    std::string out;
    std::size_t hidden = 0, listed = 0;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings) {
            if (f.kind != FindingClass::bug) continue;
            if (listed < kMostFindings)
                out += fmt::format("{}: {} ({}): {}\n", shown(p.name), toString(f.kind), f.id, shown(f.text));
            else
                ++hidden;
            ++listed;
        }
    if (hidden) out += fmt::format("… {} more findings; --json lists all\n", hidden);
    return out;
}

std::string elementText(const TapPair& p, std::int64_t index) {
    return fmt::format("[{}]", fmt::join(unravel(index, p.referenceShape), ", "));
}

/// Why two tools disagree: the rule, its answer, and the element that decides.
std::string disagreements(const Comparison& c, const Judgement& j) {
    std::string out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const TapPair& p = c.pairs[i];
        const Tolerance& t = j.taps[i].tolerance;
        if (!p.peers || p.peers->tolerance != t) continue;
        for (const RuleDisagreement& d : p.peers->disagreeing) {
            out += fmt::format("{}: {} says {} where {} says {}", shown(p.name), toString(d.rule),
                               d.passes ? "within" : "outside", toString(t.rule),
                               d.passes ? "outside" : "within");
            if (d.index >= 0)
                out += fmt::format("; at {} candidate {}, reference {}: error {} against {}",
                                   elementText(p, d.index), d.candidate, d.reference, d.error, d.bound);
            if (d.index >= 0 && !info(t.rule).wholeTensor)
                out += fmt::format(" ({}: {} against {})", toString(t.rule), d.judgedError, d.judgedBound);
            out += '\n';
        }
    }
    return out;
}

/// The number that decided, where no element did.
std::string statistics(const Comparison& c, const Judgement& j) {
    std::string out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        const TapVerdict& v = j.taps[i];
        if (v.statistic) {
            out += fmt::format("{}: {} error {}", shown(c.pairs[i].name), v.statistic->name,
                               shortNumber(v.statistic->abs));
            if (v.statistic->rel) out += fmt::format(", relative {}", shortNumber(*v.statistic->rel));
            if (v.statistic->reference)
                out += fmt::format(", of the reference {}", shortNumber(*v.statistic->reference));
            if (v.statistic->limit) out += fmt::format(", allowed {}", shortNumber(*v.statistic->limit));
            out += '\n';
        }
        if (c.pairs[i].ruled && c.pairs[i].ruled->tolerance == v.tolerance && !c.pairs[i].ruled->note.empty())
            out += fmt::format("{}: {}\n", shown(c.pairs[i].name), c.pairs[i].ruled->note);
    }
    return out;
}

/// The tolerance that decided: the common one, unless every judged tap has its own.
std::string judgedAt(const Comparison& c, const Judgement& j) {
    std::size_t judged = 0, own = 0, last = 0;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        if (!c.pairs[i].judged) continue;
        ++judged;
        if (c.pairs[i].own) ++own, last = i;
    }
    if (own == 0 || own < judged) return toleranceWords(j.tolerance);
    return own == 1 ? toleranceWords(j.taps[last].tolerance) : "the tolerance of each tap";
}

/// More than a handful of own tolerances belong in the JSON.
std::string ownTolerances(const Comparison& c, const Judgement& j) {
    std::string out;
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        if (c.pairs[i].own && j.taps[i].tolerance != j.tolerance)
            out += fmt::format("{}: judged at {}\n", shown(c.pairs[i].name),
                               toleranceWords(j.taps[i].tolerance));
    return out;
}

std::string use(const Comparison& c, const Judgement& j) {
    const double need = neededRtolLinked(c, j.tolerance);
    if (std::isinf(need)) return "no tolerance passes: some element is nan or inf on one side only\n";
    if (need == 0) return "needs no tolerance: the judged taps are equal\n";
    if (!hasFrontier(j.tolerance.rule))
        return fmt::format("the rule {} has no frontier: needs rtol is that of allclose\n",
                           toString(j.tolerance.rule));
    // The linked path goes through the presets; at any tolerance on it the share used is a plain ratio.
    std::string out =
        fmt::format("needs rtol {} with atol {} on the linked path (through the presets bf16 and fp32)",
                    shortNumber(need), shortNumber(linkedAtol(need)));
    out += fmt::format("; at atol {} it needs rtol {}\n", toleranceText(j.tolerance.atol),
                       shortNumber(neededRtol(c, j.tolerance)));
    return out;
}

} // namespace

std::string verdictLine(const Comparison& c, const Judgement& j, const Paint& paint) {
    std::int64_t judged = 0, elements = 0;
    CountBounds over;
    std::string single;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
        if (!c.pairs[i].judged) continue;
        ++judged;
        single = shown(c.pairs[i].name);
        if (c.pairs[i].summary) elements += c.pairs[i].summary->elements;
        over.low += j.taps[i].mismatches.low;
        over.high += j.taps[i].mismatches.high;
    }
    const std::string word = paint.verdict(j.verdict, upper(toString(j.verdict)));
    const std::string what = judged == 1 ? single : fmt::format("{} judged taps", judged);
    const std::string at = judgedAt(c, j);
    switch (j.verdict) {
    case Verdict::within:
        if (info(j.tolerance.rule).wholeTensor) return fmt::format("{}  {}: passes at {}\n", word, what, at);
        if (over.high > 0)
            return fmt::format("{}  {}: {} of {} elements fail, no more than the fraction {} allows, at {}\n",
                               word, what, countText(over.high), countText(elements),
                               j.tolerance.options.maxMismatchFraction, at);
        return fmt::format("{}  {}: all {} elements pass at {}\n", word, what, countText(elements), at);
    case Verdict::outside:
        if (info(j.tolerance.rule).wholeTensor) return fmt::format("{}  {}: fails at {}\n", word, what, at);
        return fmt::format("{}  {}: {}{} of {} elements fail at {}\n", word, what,
                           over.low == over.high ? "" : fmt::format("between {} and ", countText(over.low)),
                           countText(over.high), countText(elements), at);
    case Verdict::inconclusive:
        return fmt::format("{}  {}: at {} nothing is really tested (see cautions)\n", word,
                           judged ? what : "no tap is judged", at);
    case Verdict::incomparable:
        return fmt::format("{}  {} of {} judged taps cannot be compared\n", word, j.incomparable, judged);
    case Verdict::incomplete:
        return fmt::format("{}  some taps are on one side only; --ignore-missing compares the rest\n", word);
    case Verdict::unreadable:
        return fmt::format("{}  {} of {} judged taps cannot be read\n", word, j.unreadable, judged);
    }
    return word + '\n';
}

std::string comparisonText(const Comparison& c, const Judgement& j, const Paint& paint, int top) {
    std::string out = table(c, j, paint, top) + '\n' + verdictLine(c, j, paint);
    if (std::any_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return p.judged && p.summary; }))
        out += use(c, j);
    out += missing("reference", c.onlyInReference) + missing("candidate", c.onlyInCandidate);
    for (const auto& p : c.pairs)
        if (p.problem) out += fmt::format("{}: {}\n", shown(p.name), shown(p.problem->text()));
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        if (j.taps[i].refused)
            out += fmt::format("{}: {}\n", shown(c.pairs[i].name), shown(j.taps[i].refused->text()));
    out += ownTolerances(c, j) + statistics(c, j) + disagreements(c, j);
    out += classLine(c) + findings(c);
    for (const auto& n : c.notes) out += "note: " + shown(n) + '\n';
    std::vector<std::string> cautions = c.cautions;
    for (const auto& v : j.taps)
        for (const auto& x : v.cautions)
            if (std::find(cautions.begin(), cautions.end(), x) == cautions.end()) cautions.push_back(x);
    for (std::string& x : cautions) x = shown(x);
    if (!cautions.empty()) out += fmt::format("cautions: {}\n", fmt::join(cautions, ", "));
    return out;
}

std::string metricText(const MetricAnswer& answer, const Judgement& j, const Paint& paint) {
    if (answer.empty()) return {};
    std::string out = answer.task ? fmt::format("task metric of {}:\n", shown(answer.task->logits))
                                  : std::string("task metric:\n");
    for (const auto& sentence : report::metricSentences(answer, j)) out += "  " + shown(sentence) + '\n';
    if (answer.task)
        for (const auto& id : metricCautions(*answer.task)) out += fmt::format("  caution: {}\n", id);
    if (answer.missed())
        out += paint.verdict(Verdict::outside, "LIMIT MISSED") +
               "  the exit code is 1, whatever the tolerance says\n";
    return out;
}

} // namespace divdet::cli
