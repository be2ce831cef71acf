#include <cstdio>
#include <iostream>
#include <string_view>

#include <tbb/global_control.h>

#include "base/instruction_set.h"
#include "block/run_bytes.h"
#include "cli/cli.h"
#include "dump/text_encoding.h"
#include "report/version.h"

namespace {

/// TBB's limit must stand before any work starts, so it is read ahead of the verbs' own parsing.
int threadLimit(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view arg = argv[i];
        if (arg == "--threads" && i + 1 < argc) return std::atoi(argv[i + 1]);
        if (arg.starts_with("--threads=")) return std::atoi(argv[i] + 10);
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{"divdet: is that drift or a bug, which pass did it, which tolerance may I trust?", "divdet"};
    app.set_version_flag("--version", std::string(divdet::version()));
    app.require_subcommand(1);
    int exitCode = 0;
    divdet::cli::addCompare(app, exitCode);
    divdet::cli::addTolerance(app, exitCode);
    divdet::cli::addInspect(app, exitCode);
    divdet::cli::addRun(app, exitCode);
    divdet::cli::addBisect(app, exitCode);
    divdet::cli::addStages(app, exitCode);
    divdet::cli::addMinify(app, exitCode);
    divdet::cli::addRepro(app, exitCode);
    divdet::cli::addAdvise(app, exitCode);
    divdet::cli::addLogs(app, exitCode);
    divdet::cli::addDeterminism(app, exitCode);
    divdet::cli::addLists(app, exitCode);
    divdet::cli::addHelp(app, exitCode);

    for (const auto& set :
         {divdet::useInstructionSetOfEnvironment(), divdet::block::useMaxRunBytesOfEnvironment()})
        if (!set) {
            std::cerr << "divdet: " << set.error().text() << '\n';
            return 2;
        }
    std::optional<tbb::global_control> limit;
    if (const int n = threadLimit(argc, argv); n > 0)
        limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e); // --help, --version
        const auto verbs = app.get_subcommands();
        std::cerr << "divdet: " << divdet::printable(e.what(), 4000) << "; divdet "
                  << (verbs.empty() ? "" : verbs[0]->get_name() + " ") << "--help lists what there is\n";
        return 2;
    } catch (const std::bad_alloc&) {
        return divdet::cli::fail({divdet::ErrorCode::refused, "there is not enough memory for this", "",
                                  "compare fewer taps at a time (--only)"});
    } catch (const std::exception& e) {
        return divdet::cli::fail({divdet::ErrorCode::internal,
                                  std::string("this should not happen (") + e.what() + ")", "",
                                  "please report it with the files"});
    }
    return exitCode;
}
