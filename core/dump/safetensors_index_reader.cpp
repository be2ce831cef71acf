#include <map>
#include <set>

#include <fmt/format.h>

#include "dump/inside_folder.h"
#include "dump/joined_dump.h"
#include "dump/json_outline.h"
#include "dump/limits.h"
#include "dump/natural_order.h"
#include "dump/reader.h"
#include "dump/sigbus_guard.h"
#include "dump/text_encoding.h"

namespace divdet {

Reader safetensorsReader();

namespace {
namespace fs = std::filesystem;
using DumpResult = Result<std::shared_ptr<const Dump>>;

/// The files of a set, each opened once. A name is that of a file beside the index, never a path.
class Shards {
public:
    explicit Shards(const fs::path& index)
        : m_index(index) {}

    const DumpResult& open(const std::string& name) {
        const auto known = m_open.find(name);
        if (known != m_open.end()) return known->second;
        return m_open.emplace(name, openBeside(name)).first->second;
    }
    const std::map<std::string, DumpResult>& all() const { return m_open; }

private:
    DumpResult openBeside(const std::string& name) const {
        const auto fail = [&](ErrorCode code, const std::string& what, const char* hint) {
            return Error{code, "the shard " + inQuotes(name) + " " + what, m_index.string(), hint};
        };
        if (name.empty() || name == "." || name == ".." ||
            name.find_first_of(std::string_view("/\\:\0", 4)) != std::string::npos)
            return fail(ErrorCode::refused, "is no name of a file beside the index",
                        "shards are read only from the folder of the index");
        std::error_code failure;
        const fs::path folder = m_index.parent_path(), path = folder / name;
        if (!fs::is_regular_file(m_index, failure))
            return fail(ErrorCode::refused, "belongs to an index that is not a file of its own", "");
        if (!fs::exists(path, failure))
            return fail(ErrorCode::notFound, "is not there", "put it beside the index");
        // In download caches the index and the shards are links into one folder of blobs.
        if (!staysInside(path, folder) && !staysInside(path, fs::canonical(m_index, failure).parent_path()))
            return fail(ErrorCode::refused, "leads out of the folder by a link",
                        "shards are read only from the folder of the index");
        auto file = FileBytes::open(path);
        if (!file) return file.error();
        return safetensorsReader().open(std::move(*file));
    }

    fs::path m_index;
    std::map<std::string, DumpResult> m_open;
};

class IndexReader {
public:
    IndexReader(const FileBytes& file, const JsonOutline& json)
        : m_file(file)
        , m_json(json)
        , m_shards(file.path()) {}

    Manifest manifest{"safetensors", {}, {}, {}, {}, std::nullopt};
    std::vector<DumpPart> parts;

    Status read() {
        manifest.path = m_file.path();
        const JsonNode* map = m_json.member(m_json.root(), "weight_map");
        if (!map || map->kind != JsonNode::Kind::object)
            return fail(map ? *map : m_json.root(), "the index has no weight_map of names and shards");
        std::map<std::string, std::string, bool (*)(std::string_view, std::string_view)> shardOfName(
            naturalLess);
        for (const JsonNode* entry : m_json.children(*map)) {
            const std::string name = m_json.key(*entry);
            if (entry->kind != JsonNode::Kind::string)
                return fail(*entry, "the shard of " + inQuotes(name) + " is no text");
            shardOfName[name] = m_json.text(*entry);
        }
        for (const auto& [name, shard] : shardOfName) add(name, shard);
        addUnlisted(shardOfName);
        checkTotal();
        return Done{};
    }

private:
    Error fail(const JsonNode& at, const std::string& what) const {
        return {ErrorCode::malformed, what, m_file.pathText(), "save the model again", at.text.offset};
    }

    void add(const std::string& name, const std::string& shard) {
        TapEntry tap;
        const auto broken = [&](Error e) {
            tap.name = name;
            tap.error = std::move(e);
            manifest.taps.push_back(std::move(tap));
            parts.push_back({});
        };
        const auto& dump = m_shards.open(shard);
        if (!dump) return broken(dump.error());
        const auto at = (*dump)->find(name);
        if (!at)
            return broken({ErrorCode::malformed,
                           "the shard " + inQuotes(shard) + " does not hold " + inQuotes(name) +
                               ", which the index looks for there",
                           m_file.pathText(), "take the index and the shards from one save"});
        manifest.taps.push_back((*dump)->taps()[*at]);
        parts.push_back({*dump, *at});
    }

    template <class Map>
    void addUnlisted(const Map& listed) {
        for (const auto& [shard, dump] : m_shards.all()) {
            if (!dump) continue;
            for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
                const TapEntry& tap = (*dump)->taps()[i];
                if (listed.contains(tap.name)) continue;
                manifest.cautions.push_back(
                    {"unlisted-member",
                     inQuotes(tap.name) + " is in " + inQuotes(shard) + ", but the index does not name it",
                     tap.name});
                manifest.taps.push_back(tap);
                parts.push_back({*dump, i});
            }
        }
    }

    /// `metadata.total_size`: bytes of all tensors together.
    void checkTotal() {
        const JsonNode* metadata = m_json.member(m_json.root(), "metadata");
        const JsonNode* total = metadata ? m_json.member(*metadata, "total_size") : nullptr;
        if (!total || total->kind != JsonNode::Kind::scalar) return;
        std::uint64_t bytes = 0;
        for (const TapEntry& tap : manifest.taps) {
            if (tap.error) return; // what is not there cannot be counted
            bytes += static_cast<std::uint64_t>(elementCount(tap.shape).value_or(0)) * itemSize(tap.dtype);
        }
        const std::string text = m_json.text(*total);
        if (text != std::to_string(bytes))
            manifest.cautions.push_back(
                {"size-mismatch",
                 fmt::format("the index tells of {} bytes, the shards hold {}", text.substr(0, 40), bytes),
                 ""});
    }

    const FileBytes& m_file;
    const JsonOutline& m_json;
    Shards m_shards;
};

DumpResult open(std::shared_ptr<const FileBytes> file) {
    const auto json = JsonOutline::of(*file);
    if (!json) return json.error();
    IndexReader reader(*file, *json);
    if (auto ok = reader.read(); !ok) return ok.error();
    return std::shared_ptr<const Dump>(
        std::make_shared<JoinedDump>(std::move(reader.manifest), std::move(reader.parts)));
}

bool matches(const FileBytes& file) {
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.size());
    const bool called = file.path().filename().string().ends_with(".safetensors.index.json");
    bool found = false;
    return guardMappedRead([&] {
               const std::string_view start = text.substr(0, limits::kPolygraphySniffBytes);
               const auto first = start.find_first_not_of(" \t\r\n");
               found = first != std::string_view::npos && start[first] == '{' &&
                       (called || start.find("\"weight_map\"") != std::string_view::npos);
           }) &&
           found;
}

} // namespace

Reader safetensors_indexReader() {
    return {matches, open};
}

} // namespace divdet
