#include <algorithm>
#include <iostream>

#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/logs_text.h"
#include "cli/terminal.h"
#include "cli/write_text.h"
#include "logs/log_reader.h"
#include "report/logs_report.h"
#include "session/logs_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::vector<std::string> files;
    std::string before, markdown, html;
    int rank = -1;
    bool showUnparsed = false, guards = false;
    GuardSearch search;
};

/// `-` is one thing: the input once, and one of the outputs.
Status checkDashes(const Options& o) {
    if (std::count(o.files.begin(), o.files.end(), "-") + (o.before == "-") > 1)
        return Error{ErrorCode::usage, "standard input can be read once", "",
                     "name a file for the other log"};
    if ((o.common.json == "-") + (o.markdown == "-") + (o.html == "-") > 1)
        return Error{ErrorCode::usage, "standard output takes one of --json, --markdown and --html", "",
                     "name files for the others"};
    return Done{};
}

Result<LogReport> read(const std::vector<std::string>& files, const Options& o) {
    LogOptions options;
    if (o.rank >= 0) options.rank = o.rank;
    Progress progress = terminalProgress();
    const CancelOnSignal guard(progress.token);
    auto report = readLogs(std::vector<std::filesystem::path>(files.begin(), files.end()), options, progress);
    endProgress();
    return report;
}

/// An empty or foreign log looks as clean as a good one.
void hintAt(const LogReport& report) {
    const auto& notes = report.notes;
    if (report.otherRank > 0 || std::find(notes.begin(), notes.end(), "nothing-recognised") == notes.end())
        return;
    std::cerr << "divdet: no line is one of torch.compile's; run the program with "
                 "TORCH_LOGS=recompiles,graph_breaks and read what it prints on standard error\n";
}

int run(const Options& o) {
    if (auto s = checkDashes(o); !s) return fail(s.error());
    std::optional<LogReport> before;
    if (!o.before.empty()) {
        auto old = read({o.before}, o);
        if (!old) return fail(old.error());
        before = std::move(*old);
    }
    const auto report = read(o.files, o);
    if (!report) return fail(report.error());
    hintAt(*report);
    std::optional<LogChanges> changes;
    if (before) changes = changesBetween(*before, *report);
    const LogChanges* c = changes ? &*changes : nullptr;
    const GuardSearch* guards = o.guards || o.search.failing || !o.search.text.empty() ? &o.search : nullptr;
    if (!writeJson(o.common, logsJson(*report, before ? &*before : nullptr, c, guards))) return 2;
    if (!o.markdown.empty() && !writeText(o.markdown, logsMarkdown(*report, c))) return 2;
    if (!o.html.empty() && !writeText(o.html, logsHtml(*report, c))) return 2;
    if (!o.common.jsonOnStdout() && o.markdown != "-" && o.html != "-")
        std::cout << logText(*report, c, guards, o.showUnparsed, Paint(o.common.noColour));
    return report->storm ? 1 : 0;
}

} // namespace

void addLogs(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("logs", "Recompile storms and graph breaks in logs of torch.compile");
    verb->footer("Exit code: 0 clean, 1 storm, 2 unreadable or wrong usage.\n"
                 "Examples: TORCH_LOGS=recompiles,graph_breaks python train.py 2>&1 | divdet logs -\n"
                 "          divdet logs --before slow.log fixed.log\n"
                 "          divdet logs --failing train.log\n"
                 "What makes a storm: divdet help storm. What is read: divdet help logs");
    verb->add_option("file", o->files,
                     "Text of TORCH_LOGS, a file or folder of TORCH_TRACE, - for standard input")
        ->required();
    verb->add_option("--before", o->before,
                     "The log from before a fix: says what went away, what is new and what stayed")
        ->type_name("FILE");
    verb->add_option("--rank", o->rank, "Only this rank's lines; the others are counted")
        ->check(CLI::Range(0, 999'999'999)) // as many digits as a rank is read with
        ->type_name("N");
    verb->add_option("--markdown", o->markdown, "Write a report as Markdown, - for standard output")
        ->type_name("FILE");
    verb->add_option("--html", o->html, "Write a report as one HTML page, - for standard output")
        ->type_name("FILE");
    verb->add_flag("--guards", o->guards, "What each graph is guarded on, as a tree");
    verb->add_option("--find", o->search.text,
                     "Only guards with this text in their line, and what they stand below")
        ->type_name("TEXT");
    verb->add_flag("--failing", o->search.failing, "Only guards that a recompile names");
    verb->add_flag("--show-unparsed", o->showUnparsed, "The first lines that were not understood");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
