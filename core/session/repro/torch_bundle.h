#pragma once
#include <string>
#include <vector>

#include "dump/dump.h"
#include "session/repro/torch_console.h"

namespace divdet {

/// Whether the last program of torch's minifier fails as the first did, told by the logs of both; nothing of
/// a bundle is ever run.
enum class BundleAnswer : std::uint8_t {
    same,    ///< an exception of the same class
    lost,    ///< its log has no failure: the minifier followed another one, or nothing
    other,   ///< it fails, in another way
    unknown, ///< no log says it
};
std::string_view toString(BundleAnswer answer);

struct TorchBundle {
    std::filesystem::path script; ///< the repro.py
    std::vector<TapEntry> inputs; ///< as of dump/minifier.h
    std::vector<std::string> ops; ///< of its forward: what is called, or the expression
    std::optional<TorchConsole> start, search, repro;
    BundleAnswer answer = BundleAnswer::unknown;
    std::string why;                ///< a sentence
    std::vector<std::string> notes; ///< whole sentences: what else the logs and the program tell
};

struct TorchBundleRequest {
    std::filesystem::path path;             ///< the repro.py, a folder of a run, or the folder of all runs
    std::filesystem::path startLog, runLog; ///< of the failing program and of repro.py; empty: look for them
};

/// Whether the path could be a bundle: a folder, or a script of the minifier.
bool looksLikeTorchBundle(const std::filesystem::path& path);

/// Logs that are not named are looked for beside the script and in the folder of all runs: text files whose
/// first line is `$ ` and a command; that of repro.py is its own, that of minifier_launcher.py the search's,
/// any other the start's. Errors: notFound where there is no repro.py; those of the files.
Result<TorchBundle> readTorchBundle(const TorchBundleRequest& request);

/// The ops of `def forward` in a script, in its return too and where a result is dropped; a value that is
/// only renamed or handed over is none.
std::vector<std::string> forwardOps(std::string_view script);

} // namespace divdet
