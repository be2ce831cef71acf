#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/block_options.h"
#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/dump_options.h"
#include "cli/hunt_text.h"
#include "session/hunt/hunt_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    BlockOptions block;
    DumpOptions dumps;
    std::vector<std::string> subjects;
    std::string badWhen = "auto";
};

Result<std::vector<StageDump>> stageDumps(const std::vector<std::string>& subjects) {
    std::vector<StageDump> out;
    for (std::size_t i = 1; i < subjects.size(); ++i) {
        const auto at = subjects[i].find('=');
        if (at == 0 || at == std::string::npos || at + 1 == subjects[i].size())
            return Error{ErrorCode::usage, fmt::format("'{}' is no dump of a stage", subjects[i]),
                         "NAME=DUMP", "write lower=candidate.npz, in the order of the stages"};
        out.push_back({subjects[i].substr(0, at), subjects[i].substr(at + 1)});
    }
    return out;
}

Result<StagesResult> ofDumps(const Options& o, Session& session, const BadWhen& bad,
                             const Progress& progress) {
    auto stages = stageDumps(o.subjects);
    if (!stages) return stages.error();
    CompareRequest compare;
    DumpOptions dumps = o.dumps;
    dumps.reference = o.subjects[0];
    dumps.declare = fmt::format("{}", fmt::join(o.block.declared, ","));
    if (auto s = dumps.apply(compare); !s) return s.error();
    compare.judge = parseJudgeSelection(o.block.judge);
    if (auto s = o.block.metric.apply(compare.metric); !s) return s.error();
    auto overrides = o.block.tolerance.parse();
    if (!overrides) return overrides.error();
    compare.overrides = std::move(*overrides);
    return findStage(session, compare, *stages, bad, progress);
}

Result<StagesResult> ofBlock(const Options& o, Session& session, const BadWhen& bad,
                             const Progress& progress) {
    BlockOptions block = o.block;
    block.base.block = o.subjects[0];
    const auto request = block.request(session);
    if (!request) return request.error();
    return findStage(session, *request, bad, progress);
}

int run(const Options& o) {
    const auto bad = parseBadWhen(o.badWhen);
    if (!bad) return fail(bad.error());
    const auto session = makeSession();
    Progress progress = terminalProgress();
    const CancelOnSignal guard(progress.token);
    const auto result =
        o.subjects.size() > 1 ? ofDumps(o, *session, *bad, progress) : ofBlock(o, *session, *bad, progress);
    endProgress();
    if (!result) return fail(result.error());
    if (!writeJson(o.common, toJson(*result))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << stagesText(*result, Paint(o.common.noColour));
    if (!result->sure) return 3;
    return result->first ? 0 : 1;
}

} // namespace

void addStages(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("stages", "The first stage of compiling that disagrees with the reference");
    verb->footer(
        "Exit code: 0 found, 1 no stage disagrees, 2 usage error or unreadable, 3 unresolved.\n"
        "Examples: divdet stages attention --pass double-scale --pass int8\n"
        "          divdet stages ref.npz eager=a.npz aot_eager=b.npz inductor=c.npz cudagraphs=d.npz\n"
        "What a stage says: divdet help stages");
    verb->add_option("subjects", o->subjects,
                     "A block (divdet blocks), or REF and a NAME=DUMP per stage, in order")
        ->required()
        ->type_name("BLOCK | REF NAME=DUMP…");
    verb->add_option("--bad-when", o->badWhen,
                     "What makes a stage bad: its verdict, class bug, finding:ID, a missed metric, a crash; "
                     "auto (default): of a block what the whole run shows, of dumps the verdict")
        ->type_name("auto|verdict|bug|finding:ID|metric|crash");
    addBlock(*verb, o->block);
    addPairing(*verb, o->dumps);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
