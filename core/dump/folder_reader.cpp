#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "dump/folder_order.h"
#include "dump/inside_folder.h"
#include "dump/joined_dump.h"
#include "dump/limits.h"
#include "dump/open.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

class Collector {
public:
    explicit Collector(const fs::path& folder)
        : m_folder(folder) {
        manifest = Manifest{"folder", folder, {}, {}, {}, std::nullopt};
    }
    Manifest manifest;
    std::vector<DumpPart> taps;

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

    /// Taps are named `base`, or `base/name` of several (with `keepNames` always); an empty base adds
    /// nothing.
    void add(const fs::path& path, const std::string& base, bool keepNames = false) {
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
        const bool single = part.taps.size() == 1 && !keepNames;
        const std::string prefix = base.empty() ? base : base + "/";
        for (std::size_t i = 0; i < part.taps.size(); ++i) {
            TapEntry tap = part.taps[i];
            tap.name = single ? base : prefix + tap.name;
            manifest.taps.push_back(std::move(tap));
            taps.push_back({*dump, i});
        }
        for (Caution c : part.cautions) {
            c.tap = c.tap.empty() || single ? base : prefix + c.tap;
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

using DumpResult = Result<std::shared_ptr<const Dump>>;

namespace {

using FilesByStem = std::map<std::string, std::vector<fs::path>>;

/// Polygraphy saves many iterations as a folder of `0000000000.json`, `0000000001.json`, …
bool iterationFiles(const FilesByStem& byStem) {
    return std::all_of(byStem.begin(), byStem.end(), [](const auto& entry) {
        return entry.second.size() == 1 && entry.second[0].extension() == ".json" &&
               entry.first.find_first_not_of("0123456789") == std::string::npos;
    });
}

DumpResult openFiles(Collector& all, FilesByStem byStem, const fs::path& folder) {
    const bool iterations = iterationFiles(byStem);
    std::vector<std::string> stems;
    for (const auto& [stem, files] : byStem) stems.push_back(stem);
    sortStems(stems);
    std::size_t iteration = 0;
    for (const std::string& stem : stems) {
        auto& files = byStem[stem];
        std::sort(files.begin(), files.end());
        if (iterations) {
            all.add(files[0], stems.size() > 1 ? fmt::format("iteration{}", iteration++) : "", true);
            continue;
        }
        for (const fs::path& file : files) all.add(file, files.size() == 1 ? stem : file.filename().string());
    }
    if (all.taps.empty())
        return Error{ErrorCode::unsupported, "no file of the folder holds tensors this version reads",
                     folder.string(), "npy, npz, safetensors, ONNX and Polygraphy files are read"};
    return std::shared_ptr<const Dump>(
        std::make_shared<JoinedDump>(std::move(all.manifest), std::move(all.taps)));
}

/// Folders `rank0`, `rank1`, … side by side. A link that leaves the folder is no rank.
Result<std::vector<RankPart>> rankFolders(const fs::path& folder) {
    std::map<std::uint64_t, fs::path> byRank;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
        const auto name = rankedName(entry.path().filename().string());
        if (name && name->rest.empty() && entry.is_directory(failure) && staysInside(entry.path(), folder))
            byRank[name->rank] = entry.path();
    }
    std::vector<RankPart> parts;
    if (byRank.size() < 2) return parts;
    for (const auto& [rank, path] : byRank) {
        auto dump = openFolder(path);
        if (!dump) return dump.error();
        parts.push_back({rank, std::move(*dump)});
    }
    return parts;
}

/// Files of which each names its rank; none when one does not or there is only one rank.
Result<std::vector<RankPart>> rankFiles(const fs::path& folder, const FilesByStem& byStem) {
    std::map<std::uint64_t, FilesByStem> byRank;
    for (const auto& [stem, files] : byStem) {
        auto name = rankedName(stem);
        if (!name) return std::vector<RankPart>{};
        auto& place = byRank[name->rank][name->rest.empty() ? "data" : name->rest];
        place.insert(place.end(), files.begin(), files.end());
    }
    std::vector<RankPart> parts;
    if (byRank.size() < 2) return parts;
    for (auto& [rank, files] : byRank) {
        const bool oneFile = files.size() == 1 && files.begin()->second.size() == 1;
        auto only = oneFile ? openDump(files.begin()->second[0],
                                       {
                                           .folders = false,
                                       })
                            : DumpResult(Error{});
        if (only && (*only)->taps().size() > 1) { // its own names tell more than the file's
            parts.push_back({rank, std::move(*only)});
            continue;
        }
        Collector all(folder);
        auto dump = openFiles(all, std::move(files), folder);
        if (!dump) return dump.error();
        parts.push_back({rank, std::move(*dump)});
    }
    return parts;
}

/// The index of a sharded model in the folder, if there is exactly one.
std::optional<fs::path> shardIndex(const FilesByStem& byStem) {
    std::optional<fs::path> found;
    for (const auto& [stem, files] : byStem)
        for (const fs::path& file : files) {
            if (!file.filename().string().ends_with(".safetensors.index.json")) continue;
            if (found) return std::nullopt;
            found = file;
        }
    return found;
}

} // namespace

DumpResult openFolder(const fs::path& path, const RankJoin& ranks) {
    Collector all(path);
    FilesByStem byStem;
    if (auto ok = all.files(byStem); !ok) return ok.error();
    if (const auto index = shardIndex(byStem)) return openDump(*index);
    for (auto parts : {rankFolders(path), rankFiles(path, byStem)}) {
        if (!parts) return parts.error();
        if (!parts->empty()) return joinRanks(path, std::move(*parts), ranks);
    }
    return openFiles(all, std::move(byStem), path);
}

} // namespace divdet
