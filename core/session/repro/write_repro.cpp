#include <fmt/format.h>

#include "dump/atomic_file.h"
#include "dump/write.h"
#include "session/repro/repro.h"
#include "session/repro/repro_folder.h"
#include "session/repro/script.h"

namespace divdet {
namespace {

Status writeText(const std::filesystem::path& path, const std::string& text) {
    AtomicFile file(path);
    if (auto s = file.open(); !s) return s;
    if (auto s = file.write(text); !s) return s;
    return file.commit();
}

Status makeFolder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && std::filesystem::is_directory(folder, error)) return Done{};
    return Error{ErrorCode::io, "the folder cannot be made", folder.string(), "choose another one"};
}

std::vector<NamedTensor> inputsOf(const block::Graph& graph) {
    std::vector<NamedTensor> out;
    for (const block::Value& v : graph.values)
        if (v.data) out.push_back({v.name, *v.data});
    return out;
}

} // namespace

Result<std::vector<std::string>> writeRepro(const Repro& repro, const ReproRun& run,
                                            const hunt::MinimiseResult* minimised,
                                            const std::filesystem::path& folder) {
    if (auto s = checkReproFolder(folder); !s) return s.error();
    if (auto s = makeFolder(folder); !s) return s.error();
    std::vector<std::string> names;
    std::string inputs;
    if (sizeOf(repro.theCase).numbers > kMostInline) {
        inputs = kReproInputs;
        if (auto s = writeNpz(folder / inputs, inputsOf(repro.theCase.graph)); !s) return s.error();
        names.push_back(inputs);
    }
    const auto script = reproScript(repro, run, inputs);
    const std::string noScript = script ? std::string() : script.error().message;
    const auto write = [&](const char* name, const std::string& text) -> Status {
        if (auto s = writeText(folder / name, text); !s) return s;
        names.push_back(name);
        return Done{};
    };
    if (auto s = write("repro.json", reproText(repro, inputs)); !s) return s.error();
    if (script)
        if (auto s = write("repro.py", *script); !s) return s.error();
    if (auto s = write("repro.md", reproMarkdown(repro, run, minimised, noScript)); !s) return s.error();
    // Those of an earlier case, which the check found to be ours, would not belong to this one.
    std::error_code ignored;
    if (!script) std::filesystem::remove(folder / "repro.py", ignored);
    if (inputs.empty()) std::filesystem::remove(folder / kReproInputs, ignored);
    return names;
}

} // namespace divdet
