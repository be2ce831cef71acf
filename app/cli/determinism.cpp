#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "base/number_text.h"
#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/determinism/run_spread_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::vector<std::string> runs, only, skip;
};

std::string spreadText(const RunSpread& s, const Paint& paint) {
    std::string out = fmt::format("{}: {} of {} taps have the same bits in {} runs\n",
                                  paint.strong(verdictOf(s)), s.equal, s.taps.size(), s.runs.size());
    if (s.firstVarying)
        out += fmt::format("first to vary: {}; what follows may vary because of it\n",
                           paint.strong(shown(s.taps[*s.firstVarying].name)));
    Table table({{"tap"},
                 {"dtype"},
                 {"shape"},
                 {"bits"},
                 {"results", true},
                 {"elements", true},
                 {"max abs", true},
                 {"max ulp", true}});
    for (const auto& t : s.taps) {
        std::vector<std::string> cells{t.name, std::string(name(t.dtype)), toString(t.shape)};
        if (!t.spread) {
            cells.push_back(t.error ? "not compared: " + t.error->text() : "not in every run");
            cells.resize(8);
        } else if (t.spread->bitEqual()) {
            cells.push_back("same");
            cells.resize(8);
        } else {
            cells.push_back("vary");
            cells.push_back(countText(t.spread->variants));
            cells.push_back(fmt::format("{} of {}", t.spread->varying, t.spread->elements));
            cells.push_back(shortNumber(t.spread->maxAbs.value));
            cells.push_back(t.spread->maxUlp ? shortNumber(*t.spread->maxUlp) : "-");
        }
        table.row(std::move(cells));
    }
    out += table.text();
    for (std::size_t i = 0; i < s.missing.size(); ++i)
        for (const auto& m : s.missing[i])
            out += fmt::format("{} {} {}\n", shown(s.runs[i].string()), m[0] == '-' ? "lacks" : "has besides",
                               shown(m.substr(1)));
    return out;
}

int run(const Options& o) {
    RunSpreadRequest request;
    request.runs.assign(o.runs.begin(), o.runs.end());
    request.pairing.only = o.only;
    request.pairing.skip = o.skip;
    Progress progress = terminalProgress();
    const CancelOnSignal guard(progress.token);
    const auto spread = spreadOfRuns(request, progress);
    endProgress();
    if (!spread) return fail(spread.error());
    if (!writeJson(o.common, toJson(*spread))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << spreadText(*spread, Paint(o.common.noColour));
    if (spread->varying > 0) return 1;
    return spread->whole() ? 0 : 3;
}

} // namespace

void addDeterminism(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("determinism", "Which taps have other bits from run to run");
    verb->footer(
        "Exit code: 0 same bits, 1 varies, 2 usage error or unreadable, 3 not everything could be compared.\n"
        "Example: divdet determinism run1.safetensors run2.safetensors run3.safetensors");
    verb->add_option("run", o->runs, "Dumps of one program on one input, two or more")
        ->required()
        ->expected(2, 10000)
        ->type_name("RUN1 RUN2…");
    verb->add_option("--only", o->only, "Only taps that match (repeat)")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    verb->add_option("--skip", o->skip, "Not the taps that match (repeat)")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
