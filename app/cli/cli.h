#pragma once
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "compare/tolerance.h"
#include "report/json_number.h"
#include "session/session.h"

namespace divdet::cli {

/// What every verb has: where JSON goes, colour, progress, threads.
struct Common {
    std::string json; ///< a file, `-` for stdout, or empty
    int threads = 0;  ///< 0: all
    bool noColour = false;

    bool jsonOnStdout() const { return json == "-"; }
};

void addCommon(CLI::App& verb, Common& common);

/// Prints `divdet: …` to stderr and returns 2, the exit code of usage errors and unreadable files.
int fail(const Error& error);

/// Writes the document to a file (atomically) or to stdout. False after an error was printed.
bool writeJson(const Common& common, const Json& document);

/// Tolerance options of a verb, as typed.
struct ToleranceOptions {
    std::string rtol, atol, rule, preset;
    std::string errorQuantile, rmseTol, rmseK, maxMismatchFraction;
    bool equalNan = false, infinitiesEqual = false;

    /// Given values over the preset's, which carries its rule. Errors: usage.
    Result<ToleranceOverrides> parse() const;
};

void addTolerance(CLI::App& verb, ToleranceOptions& options);
/// Adds what single rules take, and the share of elements that may fail.
void addRuleOptions(CLI::App& verb, ToleranceOptions& options);

int workerThreads(const Common& common); ///< as asked, or as many as the machine has

std::shared_ptr<Session> makeSession(); ///< with the backends this program was built with

// Each verb adds itself to the program and stores its exit code when it runs.
void addCompare(CLI::App& app, int& exitCode);
void addRun(CLI::App& app, int& exitCode);
void addBisect(CLI::App& app, int& exitCode);
void addStages(CLI::App& app, int& exitCode);
void addMinify(CLI::App& app, int& exitCode);
void addRepro(CLI::App& app, int& exitCode);
void addAdvise(CLI::App& app, int& exitCode);
void addInspect(CLI::App& app, int& exitCode);
void addLogs(CLI::App& app, int& exitCode);
void addDeterminism(CLI::App& app, int& exitCode);
void addTolerance(CLI::App& app, int& exitCode);
void addLists(CLI::App& app, int& exitCode);
void addHelp(CLI::App& app, int& exitCode);

} // namespace divdet::cli
