#include "session/repro/torch_bundle.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/file_bytes.h"
#include "dump/natural_order.h"
#include "dump/open.h"
#include "dump/repro_text.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

bool isFile(const fs::path& p) {
    std::error_code failure;
    return fs::symlink_status(p, failure).type() == fs::file_type::regular;
}

bool isFolder(const fs::path& p) {
    std::error_code failure;
    return fs::is_directory(p, failure);
}

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> out;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
        out.push_back(it->path());
    std::sort(out.begin(), out.end(),
              [](const fs::path& a, const fs::path& b) { return naturalLess(a.string(), b.string()); });
    return out;
}

/// In the folder, its `minifier`, or the last of the runs in it that has one.
Result<fs::path> scriptOf(const fs::path& path) {
    if (isFile(path)) return path;
    fs::path found;
    std::vector<fs::path> folders = entries(path);
    folders.push_back(path); // it comes before what lies in it
    for (const fs::path& folder : folders)
        for (const fs::path& candidate : {folder / "minifier" / "repro.py", folder / "repro.py"})
            if (isFile(candidate)) found = candidate;
    if (!found.empty()) return found;
    return Error{ErrorCode::notFound, "there is no repro.py of torch's minifier in the folder", path.string(),
                 "give the folder of a run, which has minifier/repro.py"};
}

Result<std::optional<TorchConsole>> named(const fs::path& file) {
    if (file.empty()) return std::optional<TorchConsole>();
    auto console = readTorchConsole(file);
    if (!console) return console.error();
    return std::optional<TorchConsole>(std::move(*console));
}

/// Into those of the three that are not named.
void lookForLogs(const fs::path& folder, TorchBundle& bundle) {
    for (const fs::path& path : entries(folder)) {
        if ((path.extension() != ".txt" && path.extension() != ".log") || !isFile(path)) continue;
        auto console = readTorchConsole(path);
        if (!console || console->command.empty()) continue;
        const auto runs = [&](const char* script) {
            return console->command.find(script) != std::string::npos;
        };
        auto& place = runs("minifier_launcher.py") ? bundle.search
                      : runs("repro.py")           ? bundle.repro
                                                   : bundle.start;
        if (!place) place = std::move(*console);
    }
}

void decide(TorchBundle& b) {
    if (b.ops.empty()) b.notes.push_back("The program of the repro has no op left.");
    if (b.search && b.start && !b.search->errorClass.empty() && !b.start->errorClass.empty() &&
        b.search->errorClass != b.start->errorClass)
        b.notes.push_back(fmt::format("The search met {} where the start had {}, and may have followed it.",
                                      b.search->errorClass, b.start->errorClass));
    if (!b.start || !b.repro) {
        b.why = fmt::format("there is no log of {}", b.start ? "its repro.py" : "the start");
        return;
    }
    const std::string &was = b.start->errorClass, &is = b.repro->errorClass;
    if (was.empty()) {
        b.why = "the log of the start names no exception";
    } else if (is.empty()) {
        b.answer = BundleAnswer::lost;
        b.why = fmt::format("the start ended with {}, the repro ends without an exception", was);
    } else {
        b.answer = is == was ? BundleAnswer::same : BundleAnswer::other;
        b.why = is == was ? fmt::format("both end with {}", was)
                          : fmt::format("the start ended with {}, the repro with {}", was, is);
    }
    if (b.answer == BundleAnswer::same && b.repro->status == 0)
        b.notes.push_back("repro.py ends with status 0 all the same: read what it prints.");
}

} // namespace

std::string_view toString(BundleAnswer answer) {
    switch (answer) {
    case BundleAnswer::same:
        return "same";
    case BundleAnswer::lost:
        return "lost";
    case BundleAnswer::other:
        return "other";
    case BundleAnswer::unknown:
        break;
    }
    return "unknown";
}

bool looksLikeTorchBundle(const fs::path& path) {
    return isFolder(path) || path.extension() == ".py";
}

Result<TorchBundle> readTorchBundle(const TorchBundleRequest& request) {
    const auto script = scriptOf(request.path);
    if (!script) return script.error();
    TorchBundle out;
    out.script = *script;
    const auto file = FileBytes::open(*script);
    if (!file) return file.error();
    const std::string_view text(reinterpret_cast<const char*>((*file)->bytes().data()), (*file)->size());
    if (!looksLikeRepro(text))
        return Error{ErrorCode::malformed, "this is no repro of torch's minifier", script->string(),
                     "it has a load_args(reader)"};
    out.ops = forwardOps(text);
    const auto dump = openDump(*script);
    if (!dump) return dump.error();
    out.inputs = (*dump)->taps();
    auto start = named(request.startLog), repro = named(request.runLog);
    if (!start) return start.error();
    if (!repro) return repro.error();
    out.start = std::move(*start), out.repro = std::move(*repro);
    fs::path folder = fs::absolute(*script).parent_path();
    lookForLogs(folder, out);
    for (int up = 0; folder.filename() == "minifier" && up < 2; ++up) // its run, and the folder of all runs
        lookForLogs(up ? folder.parent_path().parent_path() : folder.parent_path(), out);
    decide(out);
    return out;
}

} // namespace divdet
