#include "dump/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

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
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::file_type kind = fs::status(m_target, failed).type();
    if (kind == fs::file_type::directory)
        return Error{ErrorCode::usage, "this is a folder", m_target.string(), "name a file in it"};
    if (kind != fs::file_type::regular && kind != fs::file_type::not_found && kind != fs::file_type::none) {
        // A device or a pipe is written to; renaming over it would put a file in its place.
        m_descriptor = ::open(m_target.c_str(), O_WRONLY | O_CLOEXEC);
        return m_descriptor < 0 ? Status(failure("cannot write here")) : Done{};
    }
    if (fs::is_symlink(m_target, failed)) { // the link stays, what it leads to is replaced
        const fs::path real = fs::weakly_canonical(m_target, failed);
        if (failed || fs::is_symlink(real, failed))
            return Error{ErrorCode::notFound, "the link leads nowhere", m_target.string(),
                         "remove it or name another file"};
        m_target = real;
    }
    constexpr std::size_t longestName = 200; // with the random part it must stay below the usual 255
    const fs::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    std::string name =
        (folder / ("." + m_target.filename().string().substr(0, longestName) + ".XXXXXX")).string();
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
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
    if (m_temporary.empty()) { // a device or a pipe
        if (::close(std::exchange(m_descriptor, -1)) != 0) return failure("cannot write");
        return Done{};
    }
    if (::fsync(m_descriptor) != 0) return failure("cannot flush to disk");
    if (::close(std::exchange(m_descriptor, -1)) != 0) return failure("cannot close the file");
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
