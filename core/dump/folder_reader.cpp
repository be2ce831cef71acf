#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "dump/folder_order.h"
#include "dump/inside_folder.h"
#include "dump/limits.h"
#include "dump/open.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

struct FolderTap {
    std::shared_ptr<const Dump> dump; ///< null when the file could not be opened
    std::size_t tap = 0;
};

class FolderDump final : public Dump {
public:
    FolderDump(Manifest manifest, std::vector<FolderTap> taps)
        : Dump(std::move(manifest))
        , m_taps(std::move(taps)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        return storedOf(*m_taps[index].dump, m_taps[index].tap, field);
    }
    Result<Tensor> loadRaw(std::size_t index) const override {
        return rawOf(*m_taps[index].dump, m_taps[index].tap);
    }
    std::vector<FolderTap> m_taps;
};

class Collector {
public:
    explicit Collector(const fs::path& folder)
        : m_folder(folder) {
        manifest = Manifest{"folder", folder, {}, {}, {}, std::nullopt};
    }
    Manifest manifest;
    std::vector<FolderTap> taps;

    Status files(std::map<std::string, std::vector<fs::path>>& byStem) {
        std::error_code failure;
        std::size_t count = 0;
        for (fs::directory_iterator it(m_folder, failure), end; !failure && it != end;
             it.increment(failure)) {
            const std::string file = it->path().filename().string();
            std::error_code kindFailure;
            if (file.starts_with('.')) continue;
            if (it->is_symlink(kindFailure) && !staysInside(it->path(), m_folder))
                ignore(file, "leads out of the folder");
            else if (!it->is_regular_file(kindFailure))
                ignore(file, "is not a file");
            else if (++count > limits::kFolderFiles)
                return Error{ErrorCode::refused, fmt::format("more than {} files", limits::kFolderFiles),
                             m_folder.string(), "open a part of the folder"};
            else
                byStem[it->path().stem().string()].push_back(it->path());
        }
        if (failure)
            return Error{ErrorCode::io, "the folder cannot be read: " + failure.message(), m_folder.string(),
                         "check its permissions"};
        return Done{};
    }

    void add(const fs::path& path, const std::string& base) {
        auto dump = openDump(path, {.folders = false});
        const std::string file = path.filename().string();
        if (!dump && dump.error().code == ErrorCode::unsupported && !startsLikeArray(path))
            return ignore(file, "is left out: " + dump.error().message);
        if (!dump) {
            TapEntry tap;
            tap.name = base;
            tap.error = dump.error();
            manifest.taps.push_back(std::move(tap));
            taps.push_back({});
            return;
        }
        const Manifest& part = (*dump)->manifest();
        const bool single = part.taps.size() == 1;
        const std::size_t first = manifest.taps.size();
        for (std::size_t i = 0; i < part.taps.size(); ++i) {
            TapEntry tap = part.taps[i];
            tap.name = single ? base : base + "/" + tap.name;
            if (tap.sameAs) *tap.sameAs += first;
            manifest.taps.push_back(std::move(tap));
            taps.push_back({*dump, i});
        }
        for (Caution c : part.cautions) {
            c.tap = c.tap.empty() || single ? base : base + "/" + c.tap;
            manifest.cautions.push_back(std::move(c));
        }
    }

private:
    void ignore(const std::string& file, const std::string& why) {
        manifest.cautions.push_back({"ignored-member", inQuotes(file) + " " + why, ""});
    }
    static bool startsLikeArray(const fs::path& path) { return path.extension() == ".npy"; }

    fs::path m_folder;
};

} // namespace

Result<std::shared_ptr<const Dump>> openFolder(const fs::path& path) {
    Collector all(path);
    std::map<std::string, std::vector<fs::path>> byStem;
    if (auto ok = all.files(byStem); !ok) return ok.error();
    std::vector<std::string> stems;
    for (const auto& [stem, files] : byStem) stems.push_back(stem);
    sortStems(stems);
    for (const std::string& stem : stems) {
        auto& files = byStem[stem];
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) all.add(file, files.size() == 1 ? stem : file.filename().string());
    }
    if (all.taps.empty())
        return Error{ErrorCode::unsupported, "no file of the folder holds tensors this version reads",
                     path.string(), "npy, npz, safetensors, PyTorch, ONNX and Polygraphy files are read"};
    return std::shared_ptr<const Dump>(
        std::make_shared<FolderDump>(std::move(all.manifest), std::move(all.taps)));
}

} // namespace divdet
