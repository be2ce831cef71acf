#pragma once
#include <functional>
#include <string>
#include <vector>

#include "dump/open.h"
#include "dump/write.h"
#include "fuzz/target.h"

namespace divdet::fuzz {

/// What must hold of every error: a message, a code that does not blame this program, an offset inside the
/// file (where it is about the file and not about a member of it).
void checkError(const Error& error, std::uint64_t fileBytes);

/// Walks the manifest and loads the first taps with several LoadOptions; every byte of small tensors is
/// touched. Requires what dump.h promises.
void walkDump(const Dump& dump, std::uint64_t fileBytes);

/// Opens the bytes as a file of that name and walks what comes of it.
void openAndWalk(const std::string& name, std::vector<std::byte> bytes);
inline void openAndWalk(const std::string& name, Input bytes) {
    openAndWalk(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

/// Bytes that `write(path)` leaves in a file of the given suffix.
std::string writtenFile(const std::string& suffix,
                        const std::function<Status(const std::filesystem::path&)>& write);

/// A few small tensors of different types, for seeds.
std::vector<NamedTensor> sampleTensors();

} // namespace divdet::fuzz
