#include "session/make_report.h"

#include <fmt/format.h>

#include "base/number_text.h"
#include "lower/stages.h"
#include "report/json_comparison.h"
#include "report/json_metric.h"
#include "report/version.h"
#include "session/test_tolerance.h"

namespace divdet {
namespace {

std::string numberText(double x) {
    return x == 0 ? "0" : shortNumber(x);
}

void addSnippets(ReportSubject& s) {
    const Tolerance& t = s.judgement.tolerance;
    for (const auto& test : testTolerances(*s.comparison, t.rule, t.equalNan)) {
        const std::string what = test.what == "equal"
                                     ? "In a test (the tensors are equal):"
                                     : fmt::format("In a test that must pass here ({}):", test.what);
        std::vector<std::string> lines;
        for (const auto* line : {&test.numpy, &test.torch, &test.polygraphy})
            if (!line->empty()) lines.push_back(*line);
        s.snippets.push_back({what, std::move(lines)});
    }
}

} // namespace

ReportSubject reportSubject(const CompareResult& r, const Judgement& j) {
    ReportSubject s{r.comparison, j, {}, {}, {}, {}, {}, metricAnswer(r)};
    s.facts = {{"formats", r.referenceFormat + " and " + r.candidateFormat},
               {"seconds", shortNumber(r.seconds)},
               {"divdet", std::string(version())}};
    if (!r.request.reference.empty()) s.command = commandLine(r.request, j.tolerance);
    addSnippets(s);
    return s;
}

namespace {

std::string inputsText(const BlockRequest& request) {
    std::string out = request.inputs.empty() ? "as the graph has them" : request.inputs;
    if (!request.inputFile.empty()) out += ", from " + request.inputFile;
    return out + fmt::format(", seed {}", request.seed);
}

} // namespace

ReportSubject reportSubject(const LiveResult& r, const Judgement& j) {
    ReportSubject s{r.together, j, {}, {}, r.notes, {}, {}, metricAnswer(r)};
    std::string dims, passes;
    for (const auto& [name, value] : r.request.dims)
        dims += fmt::format("{}{} {}", dims.empty() ? "" : ", ", name, value);
    // A report is of one run: what varies is told with its seed.
    for (const auto& p : lower::forRun(r.request.passes, r.request.runNumber))
        passes += (passes.empty() ? "" : ", ") + toString(p);
    s.facts = {{"block", r.request.block},
               {"sizes", dims},
               {"passes", passes.empty() ? "none" : passes},
               {"inputs", inputsText(r.request)},
               {"device", r.request.device},
               {"reference run", r.request.reference == ReferenceKind::fp64 ? "fp64" : "fp32"},
               {"seconds", shortNumber(r.seconds)},
               {"divdet", std::string(version())}};
    s.command = commandLine(r.request, j.tolerance);
    addSnippets(s);
    return s;
}

void addToleranceTables(ReportSubject& s, const ToleranceReport& r) {
    ReportTable rtols{"Needed rtol at an atol",
                      "The smallest rtol that passes over all judged pairs.",
                      {"at atol", "needs rtol"},
                      {}};
    for (const auto& a : r.rtolAtAtol) rtols.rows.push_back({toleranceText(a.atol), numberText(a.rtol)});
    ReportTable atols{"Needed atol at an rtol",
                      "The smallest atol that passes over all judged pairs.",
                      {"at rtol", "needs atol"},
                      {}};
    for (const auto& a : r.atolAtRtol) atols.rows.push_back({toleranceText(a.rtol), numberText(a.atol)});
    ReportTable presets{"Presets", {}, {"preset", "rule", "rtol", "atol", "verdict"}, {}};
    for (const auto& p : r.presets)
        presets.rows.push_back({p.id, std::string(toString(p.rule)), toleranceText(p.tolerance.rtol),
                                toleranceText(p.tolerance.atol), std::string(toString(p.verdict))});
    s.tables = {std::move(rtols),
                std::move(atols),
                std::move(presets),
                {"Sensible tolerances", sensibleText(r), {}, {}}};
}

Report reportOf(ReportSubject subject, const std::string& command, const std::string& device,
                double seconds) {
    Report out;
    Json document = toJson(*subject.comparison, subject.judgement, {command, device, 0, seconds});
    document["metric"] = toJson(subject.metric, subject.judgement);
    out.json = text(document) + '\n';
    out.subjects.push_back(std::move(subject));
    return out;
}

} // namespace divdet
