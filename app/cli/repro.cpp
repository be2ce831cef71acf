#include <iostream>

#include <fmt/format.h>

#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/repro/repro_json.h"
#include "session/repro/torch_bundle.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    std::string file, device, startLog, reproLog;
};

std::string reproText(const Repro& repro, const ReproRun& run, const Paint& paint) {
    const bool unresolved = run.outcome.answer == hunt::Answer::unresolved;
    std::string out = run.reproduced ? paint.verdict(Verdict::outside, "REPRODUCED")
                      : unresolved   ? paint.verdict(Verdict::inconclusive, "UNRESOLVED")
                                     : paint.verdict(Verdict::within, "NOT REPRODUCED");
    out += "  " + shown(run.outcome.text) + '\n';
    if (!run.reproduced && run.outcome.answer == hunt::Answer::bad)
        out += fmt::format("it fails in another way: {} where {} was hunted\n", shown(run.outcome.failure),
                           shown(repro.failure));
    if (!repro.verdict.empty() && !run.verdict.empty())
        out += fmt::format("verdict {}, class {}; expected {}, {}\n", run.verdict,
                           run.pairClass.empty() ? "none" : run.pairClass, shown(repro.verdict),
                           repro.pairClass.empty() ? "none" : shown(repro.pairClass));
    return out;
}

std::string consoleLine(const char* what, const std::optional<TorchConsole>& console) {
    if (!console) return fmt::format("{}: no log\n", what);
    return fmt::format("{}: {}{} ({})\n", what,
                       console->error.empty() ? "no exception" : shown(console->error),
                       console->status ? fmt::format(", status {}", *console->status) : std::string(),
                       shown(console->path.filename().string()));
}

std::string bundleText(const TorchBundle& b, const Paint& paint) {
    std::string out;
    switch (b.answer) {
    case BundleAnswer::same:
        out = paint.verdict(Verdict::outside, "SAME FAILURE");
        break;
    case BundleAnswer::lost:
        out = paint.verdict(Verdict::within, "LOST");
        break;
    case BundleAnswer::other:
        out = paint.verdict(Verdict::inconclusive, "ANOTHER FAILURE");
        break;
    case BundleAnswer::unknown:
        out = paint.verdict(Verdict::inconclusive, "UNKNOWN");
        break;
    }
    out += fmt::format("  {}\n{}\n", shown(b.why), shown(b.script.string()));
    for (const TapEntry& tap : b.inputs)
        out += fmt::format("  input {}: {}\n", shown(tap.name),
                           tap.error ? shown(tap.error->message)
                                     : fmt::format("{} {}", name(tap.dtype), toString(tap.shape)));
    for (const std::string& op : b.ops) out += "  op " + shown(op) + '\n';
    out += consoleLine("start", b.start) + consoleLine("search", b.search) + consoleLine("repro", b.repro);
    for (const std::string& note : b.notes) out += "note: " + shown(note) + '\n';
    return out + "nothing was run: this is what the logs say\n";
}

int showBundle(const Options& o) {
    if (!o.device.empty())
        return fail({ErrorCode::usage, "a bundle of torch is read, not run", "--device", "leave it out"});
    const auto bundle = readTorchBundle({o.file, o.startLog, o.reproLog});
    if (!bundle) return fail(bundle.error());
    if (!writeJson(o.common, toJson(*bundle))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << bundleText(*bundle, Paint(o.common.noColour));
    if (bundle->answer == BundleAnswer::same) return 1;
    return bundle->answer == BundleAnswer::lost ? 0 : 3;
}

int run(const Options& o) {
    if (looksLikeTorchBundle(o.file)) return showBundle(o);
    if (!o.startLog.empty() || !o.reproLog.empty())
        return fail({ErrorCode::usage, "logs are for a bundle of torch's minifier",
                     "--start-log, --repro-log", "give its folder or its repro.py"});
    auto repro = readRepro(o.file);
    if (!repro) return fail(repro.error());
    if (!o.device.empty()) repro->request.device = o.device;
    const auto session = makeSession();
    Progress progress;
    const CancelOnSignal guard(progress.token);
    const auto again = runRepro(*session, *repro, "", progress);
    if (!again) return fail(again.error());
    if (!writeJson(o.common, toJson(*repro, *again))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << reproText(*repro, *again, Paint(o.common.noColour));
    if (again->reproduced) return 1;
    return again->outcome.answer == hunt::Answer::good ? 0 : 3;
}

} // namespace

void addRepro(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("repro", "Run a repro again: does it still fail in the same way?");
    verb->footer(
        "A bundle of torch's minifier (its folder, or a repro.py) is read and never run: whether its last "
        "program fails as the first did is told by the logs of both, text files with a first line '$ "
        "COMMAND' "
        "beside them, or those given.\n"
        "Exit code: 0 it no longer fails, 1 reproduced, 2 unreadable, 3 no answer, or another failure.\n"
        "Examples: divdet repro out/repro.json\n"
        "          divdet repro torch_compile_debug/run_1 --start-log first.log --repro-log repro.log");
    verb->add_option("file", o->file,
                     "A repro.json that divdet minify wrote, or a bundle of torch's minifier")
        ->required()
        ->type_name("FILE");
    verb->add_option("--device", o->device, "Run it there: see divdet devices")->type_name("ID");
    verb->add_option("--start-log", o->startLog, "What the program printed that the minifier started from")
        ->type_name("FILE");
    verb->add_option("--repro-log", o->reproLog, "What the bundle's repro.py printed")->type_name("FILE");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
