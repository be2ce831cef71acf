#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/dump_options.h"
#include "cli/terminal.h"
#include "session/tolerance_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    DumpOptions dumps;
    std::string candidate, rule = "allclose", judge;
    bool equalNan = false;
};

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
    if (r.tightest)
        out += fmt::format("tightest that passes: rtol {} atol {} (on the path through the presets)\n",
                           shortNumber(r.tightest->rtol), shortNumber(r.tightest->atol));
    else
        out += "no tolerance passes: some element is nan or inf on one side only\n";
    if (r.loosest)
        out += fmt::format(
            "loosest that still tests something: rtol {} atol {} (beyond it a tensor of zeros would pass)\n",
            shortNumber(r.loosest->rtol), shortNumber(r.loosest->atol));
    if (r.tightest && r.loosest && r.tightest->rtol > r.loosest->rtol)
        out += "the two cross: no tolerance both passes and tests something\n";
    return out;
}

int run(const Options& o) {
    CompareRequest request;
    if (auto s = o.dumps.apply(request); !s) return fail(s.error());
    const auto rule = parseRule(o.rule);
    if (!rule)
        return fail({ErrorCode::usage, fmt::format("'{}' is no rule", o.rule), "--rule",
                     "rules are allclose, either"});
    request.candidate = o.candidate;
    request.judge = parseJudgeSelection(o.judge);
    const auto session = makeSession();
    auto result = compareDumps(*session, request, terminalProgress());
    endProgress();
    if (!result) return fail(result.error());
    const Comparison& c = *(*result)->comparison;
    const ToleranceReport report = reportTolerances(c, *rule, o.equalNan);
    if (!writeJson(o.common, toJson(report, c))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << reportText(report, Paint(o.common.noColour));
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
    verb->add_option("reference", o->dumps.reference, "The file that is right")->required();
    verb->add_option("candidate", o->candidate, "The file to judge")->required();
    verb->add_option("--rule", o->rule, "allclose (default) or either")->type_name("RULE");
    verb->add_flag("--equal-nan", o->equalNan, "NaN equals NaN");
    verb->add_option("--judge", o->judge, "Taps that decide: all (default), or names with commas")
        ->type_name("all|TAP,…");
    addPairing(*verb, o->dumps);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
