#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "dump/npy_layout.h"
#include "dump/reader.h"
#include "dump/text_encoding.h"
#include "dump/zip_directory.h"
#include "dump/zip_unpack.h"

namespace divdet {
namespace {

struct NpzTap {
    ZipMember member;
    NpyLayout layout; ///< valid when the tap has no error
};

class NpzDump final : public Dump {
public:
    NpzDump(Manifest manifest, std::shared_ptr<const FileBytes> file, std::vector<NpzTap> taps)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_taps(std::move(taps)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        auto tensor = window(m_taps[index], field);
        if (tensor) return tensor;
        Error e = tensor.error();
        e.path = m_file->pathText() + ": " + taps()[index].name;
        return e;
    }

    Result<Tensor> window(const NpzTap& tap, const std::string& field) const {
        if (tap.member.stored()) {
            if (auto ok = verifyStored(*m_file, tap.member); !ok) return ok.error();
            return npyTensor(tap.layout, m_file->bytes().data() + tap.member.data, m_file, field);
        }
        auto bytes = unpackAll(*m_file, tap.member);
        if (!bytes) return bytes.error();
        auto owner = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
        const std::byte* stream = owner->data();
        return npyTensor(tap.layout, stream, std::move(owner), field);
    }

    std::shared_ptr<const FileBytes> m_file;
    std::vector<NpzTap> m_taps;
};

/// Unpacks no more of the member than its npy header.
Result<NpyLayout> layoutOf(const FileBytes& file, const ZipMember& member) {
    auto head = unpackStart(file, member, 4096);
    if (!head) return head.error();
    const auto end =
        npyHeaderEnd(std::span(*head).subspan(0, std::min<std::size_t>(head->size(), 12)), member.size);
    if (!end) return end.error();
    if (*end > head->size()) head = unpackStart(file, member, *end);
    if (!head) return head.error();
    return readNpyLayout(*head, member.size);
}

std::string tapName(const ZipMember& m) {
    return m.name.ends_with(".npy") ? m.name.substr(0, m.name.size() - 4) : m.name;
}

/// Python's reading: of equal names the last entry counts, at the place of the first.
std::vector<ZipMember> withoutDoubles(std::vector<ZipMember> members, std::vector<Caution>& cautions) {
    std::map<std::string, std::size_t> seen;
    std::vector<ZipMember> out;
    for (ZipMember& m : members) {
        const auto [at, fresh] = seen.try_emplace(m.name, out.size());
        if (fresh) {
            out.push_back(std::move(m));
            continue;
        }
        cautions.push_back({"duplicate-member",
                            inQuotes(m.name) + " is in the archive more than once; the last one is used",
                            tapName(m)});
        out[at->second] = std::move(m);
    }
    return out;
}

/// A README or the like: neither named as an array nor one by its first bytes.
bool isForeign(const FileBytes& file, const ZipMember& m) {
    if (m.error || m.name.ends_with(".npy")) return false;
    const auto start = unpackStart(file, m, 6);
    return start && (start->size() < 6 || !startsLikeNpy(*start));
}

void addTap(Manifest& manifest, const Result<NpyLayout>& layout, std::string name, const FileBytes& file) {
    TapEntry tap;
    tap.name = std::move(name);
    if (!layout) {
        tap.error = layout.error();
        tap.error->path = file.pathText() + ": " + tap.name;
    } else {
        describeNpy(*layout, tap);
        if (layout->trailing)
            manifest.cautions.push_back(
                {"size-mismatch",
                 fmt::format("{} bytes follow the array {}", layout->trailing, inQuotes(tap.name)),
                 tap.name});
    }
    manifest.taps.push_back(std::move(tap));
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    auto members = readZipDirectory(*file);
    if (!members) return members.error();
    Manifest manifest{"npz", file->path(), {}, {}, {}, std::nullopt};
    std::vector<NpzTap> taps;
    std::set<std::string> names;
    for (ZipMember& m : withoutDoubles(std::move(*members), manifest.cautions)) {
        if (m.name.ends_with('/') && m.size == 0) continue; // a directory
        if (isForeign(*file, m)) {
            manifest.cautions.push_back({"ignored-member", inQuotes(m.name) + " is not an array", ""});
            continue;
        }
        auto layout = m.error ? Result<NpyLayout>(*m.error) : layoutOf(*file, m);
        const bool fresh = names.insert(tapName(m)).second; // arrays `a` and `a.npy` may both be there
        addTap(manifest, layout, fresh ? tapName(m) : m.name, *file);
        taps.push_back({std::move(m), layout ? std::move(*layout) : NpyLayout{}});
    }
    return std::shared_ptr<const Dump>(
        std::make_shared<NpzDump>(std::move(manifest), std::move(file), std::move(taps)));
}

} // namespace

Reader npzReader() {
    return {[](const FileBytes& file) { return startsLikeZip(file.bytes()); }, open};
}

} // namespace divdet
