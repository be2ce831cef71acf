#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/block_options.h"
#include "cli/cancel_on_signal.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/repro/repro_folder.h"
#include "session/repro/repro_json.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    BlockOptions block;
    std::string badWhen = "auto", folder;
    std::uint64_t maxRuns = 200;
};

/// The story on standard output, what is running on a terminal's standard error.
hunt::MinimiseEvents storyTeller(bool story) {
    const bool terminal = isatty(STDERR_FILENO);
    return [story, terminal](const hunt::MinimiseEvent& e) {
        if (terminal) std::fputs("\r\x1b[K", stderr);
        if (!e.line.empty()) {
            if (story) std::cout << shown(e.line) << std::endl;
        } else if (terminal) {
            std::fprintf(stderr, "run %llu of at most %llu", static_cast<unsigned long long>(e.runs + 1),
                         static_cast<unsigned long long>(e.limit));
            std::fflush(stderr);
        }
    };
}

std::string endText(const Minified& m, const std::vector<std::string>& files, const Options& o) {
    const Paint paint(o.common.noColour);
    const hunt::MinimiseResult& r = m.result;
    std::vector<std::string> passes;
    for (const auto& p : r.smallest.passes) passes.push_back(shown(toString(p)));
    std::string out = "\n" + paint.verdict(Verdict::outside, "SMALLEST") + "  " +
                      paint.strong(fmt::format("{}", fmt::join(passes, ", "))) + '\n';
    out += fmt::format("  before: {}\n  after:  {}\n  it shows: {}\n", toString(r.sizeBefore),
                       toString(r.sizeAfter), shown(r.after.text));
    out += fmt::format("{} run{}, {:.3g} s{}\n", r.runs, r.runs == 1 ? "" : "s", r.seconds,
                       r.complete    ? ""
                       : r.cancelled ? "; cancelled, it may become smaller still"
                                     : "; the limit was reached (--max-runs)");
    if (files.empty()) return out + "-o DIR writes it as a repro\n";
    return out + fmt::format("in {}: {}\n", shown(o.folder), fmt::join(files, ", "));
}

/// The ends without a repro.
int withoutRepro(const Options& o, const Minified& m) {
    if (!writeJson(o.common, toJson(m, nullptr, nullptr, {}))) return 2;
    const bool good = m.result.before.answer == hunt::Answer::good;
    if (o.common.jsonOnStdout()) return good ? 1 : 3;
    const Paint paint(o.common.noColour);
    if (m.result.ending == hunt::MinimiseEnding::unsteady)
        std::cout << paint.verdict(Verdict::inconclusive, "UNSTEADY")
                  << "  it fails in some runs only, so what went away may be chance; name a seed, as in "
                     "--pass race=seed:3\n";
    else if (good)
        std::cout << paint.verdict(Verdict::within, "NOTHING FAILS") << "  " << shown(m.result.before.text)
                  << "\nif it failed elsewhere: was the tolerance the same (--rtol, --atol, --bad-when)? the "
                     "random numbers (--seed, --run-number)? the hardware (--device)?\n";
    else
        std::cout << paint.verdict(Verdict::inconclusive, "UNRESOLVED") << "  " << shown(m.result.before.text)
                  << '\n';
    return good ? 1 : 3;
}

int run(const Options& o) {
    const auto bad = parseBadWhen(o.badWhen);
    if (!bad) return fail(bad.error());
    if (!o.folder.empty()) // before the search, whose result would be lost
        if (auto s = checkReproFolder(o.folder); !s) return fail(s.error());
    const auto session = makeSession();
    auto block = o.block.request(*session);
    if (!block) return fail(block.error());
    const auto m = [&] {
        Progress progress;
        const CancelOnSignal guard(progress.token);
        return minifyBlock(*session, {std::move(*block), *bad, {.maxRuns = o.maxRuns}}, progress,
                           storyTeller(!o.common.jsonOnStdout()));
    }();
    if (isatty(STDERR_FILENO)) std::fputs("\r\x1b[K", stderr);
    if (!m) return fail(m.error());
    const hunt::MinimiseEnding ending = m->result.ending;
    if (ending == hunt::MinimiseEnding::notBad || ending == hunt::MinimiseEnding::unsteady)
        return withoutRepro(o, *m);
    Progress progress; // of its own: the smallest case of a search that was cancelled is written all the same
    const CancelOnSignal guard(progress.token);
    const auto repro = reproOf(*session, *m, progress);
    if (!repro)
        return repro.error().code == ErrorCode::mismatch ? (fail(repro.error()), 3) : fail(repro.error());
    const auto again = runRepro(*session, *repro, "", progress);
    if (!again) return fail(again.error());
    std::vector<std::string> files;
    if (!o.folder.empty()) {
        auto written = writeRepro(*repro, *again, &m->result, o.folder);
        if (!written) return fail(written.error());
        files = std::move(*written);
    }
    if (!writeJson(o.common, toJson(*m, &*repro, &*again, files))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << endText(*m, files, o);
    return 0;
}

} // namespace

void addMinify(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("minify", "Make a block that fails as small as it goes, and a repro of it");
    verb->footer("Exit code: 0 done, 1 nothing fails, 2 usage error, 3 unresolved, or it fails in "
                 "some runs only.\n"
                 "Example: divdet minify mlp --pass tf32 --pass wrong-accumulator=bf16 -o out\n"
                 "What it does: divdet help minify");
    verb->add_option("block", o->block.base.block, "Which block: see divdet blocks; stack:N, json:FILE")
        ->required();
    verb->add_option("-o,--output", o->folder,
                     "Writes repro.json, repro.py (numpy alone) and repro.md into this folder")
        ->type_name("DIR");
    verb->add_option("--bad-when", o->badWhen,
                     "What has to stay bad: the verdict, class bug, finding:ID, a crash; auto (default): the "
                     "bug that the judge finds, else the verdict")
        ->type_name("auto|verdict|bug|finding:ID|crash");
    verb->add_option("--max-runs", o->maxRuns, "Runs that may be made (200)")
        ->check(CLI::Range(1, 1'000'000))
        ->type_name("N");
    addBlock(*verb, o->block);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
