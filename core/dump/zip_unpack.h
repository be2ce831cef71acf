#pragma once
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "dump/zip_directory.h"

namespace divdet {

/// The first min(want, size) unpacked bytes of a member. Precondition: the member has no error.
Result<std::vector<std::byte>> unpackStart(const FileBytes& file, const ZipMember& member,
                                           std::uint64_t want);

/// All of a packed member, its size and checksum verified.
Result<std::vector<std::byte>> unpackAll(const FileBytes& file, const ZipMember& member);

/// Checksum of a stored member against the directory.
Status verifyStored(const FileBytes& file, const ZipMember& member);

} // namespace divdet
