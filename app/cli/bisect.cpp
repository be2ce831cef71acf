#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/block_options.h"
#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/dump_options.h"
#include "cli/hunt_options.h"
#include "cli/hunt_text.h"
#include "session/hunt/hunt_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    BlockOptions block;
    DumpOptions dumps;
    HuntSettings hunt;
    CommandSettings command;
    std::vector<std::string> compare;
    std::string over = "passes", badWhen = "auto";
};

int exitCodeOf(hunt::Ending ending) {
    switch (ending) {
    case hunt::Ending::found:
        return 0;
    case hunt::Ending::nothingFails:
        return 1;
    case hunt::Ending::baselineFails:
    case hunt::Ending::unsteady:
    case hunt::Ending::unresolved:
        break;
    }
    return 3;
}

int finish(const Options& o, const hunt::HuntResult& result, const hunt::HuntOptions& options,
           const std::vector<std::string>& commands, const Json& document) {
    if (!writeJson(o.common, document)) return 2;
    if (!o.common.jsonOnStdout()) std::cout << huntText(result, options, commands, Paint(o.common.noColour));
    return exitCodeOf(result.ending);
}

int bisectBlock(const Options& o, const BadWhen& bad, hunt::HuntOptions options) {
    const auto session = makeSession();
    auto block = o.block.request(*session);
    if (!block) return fail(block.error());
    auto over = parseOver(o.over);
    if (!over) return fail(over.error());
    Progress progress;
    const CancelOnSignal guard(progress.token);
    const auto h = huntBlock(*session, {std::move(*block), *over, bad, std::move(options)}, progress,
                             storyTeller(!o.common.jsonOnStdout()));
    endStory();
    if (!h) return fail(h.error());
    return finish(o, h->result, h->request.options, h->commands, toJson(*h));
}

Result<CompareRequest> compareOf(const Options& o) {
    CompareRequest out;
    DumpOptions dumps = o.dumps;
    dumps.reference = o.compare[0];
    dumps.declare = fmt::format("{}", fmt::join(o.block.declared, ","));
    if (auto s = dumps.apply(out); !s) return s.error();
    out.candidate = o.compare[1];
    out.judge = parseJudgeSelection(o.block.judge);
    if (auto s = o.block.metric.apply(out.metric); !s) return s.error();
    auto overrides = o.block.tolerance.parse();
    if (!overrides) return overrides.error();
    out.overrides = std::move(*overrides);
    return out;
}

int bisectCommand(const Options& o, const BadWhen& bad, hunt::HuntOptions options) {
    auto command = o.command.resolve(options);
    if (!command) return fail(command.error());
    CommandHuntRequest request{std::move(*command), std::move(options), std::nullopt, bad};
    if (!o.compare.empty()) {
        auto compare = compareOf(o);
        if (!compare) return fail(compare.error());
        request.compare = std::move(*compare);
    } else if (bad.kind != BadWhen::Kind::automatic) {
        return fail({ErrorCode::usage, "without a dump the exit code says what is bad", "--bad-when",
                     "add --compare REF CAND, or use --bad-code and --fail-regex"});
    }
    const auto session = makeSession();
    Progress progress;
    const CancelOnSignal guard(progress.token);
    const auto h = huntCommand(*session, request, progress, storyTeller(!o.common.jsonOnStdout()));
    endStory();
    if (!h) return fail(h.error());
    return finish(o, h->result, h->request.options, {}, toJson(*h));
}

int showRecipes(const std::string& name) {
    if (name != "list") {
        const auto recipe = hunt::findRecipe(name);
        if (!recipe) return fail(recipe.error());
        std::cout << recipeText(*recipe);
        return 0;
    }
    for (const hunt::Recipe& r : hunt::recipes()) std::cout << recipeText(r) << '\n';
    return 0;
}

int run(const Options& o) {
    const bool isBlock = !o.block.base.block.empty();
    if (!isBlock && o.command.command.empty() && !o.command.recipe.empty())
        return showRecipes(o.command.recipe);
    if (isBlock == !o.command.command.empty())
        return fail(
            {ErrorCode::usage,
             isBlock ? "a block and a command cannot be hunted at once" : "there is nothing to hunt in",
             "bisect", "give a block with --pass …, or --cmd CMD with --items, --count or --recipe"});
    if (!o.block.metric.command.empty())
        return fail({ErrorCode::usage, "a hunt does not run --metric-cmd", "--metric-cmd",
                     "let a command of yours give the answer by its exit code: --cmd"});
    if (isBlock && !o.compare.empty())
        return fail({ErrorCode::usage, "a block writes no dump to compare", "--compare", "leave it out"});
    auto options = o.hunt.options();
    if (!options) return fail(options.error());
    const auto bad = parseBadWhen(o.badWhen);
    if (!bad) return fail(bad.error());
    return isBlock ? bisectBlock(o, *bad, std::move(*options)) : bisectCommand(o, *bad, std::move(*options));
}

} // namespace

void addBisect(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    o->block.base.block.clear();
    CLI::App* verb = app.add_subcommand("bisect", "Find the pass, op, layer or item that makes a run bad");
    verb->footer(
        "Exit code: 0 found, 1 nothing fails with everything on, 2 usage error, 3 unsteady or unresolved.\n"
        "Examples: divdet bisect mlp --pass tf32 --pass int8 --pass wrong-accumulator=bf16\n"
        "          divdet bisect --items passes.txt --cmd './run.sh' --compare ref.npz out.npz --rtol 1e-3\n"
        "          divdet bisect --recipe inductor-lowerings --cmd 'python3 check.py'\n"
        "What the words mean: divdet help bisect");
    verb->add_option("block", o->block.base.block, "Which block: see divdet blocks; stack:N, json:FILE");
    verb->add_option("--over", o->over, "What of a block is switched (passes)")
        ->type_name("passes|ops|pairs|layers|stages");
    verb->add_option("--bad-when", o->badWhen,
                     "What makes a compared run bad: its verdict, class bug, finding:ID, a missed metric, a "
                     "crash; auto (default) is what the run with everything on shows")
        ->type_name("auto|verdict|bug|finding:ID|metric|crash");
    verb->add_option("--compare", o->compare,
                     "The dump that each run of --cmd writes, judged against REF; its exit code must be 0")
        ->expected(2)
        ->type_name("REF CAND");
    addCommand(*verb, o->command);
    addHunt(*verb, o->hunt);
    addBlock(*verb, o->block);
    addPairing(*verb, o->dumps);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
