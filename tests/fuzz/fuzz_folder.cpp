#include <algorithm>

#include "fuzz/dump_walk.h"
#include "fuzz/scratch.h"
#include "fuzz/torch_sample.h"

// A folder built from the input: up to eight entries, each a name, a kind (file, link, folder) and its bytes.
// Names are those that a file system allows. What torch's minifier leaves is such a folder, so are ranks and
// shards.

namespace divdet::fuzz {
namespace {
namespace fs = std::filesystem;

/// The path below the scratch folder, or empty where it would leave it.
fs::path safe(const fs::path& root, const std::string& name) {
    const fs::path path = (root / fs::path(name).relative_path()).lexically_normal();
    const auto [in, at] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return in == root.end() && at != path.end() ? path : fs::path();
}

void folder(Input input) {
    Choices choices(input);
    const fs::path root = emptyScratch() / "run";
    std::error_code failure;
    fs::create_directories(root, failure);
    std::uint64_t most = 0;
    for (int entry = 0; entry < 8 && !choices.empty(); ++entry) {
        const std::uint8_t kind = choices.byte();
        std::string name = choices.line();
        std::erase(name, '\0');
        const fs::path path = safe(root, name.substr(0, 200));
        const std::string content(asText(choices.take(choices.number(2))));
        if (path.empty() || fs::exists(fs::symlink_status(path, failure))) continue;
        fs::create_directories(path.parent_path(), failure);
        if (kind % 8 == 7)
            fs::create_symlink(content.substr(0, content.find('\0')).substr(0, 200), path, failure);
        else if (kind % 8 == 6)
            fs::create_directories(path, failure);
        else if (!failure)
            writeText(path, content);
        most = std::max<std::uint64_t>(most, content.size());
    }
    const auto dump = openDump(root);
    if (dump)
        walkDump(**dump, most);
    else
        checkError(dump.error(), most);
    if (const auto script = openDump(root / "repro.py")) walkDump(**script, most);
    if (const auto index = openDump(root / "model.safetensors.index.json")) walkDump(**index, most);
}

std::string entry(int kind, const std::string& name, const std::string& content) {
    return std::string(1, static_cast<char>(kind)) + name + "\n" + static_cast<char>(content.size() >> 8) +
           static_cast<char>(content.size() & 0xff) + content;
}

std::vector<std::string> seeds() {
    const auto tensors = sampleTensors();
    const auto npyOf = [&](std::size_t i) {
        return writtenFile(".npy", [&](const auto& path) { return writeNpy(path, tensors[i].tensor); });
    };
    const std::string part = writtenFile(".safetensors", [&](const auto& path) {
        return writeSafetensors(path, std::span(tensors).first(1));
    });
    const std::string hash(40, 'a');
    return {
        entry(0, "t1.npy", npyOf(0)) + entry(0, "t10.npy", npyOf(1)) + entry(0, "README", "text"),
        entry(0, "a.npy", npyOf(0)) + entry(7, "b.npy", "a.npy") + entry(7, "c.npy", "/etc/passwd") +
            entry(6, "sub", ""),
        entry(0, "model.safetensors.index.json",
              R"({"metadata": {}, "weight_map": {"layers.0/first": "part-00001-of-00002.safetensors"}})") +
            entry(0, "part-00001-of-00002.safetensors", part),
        entry(0, "rank0/x.npy", npyOf(0)) + entry(0, "rank1/x.npy", npyOf(0)),
        entry(0, "repro.py",
              "def load_args(reader):\n    buf0 = reader.storage('" + hash +
                  "', 32)\n    reader.tensor(buf0, (2, 2), is_leaf=True)  # x\nload_args._version = 0\n") +
            entry(0, "checkpoints/storages/" + hash, torchDict())};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(folder, divdet::fuzz::folder, divdet::fuzz::seeds)
