#pragma once
#include <filesystem>
#include <string>

#include "compare/finding.h"
#include "session/hunt/minify_block.h"

namespace divdet {

/// A failure that others can run again: the case, how it is run and judged, and what it showed.
struct Repro {
    hunt::Case theCase;
    BlockRequest
        request; ///< conditions alone: device, seed, run number, reference, tolerance, judge, declared
    Symptom symptom;
    std::string failure;     ///< kind, as of hunt::Outcome
    std::string seen;        ///< half a sentence: what the run showed
    std::string verdict;     ///< that the run had; empty: it crashed
    std::string pairClass;   ///< of all of it; empty: it has none
    std::string toolVersion; ///< of the program that wrote it
};

inline constexpr int kReproVersion = 1;
inline constexpr std::int64_t kMostInline = 4096; ///< numbers; more go into a file beside

/// A run of a repro.
struct ReproRun {
    bool reproduced = false;
    hunt::Outcome outcome;
    std::string verdict, pairClass;
    double largestError = 0; ///< of a judged output; NaN and infinities left out
    double seconds = 0;
};

/// The repro of what a minimiser ended with; it is run once more, for verdict and class. Error: those of
/// running it; mismatch when that run does not fail as the others did.
Result<Repro> reproOf(Session& session, const Minified& minified, const Progress& progress = {});

/// Runs it again. `device` empty: that of the repro. Reproduced: bad by the same symptom, with a failure of
/// the same kind. Errors: cancelled, an unknown device; what cannot be run is unresolved.
Result<ReproRun> runRepro(Session& session, const Repro& repro, const std::string& device = "",
                          const Progress& progress = {});

/// The text of a `repro.json`; with `inputs` the numbers stand in that file, an npz beside it.
std::string reproText(const Repro& repro, const std::string& inputs = "");

/// Such a text; `folder` is where a file of inputs lies. Strict: what it does not know is an error. Errors,
/// with the place as path: malformed, unsupported for a later version, those of the graph and of the inputs.
Result<Repro> parseRepro(std::string_view text, const std::filesystem::path& folder);
Result<Repro> readRepro(const std::filesystem::path& file);

/// Every file of a repro in a folder, which is made if need be: repro.json (and repro.npz), repro.py where
/// numpy can say it, repro.md. Those of an earlier repro are replaced or removed. Returns their names.
/// Errors: io; usage where such a name is that of a file which this program did not write (checkReproFolder).
Result<std::vector<std::string>> writeRepro(const Repro& repro, const ReproRun& run,
                                            const hunt::MinimiseResult* minimised,
                                            const std::filesystem::path& folder);

/// `repro.md`: what, how much, which pass, tolerance, environment, and how to run it. `noScript` says why
/// there is no repro.py; empty: there is one. `minimised` may be null.
std::string reproMarkdown(const Repro& repro, const ReproRun& run, const hunt::MinimiseResult* minimised,
                          const std::string& noScript);

} // namespace divdet
