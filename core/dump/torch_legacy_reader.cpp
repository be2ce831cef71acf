#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/reader.h"
#include "dump/torch_dump.h"
#include "dump/torch_globals.h"

namespace divdet {
namespace {

using Kind = PickleValue::Kind;

/// The number 0x1950a86a20f9469cfc6c, little-endian behind LONG1 and its length: the first pickle of a file.
constexpr unsigned char kMagic[] = {0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};

bool matches(const FileBytes& file) {
    const auto bytes = file.bytes();
    if (bytes.size() < 2 || bytes[0] != std::byte{0x80}) return false;
    const auto* first = reinterpret_cast<const unsigned char*>(bytes.data());
    const auto* last = first + std::min<std::size_t>(bytes.size(), 32); // protocol 4 puts a frame before it
    return std::search(first, last, std::begin(kMagic), std::end(kMagic)) != last;
}

/// The pickles one after the other.
class Pickles {
public:
    explicit Pickles(const FileBytes& file)
        : m_file(file) {}

    Result<Pickle> next() {
        const std::uint64_t most = m_at + limits::kPickleBytes;
        const bool limited = m_file.size() > most;
        auto pickle =
            readPickle(m_file.bytes().subspan(0, static_cast<std::size_t>(limited ? most : m_file.size())),
                       static_cast<std::size_t>(m_at), kTorchGlobals);
        if (pickle) {
            m_at = pickle->end;
            return pickle;
        }
        Error e = pickle.error();
        if (limited && e.code == ErrorCode::truncated)
            e = {ErrorCode::refused, fmt::format("a pickle of more than {} bytes", limits::kPickleBytes), "",
                 "save the tensors in several files", m_at};
        e.path = m_file.pathText();
        return e;
    }
    std::uint64_t at() const { return m_at; }

private:
    const FileBytes& m_file;
    std::uint64_t m_at = 0;
};

/// Behind the pickles, for each key: the number of elements (8 bytes) and the elements, both little-endian
/// whatever the machine that wrote them. A storage that does not fit hides where the next one begins.
std::vector<TorchBytes> placesOf(const FileBytes& file, const Pickle& keys, std::uint64_t at,
                                 const std::vector<TorchStorage>& storages) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> byKey;
    for (std::size_t i = 0; i < storages.size(); ++i) byKey[storages[i].key].push_back(i);
    std::vector<TorchBytes> out(storages.size());
    for (TorchBytes& b : out)
        b.error = Error{ErrorCode::malformed, "the file lists no such storage", file.pathText(),
                        "copy or save the file again"};
    std::optional<Error> stuck;
    for (const std::uint32_t item : keys.at(keys.top).items) {
        const auto found = byKey.find(keys.at(item).text);
        if (!stuck && found == byKey.end())
            stuck = Error{ErrorCode::malformed, "the file lists a storage that no tensor describes",
                          file.pathText(), "save the file again", keys.at(item).offset};
        if (found == byKey.end()) continue;
        const TorchStorage& s = storages[found->second.front()];
        std::uint64_t size = 0;
        if (!stuck) {
            const auto claimed = mulFits(s.elements, s.type.item);
            const auto end = claimed ? addFits(at + 8, *claimed) : std::nullopt;
            if (file.size() - at < 8 || !end || *end > file.size())
                stuck = Error{ErrorCode::truncated,
                              fmt::format("the file ends inside a storage of {} elements of {} bytes",
                                          s.elements, s.type.item),
                              file.pathText(), "copy or save the file again", file.size()};
            else if (const auto stored = littleAt<std::uint64_t>(file.bytes().data() + at);
                     stored != s.elements)
                stuck = Error{
                    ErrorCode::malformed,
                    fmt::format("a storage of {} elements where the pickle promises {}", stored, s.elements),
                    file.pathText(), "copy or save the file again", at};
            size = claimed.value_or(0);
        }
        for (const std::size_t i : found->second) {
            out[i].error = stuck;
            out[i].at = at + 8;
            if (!stuck && (storages[i].elements != s.elements || storages[i].type.item != s.type.item))
                out[i].error = Error{ErrorCode::malformed, "two tensors describe their storage differently",
                                     file.pathText(), "save the file again", at};
        }
        if (!stuck) at += 8 + size;
    }
    return out;
}

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    Pickles pickles(*file);
    const auto magic = pickles.next();
    if (!magic) return magic.error();
    const auto version = pickles.next();
    if (!version) return version.error();
    if (const PickleValue& v = version->at(version->top); v.kind != Kind::integer || v.integer != 1001)
        return Error{ErrorCode::unsupported, "a PyTorch file of an unknown version", file->pathText(),
                     "save it again with a newer PyTorch", magic->end};
    const auto system = pickles.next();
    if (!system) return system.error();
    const auto object = pickles.next();
    if (!object) return object.error();
    auto contents = readTorchObject(*object, loneTensorName(*file));
    if (!contents) {
        Error e = contents.error();
        e.path = file->pathText();
        return e;
    }
    const auto keys = pickles.next();
    if (!keys) return keys.error();
    if (keys->at(keys->top).kind != Kind::list)
        return Error{ErrorCode::malformed, "the list of storages is no list", file->pathText(),
                     "save the file again", object->end};
    auto places = placesOf(*file, *keys, pickles.at(), contents->storages);
    const std::string where = file->pathText();
    return makeTorchDump(std::move(file), std::move(*contents), std::move(places), where, false);
}

} // namespace

Reader torch_legacyReader() {
    return {matches, open};
}

} // namespace divdet
