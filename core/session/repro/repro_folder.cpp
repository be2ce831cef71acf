#include "session/repro/repro_folder.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace divdet {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kHead = 65536; ///< bytes in which every file of ours says what it is

bool isThere(const fs::path& path) {
    std::error_code failure;
    const auto type = fs::symlink_status(path, failure).type();
    return type != fs::file_type::not_found && type != fs::file_type::none;
}

/// The first bytes of a regular file; empty for anything else, which cannot be ours.
std::string headOf(const fs::path& path) {
    std::error_code failure;
    if (fs::symlink_status(path, failure).type() != fs::file_type::regular) return {};
    std::string out(kHead, '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(out.data(), static_cast<std::streamsize>(out.size()));
    out.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    return out;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

bool isOurs(const fs::path& folder, const std::string& name) {
    if (name == "repro.json") return holds(headOf(folder / name), "\"divdet_repro\":");
    if (name != kReproInputs) return holds(headOf(folder / name), kReproMark);
    // Numbers say nothing of their maker: the repro.json beside does, before its graph.
    std::error_code failure;
    if (fs::symlink_status(folder / name, failure).type() != fs::file_type::regular) return false;
    if (!isOurs(folder, "repro.json")) return false;
    return holds(headOf(folder / "repro.json"), fmt::format("\"inputs\": \"{}\"", kReproInputs));
}

} // namespace

Status checkReproFolder(const fs::path& folder) {
    for (const char* name : {"repro.json", kReproInputs, "repro.py", "repro.md"})
        if (isThere(folder / name) && !isOurs(folder, name))
            return Error{ErrorCode::usage,
                         fmt::format("there is a {} already that divdet did not write", name),
                         (folder / name).string(), "move it away, or choose another folder"};
    return Done{};
}

} // namespace divdet
