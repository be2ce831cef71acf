#include "dump/file_bytes.h"

#include <fstream>

#include <boost/iostreams/device/mapped_file.hpp>

#include "base/sigbus_guard.h"
#include "dump/limits.h"

namespace divdet {
namespace fs = std::filesystem;

FileBytes::FileBytes() = default;
FileBytes::~FileBytes() = default;

bool FileBytes::shrunk() const {
    return m_watch && m_watch->damaged();
}

Error FileBytes::shrunkError() const {
    return Error{ErrorCode::truncated, "the file became shorter while it was read", pathText(),
                 "compare again when it is written completely"};
}

std::shared_ptr<const FileBytes> FileBytes::of(fs::path path, std::vector<std::byte> bytes) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    std::shared_ptr<FileBytes> file(new FileBytes);
    file->m_path = std::move(path);
    file->m_bytes = {owner->data(), owner->size()};
    file->m_owner = std::move(owner);
    return file;
}

Result<std::shared_ptr<const FileBytes>> FileBytes::open(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found)
        return Error{ErrorCode::notFound, "there is no such file", path.string(), "check the path"};
    if (failure)
        return Error{ErrorCode::io, "cannot look at the file: " + failure.message(), path.string(), ""};
    if (status.type() != fs::file_type::regular)
        return Error{ErrorCode::refused, "this is not a regular file", path.string(),
                     "copy the data to a file first"};
    const std::uint64_t size = fs::file_size(path, failure);
    if (failure) return Error{ErrorCode::io, "cannot read its size: " + failure.message(), path.string(), ""};

    if (size <= limits::kReadWholeBytes) {
        std::ifstream in(path, std::ios::binary);
        std::vector<std::byte> bytes(size);
        in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
        if (!in && !in.eof())
            return Error{ErrorCode::io, "the file cannot be read", path.string(), "check its permissions"};
        bytes.resize(static_cast<std::size_t>(in.gcount()));
        return of(path, std::move(bytes));
    }
    try {
        auto map = std::make_shared<boost::iostreams::mapped_file_source>(path.string());
        std::shared_ptr<FileBytes> file(new FileBytes);
        file->m_path = path;
        file->m_bytes = {reinterpret_cast<const std::byte*>(map->data()), map->size()};
        file->m_watch = std::make_unique<const MappedWatch>(file->m_bytes);
        file->m_owner = std::move(map);
        return std::shared_ptr<const FileBytes>(std::move(file));
    } catch (const std::exception& e) {
        return Error{ErrorCode::io, std::string("the file cannot be mapped: ") + e.what(), path.string(),
                     "check its permissions"};
    }
}

} // namespace divdet
