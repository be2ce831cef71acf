#include <algorithm>

#include <minizip/zip.h>

#include "dump/atomic_file.h"
#include "dump/npy_write.h"
#include "dump/text_encoding.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

/// minizip's writer on a path; closes on every way out.
class ZipWriter {
public:
    explicit ZipWriter(const std::filesystem::path& path)
        : m_zip(zipOpen64(path.c_str(), APPEND_STATUS_CREATE)) {}
    ~ZipWriter() {
        if (m_zip) zipClose(m_zip, nullptr);
    }
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    bool open() const { return m_zip != nullptr; }
    bool close() { return zipClose(std::exchange(m_zip, nullptr), nullptr) == ZIP_OK; }

    /// One stored member; the date is the earliest zip can tell, so that equal tensors give equal files.
    bool add(const std::string& name, std::string_view head, std::span<const std::byte> data) {
        constexpr unsigned long utf8Name = 1u << 11, madeBy = 3u << 8; // Unix
        zip_fileinfo info{};
        info.tmz_date.tm_mday = 1;
        info.tmz_date.tm_year = 1980;
        constexpr int kMemLevel = 8; // zlib's default; nothing is deflated
        const int large = data.size() > 0xf0000000u;
        return zipOpenNewFileInZip4_64(m_zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, 0,
                                       -MAX_WBITS, kMemLevel, Z_DEFAULT_STRATEGY, nullptr, 0, madeBy,
                                       utf8Name, large) == ZIP_OK &&
               put(std::as_bytes(std::span(head.data(), head.size()))) && put(data) &&
               zipCloseFileInZip(m_zip) == ZIP_OK;
    }

private:
    bool put(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const auto chunk = bytes.subspan(0, std::min<std::size_t>(bytes.size(), 1u << 30));
            if (zipWriteInFileInZip(m_zip, chunk.data(), static_cast<unsigned>(chunk.size())) != ZIP_OK)
                return false;
            bytes = bytes.subspan(chunk.size());
        }
        return true;
    }
    zipFile m_zip;
};

} // namespace

Status writeNpz(const std::filesystem::path& path, std::span<const NamedTensor> tensors) {
    if (auto ok = checkDistinct(tensors, path); !ok) return ok;
    AtomicFile file(path);
    if (auto ok = file.open(); !ok) return ok;
    const Error failed{ErrorCode::io, "cannot write", path.string(),
                       "check the folder, its permissions and the space left"};
    if (file.temporary().empty())
        return Error{ErrorCode::usage, "a zip archive needs a file that can be sought in", path.string(),
                     "write it to a file first"};
    ZipWriter zip(file.temporary());
    if (!zip.open()) return failed;
    for (const NamedTensor& t : tensors) {
        if (t.name.size() > 0xfff0 || t.name.find('\0') != std::string::npos || !isUtf8(t.name))
            return Error{ErrorCode::usage, inQuotes(t.name) + " cannot be the name of a zip member",
                         path.string(), "use safetensors"};
        const auto header = npyHeader(t.tensor);
        if (!header) return header.error();
        const Tensor compact = compacted(t.tensor);
        if (!zip.add(t.name + ".npy", *header, bytesOf(compact))) return failed;
    }
    if (!zip.close()) return failed;
    return file.commit();
}

} // namespace divdet
