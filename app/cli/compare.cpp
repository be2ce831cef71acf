#include <iostream>

#include <fmt/format.h>

#include "base/split.h"
#include "cli/candidate_matrix.h"
#include "cli/cli.h"
#include "cli/comparison_text.h"
#include "cli/dump_options.h"
#include "cli/metric_options.h"
#include "cli/report_option.h"
#include "cli/saved_result.h"
#include "report/json_comparison.h"
#include "report/json_metric.h"
#include "session/compare_dumps.h"
#include "session/make_report.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    ToleranceOptions tolerance;
    DumpOptions dumps;
    MetricOptions metric;
    std::vector<std::string> candidates, reports;
    std::string judge, save, failOn = "verdict";
    int top = 0;
};

Json document(const Options& o, const CompareResult& r, const Judgement& j, const MetricAnswer& metric) {
    Json out = toJson(*r.comparison, j, {"compare", "", workerThreads(o.common), r.seconds});
    out["reference_format"] = r.referenceFormat;
    out["candidate_format"] = r.candidateFormat;
    out["metric"] = toJson(metric, j);
    return out;
}

/// The verdict whose exit code answers `--fail-on bug`: the class decides, unless there is none to be had.
Verdict verdictOfClass(const Comparison& c, const Judgement& j) {
    const auto all = overallClass(c);
    if (all == PairClass::bug) return Verdict::outside;
    if (j.verdict == Verdict::unreadable || j.verdict == Verdict::incomplete ||
        j.verdict == Verdict::incomparable)
        return j.verdict;
    return all == PairClass::identical || all == PairClass::drift ? Verdict::within : Verdict::inconclusive;
}

Result<std::shared_ptr<const CompareResult>> reopenedResult(const Options& o,
                                                            const ToleranceOverrides& overrides) {
    auto saved = reopen(o.dumps, overrides, o.judge);
    if (!saved) return saved.error();
    CompareResult& result = saved->result;
    MetricRequest asked;
    if (auto s = o.metric.apply(asked); !s) return s.error();
    if (!asked.logits.empty() || !asked.targets.empty())
        return Error{ErrorCode::usage, "a result file keeps a task metric, not the logits", o.dumps.reference,
                     "compare the dumps again to name others"};
    if (asked.limits.any()) result.request.metric.limits = asked.limits;
    const bool lacks = !result.metric || (asked.limits.needTargets() && !result.metric->scored);
    if (asked.limits.any() && lacks)
        return Error{ErrorCode::usage, "the result file keeps no task metric for this limit",
                     o.dumps.reference,
                     "compare the dumps again, and name the taps with --logits and --targets"};
    return std::make_shared<const CompareResult>(std::move(result));
}

