#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace divdet {

class MappedWatch;

/// The bytes of one file, immutable and shared: mapped, or read when small. Tensors keep it alive. The bytes
/// need not be aligned for their element type: everything in core/tensor loads elements by memcpy.
///
/// A mapped file that another process cuts short raises SIGBUS when touched past its new end; a loop over
/// mapped data runs under `guardMappedRead` (sigbus_guard.h). Elsewhere the missing bytes read as zeros, and
/// `shrunk` tells it afterwards.
class FileBytes {
public:
    ~FileBytes();
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    /// Regular files only: a pipe or a device is refused before it is opened.
    static Result<std::shared_ptr<const FileBytes>> open(const std::filesystem::path& path);

    /// For bytes that are in memory already; `path` names them in messages.
    static std::shared_ptr<const FileBytes> of(std::filesystem::path path, std::vector<std::byte> bytes);

    std::span<const std::byte> bytes() const { return m_bytes; }
    std::uint64_t size() const { return m_bytes.size(); }
    const std::filesystem::path& path() const { return m_path; }
    std::string pathText() const { return m_path.string(); }

    bool shrunk() const; ///< bytes were read that the file no longer has
    Error shrunkError() const;

private:
    FileBytes();
    std::filesystem::path m_path;
    std::span<const std::byte> m_bytes;
    std::shared_ptr<const void> m_owner;
    std::unique_ptr<const MappedWatch> m_watch; ///< behind the owner: it ends first
};

} // namespace divdet
