#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/file_bytes.h"

namespace divdet {

/// One member as the central directory tells it. A fault of one member does not spoil the others.
struct ZipMember {
    std::string name; ///< UTF-8, text only
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t compressed = 0, size = 0; ///< bytes in the file and when unpacked
    std::uint64_t header = 0;               ///< offset of the local header in the file
    std::uint64_t data = 0;                 ///< offset of the packed bytes; valid without an error
    std::optional<Error> error; ///< encrypted, unknown method, local header that disagrees, overlap, bomb
    bool stored() const { return method == 0; }
};

bool startsLikeZip(std::span<const std::byte> bytes);

/// Members in the order of the directory, which rules over local headers (their sizes may be absent). Zip64,
/// data descriptors, comments, bytes before the archive and a wrong member count are borne as Python's
/// zipfile bears them. minizip is not used for reading: it gives up on a whole archive where one offset is
/// wrong, and does not compare names with local headers.
/// Errors: truncated or malformed when there is no usable directory; refused beyond limits.h.
Result<std::vector<ZipMember>> readZipDirectory(const FileBytes& file);

/// Second step of readZipDirectory: local headers, encryption, methods, overlaps, ratios.
void checkZipMembers(const FileBytes& file, std::vector<ZipMember>& members);

} // namespace divdet
