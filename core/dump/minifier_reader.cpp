#include "dump/minifier.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/limits.h"
#include "dump/minifier_dump.h"
#include "dump/natural_order.h"
#include "dump/reader.h"
#include "dump/repro_text.h"
#include "dump/saved_tensor.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

std::string_view textOf(const FileBytes& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

bool isFolder(const fs::path& p) {
    std::error_code failure;
    return fs::symlink_status(p, failure).type() == fs::file_type::directory;
}

/// Where the storages of a file in `folder` are.
fs::path storagesBeside(const fs::path& folder) {
    return isFolder(folder / "checkpoints") ? folder / "checkpoints" / "storages" : folder / "storages";
}

std::shared_ptr<const Dump> reproDump(const fs::path& shown, const FileBytes& file) {
    MinifierTaps taps(shown, storagesBeside(file.path().parent_path()));
    TorchRepro repro = parseTorchRepro(textOf(file));
    taps.addValue("repro", file.path().filename().string());
    for (auto& [name, value] : repro.values) taps.addValue(std::move(name), std::move(value));
    for (ReproTensor& t : repro.tensors) {
        if (t.error) {
            taps.addError(std::move(t.name), std::move(*t.error));
            continue;
        }
        const ReproStorage& s = repro.storages[t.window->storage];
        taps.add(std::move(t.name), std::move(*t.window), s.hash, s.bytes);
    }
    return std::move(taps).finish();
}

/// The folder that holds the scripts: the given one or its `minifier`.
fs::path scriptFolder(const fs::path& folder) {
    return isFolder(folder / "minifier") ? folder / "minifier" : folder;
}

std::shared_ptr<const FileBytes> scriptOf(const fs::path& folder) {
    std::error_code failure;
    for (const char* name : {"repro.py", "minifier_launcher.py"}) {
        const fs::path path = scriptFolder(folder) / name;
        if (fs::symlink_status(path, failure).type() != fs::file_type::regular) continue;
        auto file = FileBytes::open(path);
        if (file && looksLikeRepro(textOf(**file))) return *file;
    }
    return nullptr;
}

/// Files of `folder` and of folders in it, as paths below it in natural order; names of tensors may hold
/// slashes.
Result<std::vector<std::string>> filesBelow(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code failure;
    for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end;
         it.increment(failure)) {
        if (it->symlink_status(failure).type() != fs::file_type::regular) continue;
        if (out.size() == limits::kFolderFiles)
            return Error{ErrorCode::refused, fmt::format("more than {} files", limits::kFolderFiles),
                         folder.string(), "open a part of the folder"};
        out.push_back(it->path().lexically_relative(folder).generic_string());
    }
    if (failure)
        return Error{ErrorCode::io, "the folder cannot be read: " + failure.message(), folder.string(),
                     "check its permissions"};
    std::sort(out.begin(), out.end(), naturalLess);
    return out;
}

Result<std::shared_ptr<const Dump>> savedTensors(const fs::path& shown, const fs::path& checkpoints) {
    const auto files = filesBelow(checkpoints / "tensors");
    if (!files) return files.error();
    MinifierTaps taps(shown, checkpoints / "storages");
    for (const std::string& name : *files) {
        auto saved = readSavedTensor(checkpoints / "tensors" / name);
        if (saved)
            taps.add(name, std::move(saved->window), saved->hash, std::nullopt);
        else
            taps.addError(name, saved.error());
    }
    return std::move(taps).finish();
}

Result<std::shared_ptr<const Dump>> bareStorages(const fs::path& shown, const fs::path& folder) {
    const auto files = filesBelow(folder);
    if (!files) return files.error();
    MinifierTaps taps(shown, folder);
    for (const std::string& name : *files)
        if (isStorageHash(name)) taps.addStorage(name);
    return std::move(taps).finish();
}

fs::path checkpointsOf(const fs::path& folder) {
    const fs::path scripts = scriptFolder(folder);
    return isFolder(scripts / "checkpoints") ? scripts / "checkpoints" : scripts;
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    return reproDump(file->path(), *file);
}

} // namespace

bool isMinifierFolder(const fs::path& folder) {
    const fs::path checkpoints = checkpointsOf(folder);
    return isFolder(checkpoints / "storages") || isFolder(checkpoints / "tensors") || scriptOf(folder);
}

Result<std::shared_ptr<const Dump>> openMinifierFolder(const fs::path& folder) {
    const fs::path checkpoints = checkpointsOf(folder);
    if (isFolder(checkpoints / "tensors")) return savedTensors(folder, checkpoints);
    if (const auto script = scriptOf(folder)) return reproDump(folder, *script);
    return bareStorages(folder, checkpoints / "storages");
}

Reader minifierReader() {
    return {[](const FileBytes& file) { return looksLikeRepro(textOf(file)); }, open};
}

} // namespace divdet
