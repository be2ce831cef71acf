#pragma once
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "dump/open.h"
#include "paths.h"
#include "scratch_folder.h"
#include "tensor/convert.h"

namespace divdet::testing {

using test::ScratchFolder;

inline std::filesystem::path shared(const std::string& below) {
    return test::sharedFolder() / below;
}

/// Skips the test, visibly, where the shared data is not beside the project.
#define DIVDET_NEED_SHARED(path)                                                                             \
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data at " << path

inline std::vector<std::byte> readAll(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

inline Result<std::shared_ptr<const Dump>> openBytes(const std::string& name, std::vector<std::byte> bytes) {
    return openDump(FileBytes::of(name, std::move(bytes)));
}

/// The hash of contiguous little-endian bytes; "error: …" where the tap does not load.
inline std::string hashOf(const Dump& dump, std::size_t tap, const LoadOptions& options = {}) {
    const auto tensor = dump.load(tap, options);
    if (!tensor) return "error: " + tensor.error().text();
    const Tensor compact = compacted(*tensor);
    return sha256(
        {compact.view().data, static_cast<std::size_t>(compact.elements()) * itemSize(compact.dtype())});
}

/// dtype in numpy's spelling without byte order, as the expected files have it (`f4`, `b1`, `c16`).
inline std::string numpyKind(DType dtype) {
    switch (kind(dtype)) {
    case DTypeKind::boolean:
        return "b1";
    case DTypeKind::complex:
        return "c" + std::to_string(itemSize(dtype));
    case DTypeKind::floating:
        return "f" + std::to_string(itemSize(dtype));
    case DTypeKind::integer:
        return std::string(name(dtype)).substr(0, 1) + std::to_string(itemSize(dtype));
    case DTypeKind::opaque:
        return "V";
    }
    return "";
}

} // namespace divdet::testing
