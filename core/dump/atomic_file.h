#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"

namespace divdet {

/// A file that appears whole or not at all: written beside its target under a temporary name, flushed to
/// disk, then renamed. Without `commit` the temporary file is removed and what stood there before still does.
/// A link is followed, its target replaced. A device or a pipe (/dev/stdout) is written to directly.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Creates the temporary file; its permissions are those of a new file of the user.
    Status open();
    Status write(std::span<const std::byte> bytes);
    Status write(std::string_view text);
    Status commit();

    /// Empty when the target is a device or a pipe.
    const std::filesystem::path& temporary() const { return m_temporary; }

private:
    Error failure(const std::string& what) const;
    std::filesystem::path m_target, m_temporary;
    int m_descriptor = -1;
};

} // namespace divdet
