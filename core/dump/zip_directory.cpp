#include "dump/zip_directory.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kEnd64Bytes = 56, kLocatorBytes = 20;
constexpr std::uint32_t kMarker32 = 0xffffffff;

bool hasSignature(std::span<const std::byte> bytes, std::uint64_t at, const char (&signature)[5]) {
    return at + 4 <= bytes.size() && std::memcmp(bytes.data() + at, signature, 4) == 0;
}

/// The directory: where it starts, how long it is, and what to add to the offsets it holds (bytes in front of
/// the archive; negative when bytes were lost, which then shows at the members concerned).
struct Directory {
    std::uint64_t start = 0, size = 0;
    std::int64_t shift = 0;
};

std::optional<std::uint64_t> findEnd(std::span<const std::byte> bytes) {
    if (bytes.size() < kEndBytes) return std::nullopt;
    const std::uint64_t last = bytes.size() - kEndBytes;
    if (hasSignature(bytes, last, "PK\5\6") && littleAt<std::uint16_t>(bytes.data() + last + 20) == 0)
        return last;
    const std::uint64_t first = last > 65536 ? last - 65536 : 0; // a comment has at most 65535 bytes
    for (std::uint64_t at = bytes.size() - 3; at-- > first;)
        if (hasSignature(bytes, at, "PK\5\6")) return at <= last ? std::optional(at) : std::nullopt;
    return std::nullopt;
}

Result<Directory> findDirectory(const FileBytes& file) {
    const auto bytes = file.bytes();
    const auto end = findEnd(bytes);
    if (!end)
        return Error{ErrorCode::truncated, "the zip archive has no end record", file.pathText(),
                     "the file is cut short; copy or save it again", bytes.size()};
    const std::byte* p = bytes.data() + *end;
    std::uint64_t size = littleAt<std::uint32_t>(p + 12), offset = littleAt<std::uint32_t>(p + 16);
    std::uint64_t behind = *end; // end of the directory
    if (*end >= kLocatorBytes + kEnd64Bytes && hasSignature(bytes, *end - kLocatorBytes, "PK\6\7")) {
        const std::uint64_t at = *end - kLocatorBytes - kEnd64Bytes; // what the locator says is not relied on
        if (littleAt<std::uint32_t>(bytes.data() + *end - 4) > 1)
            return Error{ErrorCode::unsupported, "the zip archive is split over several files",
                         file.pathText(), "join it first", *end - kLocatorBytes};
        if (hasSignature(bytes, at, "PK\6\6")) {
            size = littleAt<std::uint64_t>(bytes.data() + at + 40);
            offset = littleAt<std::uint64_t>(bytes.data() + at + 48);
            behind = at;
        }
    }
    if (size > behind || offset > INT64_MAX)
        return Error{ErrorCode::malformed,
                     fmt::format("the zip directory claims {} bytes, {} are there", size, behind),
                     file.pathText(), "copy or save the file again", *end};
    Directory d{behind - size, size, 0};
    d.shift = static_cast<std::int64_t>(d.start) - static_cast<std::int64_t>(offset);
    return d;
}

/// Zip64 numbers stand in an extra field for those that are all ones in the entry.
Status readZip64(std::span<const std::byte> extra, ZipMember& m, std::uint64_t& header, std::uint64_t at,
                 const std::string& path) {
    const auto corrupt = [&] {
        return Error{ErrorCode::malformed, "an extra field of the zip directory is corrupt", path,
                     "copy or save the file again", at};
    };
    while (extra.size() >= 4) {
        const std::size_t length = littleAt<std::uint16_t>(extra.data() + 2);
        if (length + 4 > extra.size()) return corrupt();
        if (littleAt<std::uint16_t>(extra.data()) == 1) {
            auto data = extra.subspan(4, length);
            for (std::uint64_t* value : {&m.size, &m.compressed, &header}) {
                if (*value != kMarker32) continue;
                if (data.size() < 8) return corrupt();
                *value = littleAt<std::uint64_t>(data.data());
                data = data.subspan(8);
            }
        }
        extra = extra.subspan(length + 4);
    }
    return Done{};
}

std::string nameText(std::string_view raw, bool utf8) {
    // Names without the UTF-8 flag are cp437 by the book, UTF-8 in practice, and ASCII almost always.
    return utf8 || isUtf8(raw) ? std::string(raw) : latin1ToUtf8(raw);
}

/// Moves `header` by the shift; a place outside the file becomes an error of the member.
void place(ZipMember& m, std::uint64_t header, std::int64_t shift, const FileBytes& file) {
    std::int64_t at = 0;
    if (header <= INT64_MAX && !__builtin_add_overflow(static_cast<std::int64_t>(header), shift, &at) &&
        at >= 0 && static_cast<std::uint64_t>(at) < file.size()) {
        m.header = static_cast<std::uint64_t>(at);
        return;
    }
    m.error = Error{ErrorCode::malformed, "the zip directory places the member outside the file",
                    file.pathText(), "copy or save the file again"};
}

} // namespace

bool startsLikeZip(std::span<const std::byte> bytes) {
    return hasSignature(bytes, 0, "PK\3\4") || hasSignature(bytes, 0, "PK\5\6");
}

Result<std::vector<ZipMember>> readZipDirectory(const FileBytes& file) {
    const auto directory = findDirectory(file);
    if (!directory) return directory.error();
    const auto bytes = file.bytes();
    std::vector<ZipMember> members;
    std::uint64_t at = directory->start;
    const std::uint64_t end = directory->start + directory->size;
    while (at < end) {
        const auto bad = [&](std::string what) {
            return Error{ErrorCode::malformed, std::move(what), file.pathText(),
                         "copy or save the file again", at};
        };
        if (end - at < kEntryBytes) return bad("the zip directory ends inside an entry");
        if (!hasSignature(bytes, at, "PK\1\2")) return bad("an entry of the zip directory has no signature");
        if (members.size() == limits::kZipMembers)
            return Error{ErrorCode::refused, fmt::format("more than {} members", limits::kZipMembers),
                         file.pathText(), "", at};
        const std::byte* p = bytes.data() + at;
        ZipMember m;
        m.flags = littleAt<std::uint16_t>(p + 8);
        m.method = littleAt<std::uint16_t>(p + 10);
        m.crc = littleAt<std::uint32_t>(p + 16);
        m.compressed = littleAt<std::uint32_t>(p + 20);
        m.size = littleAt<std::uint32_t>(p + 24);
        const std::uint64_t nameBytes = littleAt<std::uint16_t>(p + 28),
                            extraBytes = littleAt<std::uint16_t>(p + 30),
                            commentBytes = littleAt<std::uint16_t>(p + 32);
        if (kEntryBytes + nameBytes + extraBytes + commentBytes > end - at)
            return bad("the zip directory ends inside an entry");
        std::uint64_t header = littleAt<std::uint32_t>(p + 42);
        m.name =
            nameText({reinterpret_cast<const char*>(p) + kEntryBytes, static_cast<std::size_t>(nameBytes)},
                     m.flags & 0x800);
        if (auto ok = readZip64({p + kEntryBytes + nameBytes, static_cast<std::size_t>(extraBytes)}, m,
                                header, at, file.pathText());
            !ok)
            return ok.error();
        place(m, header, directory->shift, file);
        members.push_back(std::move(m));
        at += kEntryBytes + nameBytes + extraBytes + commentBytes;
    }
    checkZipMembers(file, members);
    return members;
}

} // namespace divdet
