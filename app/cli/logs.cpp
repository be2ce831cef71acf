#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "dump/text_encoding.h"
#include "logs/fix_text.h"
#include "logs/guard_reason.h"
#include "logs/log_reader.h"
#include "session/logs_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::vector<std::string> files;
    int rank = -1;
    bool showUnparsed = false;
};

std::string functionText(const RecompiledFunction& f, const Paint& paint) {
    std::string out = paint.strong(shown(f.name));
    if (!f.site.empty()) out += "  " + shown(f.site);
    out += fmt::format("  {} of {} recompiles", f.count, f.limit);
    out += f.limitHit ? ": the limit is hit, it runs uncompiled from here on\n" : "\n";
    for (const auto& c : f.causes) {
        out += fmt::format("  {} x  {} ({}) of {}", c.count, info(c.cause).name, info(c.cause).what,
                           shown(userName(c.source)));
        if (c.dim) out += fmt::format(", dim {}", *c.dim);
        out += fmt::format(": {}\n        fix: {}\n", shown(valuesText(c.values)), shown(c.fixText));
    }
    if (f.limitHit)
        out += "        to hear of it: torch._dynamo.config.fail_on_recompile_limit_hit = True, or "
               "fullgraph=True\n";
    return out;
}

std::string breakText(const GraphBreak& b, const Paint& paint) {
    return fmt::format("{} x  {}  {}: {}\n        fix: {}\n", b.count,
                       paint.strong(shown(b.site.empty() ? "(no place)" : b.site)), b.kind,
                       printable(b.reason, 160), shown(b.fixText));
}

std::string reportText(const LogReport& r, bool showUnparsed, const Paint& paint) {
    std::string out = fmt::format("{}: {} recompiles for {} root {}, {} graph breaks at {} {}\n",
                                  paint.strong(r.storm ? "storm" : "clean"), r.recompileHeaders, r.rootCauses,
                                  r.rootCauses == 1 ? "cause" : "causes", r.breakOccurrences, r.breaks.size(),
                                  r.breaks.size() == 1 ? "place" : "places");
    if (!r.recompiles.empty()) out += "\nRecompiles\n";
    for (const auto& f : r.recompiles) out += functionText(f, paint);
    if (!r.breaks.empty()) out += "\nGraph breaks\n";
    for (const auto& b : r.breaks) out += breakText(b, paint);
    if (!r.replays.empty()) out += "\nCUDA graphs\n";
    for (const auto& p : r.replays)
        out += fmt::format("{} x  {}: {}\n", p.count, p.skipped ? "skipped" : "recorded again",
                           printable(p.reason, 200));
    out +=
        paint.faint(fmt::format("\n{} lines, {} not understood{}; dialect {}{}\n", r.lines, r.unparsedLines,
                                r.otherRank ? fmt::format(", {} of other ranks", r.otherRank) : "", r.dialect,
                                r.versionGuess.empty() ? "" : ", torch " + shown(r.versionGuess)));
    if (r.incomplete) out += "caution: the log is incomplete, so the counts are lower bounds\n";
    if (!r.notes.empty()) out += fmt::format("notes: {}\n", fmt::join(r.notes, ", "));
    if (showUnparsed)
        for (const auto& line : r.unparsedSamples) out += "  " + shown(line) + '\n';
    return out;
}

int run(const Options& o) {
    LogOptions options;
    if (o.rank >= 0) options.rank = o.rank;
    Progress progress = terminalProgress();
    const CancelOnSignal guard(progress.token);
    const auto report =
        readLogs(std::vector<std::filesystem::path>(o.files.begin(), o.files.end()), options, progress);
    endProgress();
    if (!report) return fail(report.error());
    if (!writeJson(o.common, toJson(*report))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << reportText(*report, o.showUnparsed, Paint(o.common.noColour));
    return report->storm ? 1 : 0;
}

} // namespace

void addLogs(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("logs", "Recompile storms and graph breaks in logs of torch.compile");
    verb->footer("Exit code: 0 clean, 1 storm, 2 unreadable or wrong usage.\n"
                 "Example: TORCH_LOGS=recompiles,graph_breaks python train.py 2>&1 | divdet logs -\n"
                 "What makes a storm: divdet help storm");
    verb->add_option("file", o->files,
                     "Text of TORCH_LOGS, a file or folder of TORCH_TRACE, - for standard input")
        ->required();
    verb->add_option("--rank", o->rank, "Only this rank's lines; the others are counted")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    verb->add_flag("--show-unparsed", o->showUnparsed, "The first lines that were not understood");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
