#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/file_bytes.h"

namespace divdet {

/// What the bytes of a file without a header are: little-endian, row-major.
struct RawFormat {
    DType dtype = DType::f32;
    Shape shape;
};

/// `3x4`, `3,4`, `12`; `scalar` for a single number. nullopt for anything else.
std::optional<Shape> parseShape(const std::string& text);

/// One tap, named by the stem of the file, mapped. The size must be exactly dtype × shape: mismatch
/// otherwise, with both numbers of bytes.
Result<std::shared_ptr<const Dump>> openRaw(std::shared_ptr<const FileBytes> file, const RawFormat& format);

} // namespace divdet
