#include "dump/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace divdet {

AtomicFile::AtomicFile(std::filesystem::path target)
    : m_target(std::move(target)) {}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

Error AtomicFile::failure(const std::string& what) const {
    return Error{ErrorCode::io, what + ": " + std::strerror(errno), m_target.string(),
                 "check the folder, its permissions and the space left"};
}

Status AtomicFile::open() {
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    std::string name = (folder / ("." + m_target.filename().string() + ".XXXXXX")).string();
    m_descriptor = ::mkstemp(name.data());
    if (m_descriptor < 0) return failure("cannot create a file here");
    m_temporary = name;
    // mkstemp makes the file private; a file the user saves follows the umask instead, which can only be read
    // by setting it.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(m_descriptor, 0666 & ~mask);
    return Done{};
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(m_descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), 1u << 30));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failure("cannot write");
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return Done{};
}

Status AtomicFile::write(std::string_view text) {
    return write(std::as_bytes(std::span(text.data(), text.size())));
}

Status AtomicFile::commit() {
    if (::fsync(m_descriptor) != 0) return failure("cannot flush to disk");
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    if (::close(descriptor) != 0) return failure("cannot close the file");
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) return failure("cannot put the file in place");
    m_temporary.clear();
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    if (const int dir = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
        dir >= 0) { // so that the rename outlives a crash
        ::fsync(dir);
        ::close(dir);
    }
    return Done{};
}

} // namespace divdet
