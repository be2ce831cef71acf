#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/npy_type.h"

namespace divdet {

/// Where the array of an npy stream lies and what it is.
struct NpyLayout {
    NpyType type;
    Shape shape;
    bool fortran = false;
    std::uint64_t dataOffset = 0; ///< from the start of the stream
    std::uint64_t dataBytes = 0;
    std::uint64_t trailing = 0; ///< bytes of the stream behind the array
};

bool startsLikeNpy(std::span<const std::byte> bytes); ///< magic, or what is there of it

/// Bytes needed to read the header, from at least the first min(12, total) bytes of the stream; no more than
/// limits.h allows. Errors: truncated, unsupported version, refused length.
Result<std::uint64_t> npyHeaderEnd(std::span<const std::byte> start, std::uint64_t total);

/// `head` holds the stream up to the end of the header, `total` is the size of the whole stream. Every number
/// is checked against `total`; nothing is allocated by a claimed size.
Result<NpyLayout> readNpyLayout(std::span<const std::byte> head, std::uint64_t total);

/// What the manifest says of it (the name is the caller's).
void describeNpy(const NpyLayout& layout, TapEntry& tap);

/// Window on the array. `stream` is its first byte; `field` as in LoadOptions, unknown ones are an error.
Result<Tensor> npyTensor(const NpyLayout& layout, const std::byte* stream, std::shared_ptr<const void> owner,
                         const std::string& field);

} // namespace divdet
