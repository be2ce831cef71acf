#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "dump/checked.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"
#include "dump/zip_directory.h"

namespace divdet {
namespace {

constexpr std::size_t kLocalBytes = 30;

Error fault(const FileBytes& file, ErrorCode code, std::string what, std::string hint, std::uint64_t at) {
    return Error{code, std::move(what), file.pathText(), std::move(hint), at};
}

std::string methodName(std::uint16_t method) {
    switch (method) {
    case 9:
        return "deflate64";
    case 14:
        return "LZMA";
    case 93:
        return "Zstandard";
    case 95:
        return "XZ";
    default:
        return fmt::format("method {}", method);
    }
}

std::optional<Error> checkLocal(const FileBytes& file, ZipMember& m) {
    const auto bytes = file.bytes();
    const auto bad = [&](std::string what) {
        return fault(file, ErrorCode::malformed, std::move(what), "copy or save the file again", m.header);
    };
    if (bytes.size() - m.header < kLocalBytes)
        return fault(file, ErrorCode::truncated, "the header of the member is cut short",
                     "copy or save the file again", bytes.size());
    const std::byte* p = bytes.data() + m.header;
    if (std::memcmp(p, "PK\3\4", 4) != 0) return bad("there is no member where the zip directory says");
    const std::uint64_t nameBytes = littleAt<std::uint16_t>(p + 26),
                        extraBytes = littleAt<std::uint16_t>(p + 28);
    if (kLocalBytes + nameBytes + extraBytes > bytes.size() - m.header)
        return fault(file, ErrorCode::truncated, "the header of the member is cut short",
                     "copy or save the file again", bytes.size());
    const std::string_view raw(reinterpret_cast<const char*>(p) + kLocalBytes,
                               static_cast<std::size_t>(nameBytes));
    const std::string local =
        (littleAt<std::uint16_t>(p + 6) & 0x800) || isUtf8(raw) ? std::string(raw) : latin1ToUtf8(raw);
    if (local != m.name)
        return bad(fmt::format("the directory calls the member {}, its own header {}", inQuotes(m.name),
                               inQuotes(local)));
    if (littleAt<std::uint16_t>(p + 8) != m.method)
        return bad("the directory and the member disagree on the compression");
    m.data = m.header + kLocalBytes + nameBytes + extraBytes;
    if (m.compressed > bytes.size() - m.data)
        return fault(file, ErrorCode::truncated,
                     fmt::format("the member has {} bytes by the directory, {} are there", m.compressed,
                                 bytes.size() - m.data),
                     "copy or save the file again", bytes.size());
    return std::nullopt;
}

std::optional<Error> checkKind(const FileBytes& file, const ZipMember& m) {
    if (m.flags & 0x41)
        return fault(file, ErrorCode::refused, "the member is encrypted", "decrypt the archive first",
                     m.header);
    if (m.method != 0 && m.method != 8 && m.method != 12)
        return fault(file, ErrorCode::unsupported, "the member is compressed with " + methodName(m.method),
                     "store it plainly or deflated (numpy.savez, savez_compressed)", m.header);
    if (m.stored() && m.size != m.compressed)
        return fault(file, ErrorCode::malformed,
                     fmt::format("a stored member with two sizes, {} and {}", m.compressed, m.size),
                     "save the file again", m.header);
    if (m.size > limits::kZipMemberBytes && !m.stored())
        return fault(file, ErrorCode::refused,
                     fmt::format("a member that unpacks to {} bytes, the limit is {}", m.size,
                                 limits::kZipMemberBytes),
                     "store it plainly", m.header);
    if (!m.stored() && m.size > limits::kZipRatioFree && m.size / limits::kZipRatio > m.compressed)
        return fault(file, ErrorCode::refused,
                     fmt::format("{} bytes that claim to unpack to {}: more than {} times (zip bomb)",
                                 m.compressed, m.size, limits::kZipRatio),
                     "", m.header);
    return std::nullopt;
}

/// Members whose bytes reach into the next one are refused; two entries for one and the same member are a
/// doubled name, which the reader deals with.
void checkOverlaps(const FileBytes& file, std::vector<ZipMember>& members) {
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return members[i].error.has_value(); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return members[a].header < members[b].header; });
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::size_t next = k + 1;
        while (next < order.size() && members[order[next]].header == members[order[k]].header) ++next;
        ZipMember& m = members[order[k]];
        if (next < order.size() && m.data + m.compressed > members[order[next]].header)
            m.error = fault(file, ErrorCode::refused, "the member overlaps the next one", "", m.header);
    }
}

} // namespace

void checkZipMembers(const FileBytes& file, std::vector<ZipMember>& members) {
    std::uint64_t total = 0;
    for (ZipMember& m : members) {
        if (!m.error) m.error = checkKind(file, m);
        if (!m.error) m.error = checkLocal(file, m);
        if (m.error || m.stored()) continue;
        total += m.size; // at most kZipMembers × kZipMemberBytes: fits
        if (total > limits::kZipTotalBytes)
            m.error = fault(
                file, ErrorCode::refused,
                fmt::format("the members unpack to more than {} bytes together", limits::kZipTotalBytes),
                "store them plainly", m.header);
    }
    checkOverlaps(file, members);
}

} // namespace divdet
