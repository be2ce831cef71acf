#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/dump_options.h"
#include "cli/report_option.h"
#include "cli/saved_result.h"
#include "cli/terminal.h"
#include "session/make_report.h"
#include "session/test_tolerance.h"
#include "session/tolerance_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    DumpOptions dumps;
    std::string candidate, rule, judge;
    std::vector<std::string> reports;
    bool equalNan = false;
};

/// Lines for a test that must pass on these files.
std::string pasteText(const std::vector<TestTolerance>& tests) {
    std::string out = tests.empty() ? "" : "\nto paste into a test (rounded up, so that it passes):\n";
    for (const auto& t : tests) {
        out += "  # " + t.what + '\n';
        for (const auto* line : {&t.numpy, &t.torch, &t.polygraphy})
            if (!line->empty()) out += "  " + *line + '\n';
    }
    return out;
}

std::string reportText(const ToleranceReport& r, const Paint& paint) {
    Table needs(
        {{"at atol", true}, {"needs rtol", true}, {"", false}, {"at rtol", true}, {"needs atol", true}});
    for (std::size_t i = 0; i < std::max(r.rtolAtAtol.size(), r.atolAtRtol.size()); ++i) {
        std::vector<std::string> cells(5);
        if (i < r.rtolAtAtol.size()) {
            cells[0] = toleranceText(r.rtolAtAtol[i].atol);
            cells[1] = shortNumber(r.rtolAtAtol[i].rtol);
        }
        if (i < r.atolAtRtol.size()) {
            cells[3] = toleranceText(r.atolAtRtol[i].rtol);
            cells[4] = shortNumber(r.atolAtRtol[i].atol);
        }
        needs.row(std::move(cells));
    }
    std::string out = needs.text() + '\n';
    Table presets({{"preset"}, {"rule"}, {"rtol", true}, {"atol", true}, {"verdict"}});
    for (const auto& p : r.presets)
        presets.row({p.id, std::string(toString(p.rule)), toleranceText(p.tolerance.rtol),
                     toleranceText(p.tolerance.atol), std::string(toString(p.verdict))});
    out += presets.text([&](std::size_t row, std::size_t column, const std::string& cell) {
        return column == 4 ? paint.verdict(r.presets[row].verdict, cell) : cell;
    });
    out += '\n';
    out += sensibleText(r) + '\n';
    return out;
}

Result<std::shared_ptr<const CompareResult>> compared(const Options& o, const ToleranceOverrides& overrides) {
    if (o.candidate.empty()) {
        auto saved = reopen(o.dumps, overrides, o.judge);
        if (!saved) return saved.error();
        return std::make_shared<const CompareResult>(std::move(saved->result));
    }
    CompareRequest request;
    if (auto s = o.dumps.apply(request); !s) return s.error();
    request.candidate = o.candidate;
    request.judge = parseJudgeSelection(o.judge);
    request.overrides = overrides;
    const auto session = makeSession();
    auto result = compareDumps(*session, request, terminalProgress());
    endProgress();
    return result;
}

Json document(const ToleranceReport& report, const Comparison& c, const std::vector<TestTolerance>& tests) {
    Json out = toJson(report, c);
    out["paste"] = Json::array();
    const auto line = [](const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); };
    for (const auto& t : tests)
        out["paste"].push_back({{"what", t.what},
                                {"rtol", number(t.rtol)},
                                {"atol", number(t.atol)},
                                {"numpy", line(t.numpy)},
                                {"torch", line(t.torch)},
                                {"polygraphy", line(t.polygraphy)}});
    return out;
}

int run(const Options& o) {
    if (auto s = checkReports(o.reports); !s) return fail(s.error());
    ToleranceOverrides overrides;
    overrides.equalNan = o.equalNan;
    if (!o.rule.empty()) {
        overrides.rule = parseRule(o.rule);
        if (!overrides.rule || !hasFrontier(*overrides.rule))
            return fail({ErrorCode::usage,
                         overrides.rule ? fmt::format("the rule {} has no frontier", o.rule)
                                        : fmt::format("'{}' is no rule", o.rule),
                         "--rule", "rules with a frontier are allclose, either"});
    }
    auto result = compared(o, overrides);
    if (!result) return fail(result.error());
    const Comparison& c = *(*result)->comparison;
    // The frontier is that of allclose or either; other rules have none.
    const Tolerance& used = (*result)->tolerance;
    const Rule rule = used.rule == Rule::either ? Rule::either : Rule::allclose;
    const ToleranceReport report = reportTolerances(c, rule, used.equalNan);
    const auto tests = testTolerances(c, rule, used.equalNan);
    const Json json = document(report, c, tests);
    if (!writeJson(o.common, json)) return 2;
    if (!o.reports.empty()) {
        Report written;
        written.json = text(json) + '\n';
        written.subjects.push_back(
            reportSubject(**result, judge(c, {rule, used.rtol, used.atol, used.equalNan})));
        addToleranceTables(written.subjects[0], report);
        if (!writeReports(o.reports, written)) return 2;
    }
    if (!o.common.jsonOnStdout())
        std::cout << reportText(report, Paint(o.common.noColour)) << pasteText(tests);
    // A question without an answer is not a success: nothing that could be read was comparable.
    for (const auto& p : c.pairs)
        if (p.judged && p.summary) return 0;
    return exitCode(judge(c, {}).verdict);
}

} // namespace

void addTolerance(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("tolerance", "Which tolerances pass: the frontier of a pair of files");
    verb->footer("Every figure is the smallest that passes, over all judged taps.");
    verb->add_option("reference", o->dumps.reference, "The file that is right, or a result file alone")
        ->required();
    verb->add_option("candidate", o->candidate, "The file to judge; none with a result file");
    verb->add_option("--rule", o->rule, "allclose (default) or either: the rules that have a frontier")
        ->type_name("RULE");
    verb->add_flag("--equal-nan", o->equalNan, "NaN equals NaN");
    verb->add_option("--judge", o->judge, "Taps that decide: all (default), or names with commas")
        ->type_name("all|TAP,…");
    addPairing(*verb, o->dumps);
    addReport(*verb, o->reports);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
