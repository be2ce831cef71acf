#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/natural_order.h"
#include "dump/reader.h"
#include "dump/safetensors_layout.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

class SafetensorsDump final : public Dump {
public:
    SafetensorsDump(Manifest manifest, std::shared_ptr<const FileBytes> file,
                    std::vector<std::uint64_t> offsets)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_offsets(std::move(offsets)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string&) const override {
        const TapEntry& tap = taps()[index];
        TensorView view{tap.dtype, tap.shape, rowMajorStrides(tap.shape, itemSize(tap.dtype)),
                        m_file->bytes().data() + m_offsets[index], false};
        return Tensor(std::move(view), m_file);
    }
    std::shared_ptr<const FileBytes> m_file;
    std::vector<std::uint64_t> m_offsets; ///< in the file, one per tap
};

/// A JSON list of strings and nothing else; a tree of another document could take fifty times its text.
struct StringList : nlohmann::json_sax<nlohmann::json> {
    std::vector<std::string> names;
    bool open = false;

    bool start_array(std::size_t) override { return !std::exchange(open, true); }
    bool end_array() override { return true; }
    bool string(std::string& value) override { return open && (names.push_back(std::move(value)), true); }
    bool null() override { return false; }
    bool boolean(bool) override { return false; }
    bool number_integer(number_integer_t) override { return false; }
    bool number_unsigned(number_unsigned_t) override { return false; }
    bool number_float(number_float_t, const std::string&) override { return false; }
    bool binary(nlohmann::json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return false; }
    bool key(std::string&) override { return false; }
    bool end_object() override { return false; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }
};

/// Names of the `tap_order` metadata, a JSON list of strings; anything else counts as absent.
std::vector<std::string> tapOrder(const SafetensorsHeader& header) {
    for (const auto& [key, value] : header.metadata) {
        if (key != "tap_order") continue;
        StringList list;
        if (!nlohmann::json::sax_parse(value, &list)) return {};
        return std::move(list.names);
    }
    return {};
}

void sortByDepth(SafetensorsHeader& header) {
    std::unordered_map<std::string, std::size_t> rank;
    for (std::string& name : tapOrder(header)) rank.try_emplace(std::move(name), rank.size());
    const auto rankOf = [&](const SafetensorsEntry& e) {
        const auto at = rank.find(e.name);
        return at == rank.end() ? rank.size() : at->second;
    };
    std::stable_sort(header.entries.begin(), header.entries.end(), [&](const auto& a, const auto& b) {
        const std::size_t x = rankOf(a), y = rankOf(b);
        return x != y ? x < y : naturalLess(a.name, b.name);
    });
}

TapEntry tapOf(SafetensorsEntry& e, std::uint64_t dataStart, const FileBytes& file) {
    TapEntry tap;
    tap.name = std::move(e.name);
    const auto fail = [&](ErrorCode code, std::string what, std::string hint, std::uint64_t at) {
        tap.error = Error{code, std::move(what), file.pathText() + ": " + tap.name, std::move(hint), at};
    };
    const auto dtype = safetensorsDType(e.dtype);
    if (dtype) tap.dtype = *dtype;
    bool countable = true;
    for (const std::uint64_t extent : e.shape) {
        countable = countable && extent <= INT64_MAX;
        tap.shape.push_back(countable ? static_cast<std::int64_t>(extent) : 0);
    }
    if (!countable || !byteCount(tap.shape, dtype ? itemSize(*dtype) : 1)) {
        tap.shape.clear();
        fail(ErrorCode::unsupported, "the shape has an extent beyond 63 bits", "", dataStart);
    } else if (!dtype) {
        fail(ErrorCode::unsupported, "the type " + inQuotes(e.dtype) + " is not compared by this version",
             "convert the tensor to one of the usual types", dataStart + std::min(e.begin, file.size()));
    } else if (e.end > file.size() - dataStart) {
        fail(ErrorCode::truncated,
             fmt::format("the tensor ends at byte {} of the data, {} are there", e.end,
                         file.size() - dataStart),
             "copy or save the file again", file.size());
    }
    return tap;
}

Error inFile(Error e, const FileBytes& file, std::uint64_t base) {
    e.path = file.pathText();
    if (e.offset) *e.offset += base;
    return e;
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    constexpr std::uint64_t prefix = 8;
    const auto bytes = file->bytes();
    if (bytes.size() < prefix)
        return Error{ErrorCode::truncated, "the file ends inside the length of the safetensors header",
                     file->pathText(), "copy or save the file again", bytes.size()};
    const std::uint64_t length = littleAt<std::uint64_t>(bytes.data());
    if (length > limits::kSafetensorsHeaderBytes)
        return Error{ErrorCode::refused,
                     fmt::format("a safetensors header of {} bytes, the format allows {}", length,
                                 limits::kSafetensorsHeaderBytes),
                     file->pathText(), "this is probably another kind of file", 0};
    if (length > bytes.size() - prefix)
        return Error{ErrorCode::truncated,
                     fmt::format("the safetensors header claims {} bytes, {} are there", length,
                                 bytes.size() - prefix),
                     file->pathText(), "copy or save the file again", bytes.size()};
    auto header = parseSafetensorsHeader(
        {reinterpret_cast<const char*>(bytes.data()) + prefix, static_cast<std::size_t>(length)});
    if (!header) return inFile(header.error(), *file, prefix);
    const std::uint64_t dataStart = prefix + length;
    if (auto ok = checkSafetensorsRanges(header->entries, bytes.size() - dataStart); !ok)
        return inFile(ok.error(), *file, 0);

    sortByDepth(*header);
    Manifest manifest{"safetensors",        file->path(), {}, std::move(header->metadata), {},
                      shardOf(file->path())};
    std::vector<std::uint64_t> offsets;
    for (SafetensorsEntry& e : header->entries) {
        offsets.push_back(dataStart + e.begin);
        manifest.taps.push_back(tapOf(e, dataStart, *file));
        if (manifest.taps.back().error) offsets.back() = 0;
    }
    return std::shared_ptr<const Dump>(
        std::make_shared<SafetensorsDump>(std::move(manifest), std::move(file), std::move(offsets)));
}

/// A plausible length followed by `{`; the name decides only what a file that nothing else explains is
/// called.
bool matches(const FileBytes& file) {
    const auto bytes = file.bytes();
    if (bytes.size() < 9) return false;
    std::size_t at = 8;
    while (at < bytes.size() && at < 64 &&
           std::string_view(" \t\r\n").find(static_cast<char>(bytes[at])) != std::string_view::npos)
        ++at;
    return at < bytes.size() && bytes[at] == std::byte{'{'};
}

} // namespace

Reader safetensorsReader() {
    return {matches, open};
}

} // namespace divdet
