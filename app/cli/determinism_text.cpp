#include "cli/determinism_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_text.h"
#include "session/determinism/lab_json.h"
#include "session/determinism/run_spread_json.h"

namespace divdet::cli {
namespace {

std::string tapTable(const std::vector<TapOfRuns>& taps) {
    Table table({{"tap"},
                 {"dtype"},
                 {"shape"},
                 {"bits"},
                 {"results", true},
                 {"elements", true},
                 {"share", true},
                 {"max abs", true},
                 {"max ulp", true}});
    for (const auto& t : taps) {
        std::vector<std::string> cells{t.name, std::string(name(t.dtype)), toString(t.shape)};
        if (!t.spread) {
            cells.push_back(t.error ? "not compared: " + t.error->text() : "not in every run");
        } else if (t.spread->bitEqual()) {
            cells.push_back("same");
        } else {
            const TapSpread& s = *t.spread;
            cells.push_back("vary");
            cells.push_back(countText(s.variants));
            cells.push_back(fmt::format("{} of {}", s.varying, s.elements));
            cells.push_back(fmt::format("{:.1f} %", 100.0 * static_cast<double>(s.varying) /
                                                        static_cast<double>(s.elements)));
            cells.push_back(shortNumber(s.maxAbs.value));
            cells.push_back(s.maxUlp ? shortNumber(*s.maxUlp) : "-");
        }
        cells.resize(9);
        table.row(std::move(cells));
    }
    return table.text();
}

std::string_view meaning(Variation source) {
    switch (source) {
    case Variation::atomics:
        return "atomic additions of racing threads, from run to run";
    case Variation::autotune:
        return "order that measured fastest, tuned anew each run";
    case Variation::tf32:
        return "TF32 products, from setting to setting";
    case Variation::accumulate:
        return "partial sums in reduced precision, from setting to setting";
    case Variation::batch:
        break;
    }
    return "a row alone against the same row in a batch";
}

std::string threadsText(const run::RaceSeen& s) {
    if (s.races == 0) return "";
    if (s.threads == 0) return "  by the device's own atomic additions; how many met is not known\n";
    return fmt::format("  {} threads at once in {} of {} sums; {} of {} additions met another thread's\n",
                       s.threads, s.overlapping, s.races, s.retries, s.additions);
}

std::string runsText(const RepeatedRuns& r, const Paint& paint) {
    if (r.sameBits())
        return fmt::format("  no difference was seen in {} runs: {} the same bits\n", r.runs,
                           r.equal == 1 ? "1 tap has" : fmt::format("{} taps have", r.equal));
    return fmt::format("  {} of {} taps vary in {} runs; the first to differ was run {}; first tap: {}\n",
                       r.varying, r.taps.size(), r.runs, r.firstRun.value_or(0),
                       paint.strong(shown(r.taps[*r.firstVarying].name))) +
           tapTable(r.taps);
}

std::string rowText(std::string_view how, const RowAgainstBatch& r) {
    if (r.sameBits()) return fmt::format("  {}: same bits\n", how);
    return fmt::format("  {}: {} of {} taps differ, first {}\n", how, r.varying, r.taps.size(),
                       shown(r.taps[*r.firstVarying].name)) +
           tapTable(r.taps);
}

std::string batchText(const BatchInvariance& b) {
    std::string splits;
    for (const auto& s : b.splits)
        splits += fmt::format("{}{} {} alone, {} in the batch", splits.empty() ? "" : "; ", shown(s.op),
                              s.alone, s.inBatch);
    return rowText(
               fmt::format("row {} of {}, chunks of k by the size of the batch ({})", b.row, b.batch, splits),
               b.byBatch) +
           rowText(fmt::format("{} chunks of k for every batch", b.fixedSplits), b.fixed);
}

std::string sourceText(const SourceResult& s, const Paint& paint) {
    std::string out = fmt::format("\n{}: {}\n", paint.strong(name(s.source)), meaning(s.source));
    if (!s.measured()) return out + fmt::format("  not measured: {}\n", shown(s.notMeasured));
    if (s.batch) return out + batchText(*s.batch);
    out += threadsText(s.runs.seen);
    if (!s.chosen.empty()) {
        std::string chosen;
        for (const auto& [label, times] : s.chosen)
            chosen += fmt::format("{}{} {} times", chosen.empty() ? "" : ", ", label, times);
        out += fmt::format("  fastest: {}\n", chosen);
    }
    if (s.settings.empty()) return out + runsText(s.runs, paint);
    std::string labels;
    bool steady = true;
    for (const Setting& setting : s.settings) {
        labels += (labels.empty() ? "" : "; ") + setting.label;
        steady = steady && setting.steady;
    }
    out += fmt::format("  settings: {}\n", labels);
    out += steady ? fmt::format("  each has the same bits in {} runs of its own\n", s.repetitions)
                  : std::string("  a setting varies by itself\n");
    if (s.runs.sameBits()) return out + "  all settings give the same bits\n";
    return out + fmt::format("  {} of {} taps differ between them\n", s.runs.varying, s.runs.taps.size()) +
           tapTable(s.runs.taps);
}

std::string switchText(const SwitchResult& s, const Paint& paint) {
    std::string out = fmt::format("\n{}: ordered sums, sorted scatter-add, no TF32, fixed split\n",
                                  paint.strong("switch on"));
    if (s.refused) return out + fmt::format("  refused: {}\n", shown(s.refused->text()));
    for (const auto& c : s.changes) out += fmt::format("  {}\n", shown(c));
    return s.runs ? out + runsText(*s.runs, paint) : out;
}

std::string milliseconds(const Quartiles& q) {
    return fmt::format("{:.3g} ms (quartiles {:.3g} to {:.3g})", 1e3 * q.median, 1e3 * q.low, 1e3 * q.high);
}

std::string costText(const LabResult& r, const Paint& paint) {
    std::string out = fmt::format("\n{} on {}\n", paint.strong("cost of the switch"), r.deviceTitle);
    if (!r.cost) {
        out += fmt::format("  not measured: {}\n", shown(r.costNotMeasured));
    } else {
        const SwitchCost& c = *r.cost;
        out += fmt::format("  off {}\n  on  {}\n", milliseconds(c.off), milliseconds(c.on));
        out += fmt::format("  on/off {:.2f} (quartiles {:.2f} to {:.2f}) in {} pairs run by turns: {}\n",
                           c.ratio.median, c.ratio.low, c.ratio.high, c.pairs,
                           c.verdict == CostVerdict::within
                               ? "no cost can be told from noise"
                               : fmt::format("{} with the switch on", name(c.verdict)));
        out +=
            "  on a CPU an atomic addition of floats is a loop of compare and swap, on a GPU an instruction: "
            "the\n  price there is another\n";
    }
    return out +
           fmt::format("  quoted, not measured here: {:.0f} to {:.0f} % slower is what is said of GPUs\n",
                       100 * kQuotedCostLow, 100 * kQuotedCostHigh);
}

} // namespace

std::string spreadText(const RunSpread& s, const Paint& paint) {
    std::string out = fmt::format("{}: {} of {} taps have the same bits in {} runs\n",
                                  paint.strong(verdictOf(s)), s.equal, s.taps.size(), s.runs.size());
    if (s.firstVarying)
        out += fmt::format("first to vary: {}; what follows may vary because of it\n",
                           paint.strong(shown(s.taps[*s.firstVarying].name)));
    out += tapTable(s.taps);
    for (std::size_t i = 0; i < s.missing.size(); ++i)
        for (const auto& m : s.missing[i])
            out += fmt::format("{} {} {}\n", shown(s.runs[i].string()), m[0] == '-' ? "lacks" : "has besides",
                               shown(m.substr(1)));
    return out;
}

std::string labText(const LabResult& r, const Paint& paint) {
    const BlockRequest& b = r.request.block;
    std::string out = b.block;
    for (const auto& [dim, value] : b.dims) out += fmt::format("  {} {}", dim, value);
    out += fmt::format("  seed {}  {}\npasses:", b.seed, b.device);
    for (const auto& p : b.passes) out += " " + toString(p);
    if (b.passes.empty()) out += " none";
    out += r.raced.empty() ? "\n" : fmt::format("\nleft to atomic additions: {}\n", fmt::join(r.raced, ", "));
    out += paint.strong(verdictOf(r)) + "\n";
    for (const auto& s : r.sources) out += sourceText(s, paint);
    if (r.fixed) out += switchText(*r.fixed, paint);
    if (r.cost || !r.costNotMeasured.empty()) out += costText(r, paint);
    for (const auto& n : r.notes) out += fmt::format("note: {}\n", shown(n));
    return out;
}

} // namespace divdet::cli
