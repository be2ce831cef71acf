#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "block/presets.h"
#include "cli/block_options.h"
#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/determinism_text.h"
#include "cli/terminal.h"
#include "session/determinism/lab_json.h"
#include "session/determinism/run_spread_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::vector<std::string> subject, only, skip, sources;
    BlockOptions block;
    LabRequest lab;
    const CLI::App* verb = nullptr;

    bool live() const {
        return subject.size() == 1 && (subject[0].starts_with("json:") || block::preset(subject[0]).ok() ||
                                       !std::filesystem::exists(subject[0]));
    }
};

int compareRuns(const Options& o) {
    RunSpreadRequest request;
    request.runs.assign(o.subject.begin(), o.subject.end());
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

Result<LabRequest> labRequest(const Options& o, const Session& session) {
    LabRequest out = o.lab;
    BlockOptions options = o.block;
    options.base.block = o.subject[0];
    options.noPasses = true; // without --pass the block as written
    auto block = options.request(session);
    if (!block) return block.error();
    out.block = std::move(*block);
    out.threads = o.common.threads;
    if (o.sources.empty()) return out;
    out.sources.clear();
    for (const auto& text : o.sources) {
        const auto source = parseVariation(text);
        if (!source)
            return Error{ErrorCode::usage, fmt::format("'{}' is no source of variation", text), "--source",
                         "sources are atomics, autotune, tf32, accumulate, batch"};
        out.sources.push_back(*source);
    }
    return out;
}

int runBlockManyTimes(const Options& o) {
    const auto session = makeSession();
    const auto request = labRequest(o, *session);
    if (!request) return fail(request.error());
    Progress progress = terminalProgress();
    const CancelOnSignal guard(progress.token);
    const auto result = runLab(*session, *request, progress);
    endProgress();
    if (!result) return fail(result.error());
    if (!writeJson(o.common, toJson(*result))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << labText(*result, Paint(o.common.noColour));
    const auto varies = result->varies();
    return !varies ? 3 : *varies ? 1 : 0;
}

/// Options that mean nothing for what was given are refused, not left unread.
Status optionsFit(const Options& o) {
    for (const CLI::Option* option : o.verb->get_options()) {
        const bool ofDumps = option->get_group() == "Dumps", ofBlocks = option->get_group() == "Block";
        if (option->count() == 0 || !(o.live() ? ofDumps : ofBlocks)) continue;
        return Error{ErrorCode::usage,
                     o.live() ? "this option is for dumps of several runs"
                              : "this option is for a live block",
                     option->get_name(), "leave it out"};
    }
    return Done{};
}

int run(const Options& o) {
    if (auto s = optionsFit(o); !s) return fail(s.error());
    return o.live() ? runBlockManyTimes(o) : compareRuns(o);
}

void addLabOptions(CLI::App& verb, Options& o) {
    verb.add_option("--runs", o.lab.runs,
                    "Runs that are held against each other, with the switch off and again with it on (1000; "
                    "fewer for large blocks)")
        ->check(CLI::Range(2, 1'000'000))
        ->type_name("N");
    verb.add_flag("--deterministic", o.lab.switchOnly,
                  "Only runs with the switch on; an op without an ordered variant is then an error");
    verb.add_option("--source", o.sources,
                    "Only these sources: atomics, autotune, tf32, accumulate, batch (commas or repeat)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,…");
    verb.add_option("--pairs", o.lab.pairs,
                    "Timed pairs of runs, off and on, for the cost of the switch (30); 0: not measured")
        ->check(CLI::Range(0, 100'000))
        ->type_name("N");
    verb.add_option("--trials", o.lab.trials, "Autotunings of the order (20)")
        ->check(CLI::Range(2, 100'000))
        ->type_name("N");
    addBlockRun(verb, o.block);
}

} // namespace

void addDeterminism(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "determinism", "What makes bits differ from run to run, and what the switch costs that stops it");
    verb->footer("Of a live block: sources of variation, the runs with the switch on, its cost. Of dumps: "
                 "which taps vary.\n"
                 "Exit code: 0 same bits, 1 varies (of a block: from run to run, or with --deterministic "
                 "with the switch\n"
                 "on), 2 usage error, unreadable or refused, 3 not everything could be compared or nothing "
                 "was measured.\n"
                 "Examples: divdet determinism scatter-add\n"
                 "          divdet determinism run1.safetensors run2.safetensors run3.safetensors");
    o->verb = verb;
    verb->add_option("subject", o->subject,
                     "A block (see divdet blocks), or dumps of one program on one input, two or more")
        ->required()
        ->expected(1, 10000)
        ->type_name("BLOCK|RUN1 RUN2…");
    verb->option_defaults()->group("Dumps");
    verb->add_option("--only", o->only, "Only taps that match (repeat)")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    verb->add_option("--skip", o->skip, "Not the taps that match (repeat)")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    verb->option_defaults()->group("Block");
    addLabOptions(*verb, *o);
    verb->option_defaults()->group("Options");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