int run(const Options& o) {
    const auto session = makeSession();
    const Paint paint(o.common.noColour);
    CompareRequest request;
    if (auto s = o.dumps.apply(request); !s) return fail(s.error());
    request.judge = parseJudgeSelection(o.judge);
    if (auto s = o.metric.apply(request.metric); !s) return fail(s.error());
    if (o.failOn == "bug") request.knowledge.failOn = FailOn::bug;
    auto overrides = o.tolerance.parse();
    if (!overrides) return fail(overrides.error());
    request.overrides = *overrides;
    if (auto s = checkReports(o.reports); !s) return fail(s.error());
    if (!o.save.empty() && o.candidates.size() > 1)
        return fail(
            {ErrorCode::usage, "a result file holds one candidate", "--save", "compare them one by one"});
    Verdict worst = Verdict::within, worstOfClasses = Verdict::within;
    bool missed = false;
    Json all = Json::array();
    Report report;
    std::vector<CandidateColumn> columns;
    const bool reopened = o.candidates.empty();
    for (const auto& candidate : reopened ? std::vector<std::string>{o.dumps.reference} : o.candidates) {
        request.candidate = candidate;
        auto result =
            reopened ? reopenedResult(o, *overrides) : compareDumps(*session, request, terminalProgress());
        endProgress();
        if (!result) return fail(result.error());
        if (!o.save.empty())
            if (auto s = writeResult(o.save, **result, commandLine((*result)->request, (*result)->tolerance));
                !s)
                return fail(s.error());
        const Judgement j = judge(*(*result)->comparison, (*result)->tolerance);
        MetricAnswer metric = metricAnswer(**result);
        if (auto s =
                o.metric.runCommand(metric, {{"DIVDET_REFERENCE", (*result)->request.reference.string()},
                                             {"DIVDET_CANDIDATE", (*result)->request.candidate.string()}});
            !s)
            return fail(s.error());
        worst = worse(worst, j.verdict);
        missed = missed || metric.missed();
        worstOfClasses = worse(worstOfClasses, verdictOfClass(*(*result)->comparison, j));
        columns.push_back({candidate, (*result)->comparison, j});
        if (!o.reports.empty()) {
            report.subjects.push_back(reportSubject(**result, j));
            report.subjects.back().metric = metric;
        }
        if (!o.common.json.empty() || !o.reports.empty()) all.push_back(document(o, **result, j, metric));
        if (o.common.jsonOnStdout()) continue;
        if (o.candidates.size() > 1) std::cout << paint.strong(shown(candidate)) << '\n';
        std::cout << comparisonText(*(*result)->comparison, j, paint, o.top) << metricText(metric, j, paint);
        if (o.candidates.size() > 1) std::cout << '\n';
    }
    if (columns.size() > 1 && !o.common.jsonOnStdout()) std::cout << candidateMatrix(columns, paint);
    Json out = all.size() == 1 ? all[0]
                               : Json{{"tool", "divdet"},
                                      {"schema", 1},
                                      {"command", "compare"},
                                      {"verdict", toString(worst)},
                                      {"candidates", all}};
    if (!writeJson(o.common, out)) return 2;
    report.json = text(out) + '\n';
    if (!writeReports(o.reports, report)) return 2;
    const Verdict decides = request.knowledge.failOn == FailOn::bug ? worstOfClasses : worst;
    return exitCode(missed ? worse(decides, Verdict::outside) : decides);
}

} // namespace

void addCompare(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("compare", "Compare two files or folders of tensors");
    verb->footer(
        "Exit code: 0 within, 1 outside or a metric limit missed, 2 usage error or unreadable, 3 no answer\n"
        "(inconclusive, incomplete, incomparable).\n"
        "Example: divdet compare eager.safetensors compiled.npz --rtol 1e-3 --atol 1e-5\n"
        "With a result file alone (--save wrote it) its comparison is judged again; counts that would "
        "need\nthe dumps are bounds then.");
    verb->add_option("reference", o->dumps.reference,
                     "The file that is right, or a folder (divdet inspect tells what is in it); or a result "
                     "file alone")
        ->required();
    verb->add_option("candidate", o->candidates, "The files to judge; none with a result file");
    addTolerance(*verb, o->tolerance);
    verb->add_option("--judge", o->judge, "Taps that decide: all (default), or names with commas")
        ->type_name("all|TAP,…");
    addPairing(*verb, o->dumps);
    addRuleOptions(*verb, o->tolerance);
    addSideFiles(*verb, o->dumps);
    addMetric(*verb, o->metric);
    addKnowledge(*verb, o->dumps);
    verb->add_option("--fail-on", o->failOn,
                     "What the exit code follows: the verdict (default), or the class (bug 1, unclear 3)")
        ->check(CLI::IsMember({"verdict", "bug"}))
        ->type_name("verdict|bug");
    addReport(*verb, o->reports);
    verb->add_option("--save", o->save,
                     "Keep the comparison in FILE.divdet, to be judged again without the dumps")
        ->type_name("FILE");
    verb->add_option("--top", o->top, "Show only the N taps that need most")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
