#include <iostream>

#include <fmt/format.h>

#include "base/split.h"
#include "cli/cli.h"
#include "cli/comparison_text.h"
#include "cli/dump_options.h"
#include "report/json_comparison.h"
#include "session/compare_dumps.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    ToleranceOptions tolerance;
    DumpOptions dumps;
    std::vector<std::string> candidates;
    std::string judge;
    int top = 0;
};

Json document(const Options& o, const CompareResult& r, const Judgement& j) {
    Json out = toJson(*r.comparison, j, {"compare", "", workerThreads(o.common), r.seconds});
    out["reference_format"] = r.referenceFormat;
    out["candidate_format"] = r.candidateFormat;
    return out;
}

int run(const Options& o) {
    const auto session = makeSession();
    const Paint paint(o.common.noColour);
    CompareRequest request;
    if (auto s = o.dumps.apply(request); !s) return fail(s.error());
    request.judge = parseJudgeSelection(o.judge);
    auto overrides = o.tolerance.parse();
    if (!overrides) return fail(overrides.error());
    request.overrides = *overrides;
    Verdict worst = Verdict::within;
    Json all = Json::array();
    for (const auto& candidate : o.candidates) {
        request.candidate = candidate;
        auto result = compareDumps(*session, request, terminalProgress());
        endProgress();
        if (!result) return fail(result.error());
        const Judgement j = judge(*(*result)->comparison, (*result)->tolerance);
        worst = worse(worst, j.verdict);
        if (!o.common.json.empty()) all.push_back(document(o, **result, j));
        if (o.common.jsonOnStdout()) continue;
        if (o.candidates.size() > 1) std::cout << paint.strong(candidate) << '\n';
        std::cout << comparisonText(*(*result)->comparison, j, paint, o.top);
        if (o.candidates.size() > 1) std::cout << '\n';
    }
    Json out = all.size() == 1 ? all[0]
                               : Json{{"tool", "divdet"},
                                      {"schema", 1},
                                      {"command", "compare"},
                                      {"verdict", toString(worst)},
                                      {"candidates", all}};
    if (!writeJson(o.common, out)) return 2;
    return exitCode(worst);
}

} // namespace

void addCompare(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("compare", "Compare two files or folders of tensors");
    verb->footer("Exit code: 0 within, 1 outside, 2 usage error or unreadable, 3 no answer\n"
                 "(inconclusive, incomplete, incomparable).\n"
                 "Example: divdet compare eager.safetensors compiled.npz --rtol 1e-3 --atol 1e-5");
    verb->add_option("reference", o->dumps.reference,
                     "The file that is right: npy, npz, safetensors or a folder")
        ->required();
    verb->add_option("candidate", o->candidates, "The files to judge")->required();
    addTolerance(*verb, o->tolerance);
    verb->add_option("--judge", o->judge, "Taps that decide: all (default), or names with commas")
        ->type_name("all|TAP,…");
    addPairing(*verb, o->dumps);
    verb->add_option("--top", o->top, "Show only the N taps that need most")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
