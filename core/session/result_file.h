#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/compare_dumps.h"

namespace divdet {

/// A comparison kept in a file (`.divdet`): everything that one pass gave, so that it is judged again at any
/// tolerance without the dumps. What it cannot give are single elements and exact counts at tolerances other
/// than its own; for those the pairs' `load` opens the dumps again, if they still lie where they were and
/// have the size they had.
///
/// The file: 8 bytes magic, schema and zero (u32 each), size of the document (u64), all little-endian; then
/// the document, CBOR under zlib.
struct SavedResult {
    CompareResult result;    ///< paths are absolute; empty for a live run
    std::string command;     ///< the command line that makes the same comparison
    std::string toolVersion; ///< of the program that wrote it
    std::optional<std::uint64_t> referenceBytes,
        candidateBytes; ///< sizes of the dumps, where they were files
};

inline constexpr std::uint32_t kResultSchema = 1;

/// Is this the beginning of a result file?
bool isResultFile(std::span<const std::byte> start);
bool isResultFile(const std::filesystem::path& path); ///< false for what cannot be opened

/// The bytes of a result file. Precondition: `result.comparison` is not null.
std::vector<std::byte> encodeResult(const CompareResult& result, const std::string& command);
/// Written whole or not at all.
Status writeResult(const std::filesystem::path& path, const CompareResult& result,
                   const std::string& command);

/// Errors: malformed, truncated; unsupported for a newer schema; refused beyond a limit. Every count, index
/// and shape is checked, so that what is read can be judged and shown like a comparison just made.
Result<SavedResult> decodeResult(std::span<const std::byte> bytes, const std::string& path = {});
Result<SavedResult> readResult(const std::filesystem::path& path);

} // namespace divdet
