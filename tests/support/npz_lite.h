#pragma once
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <minizip/unzip.h>

/// Just enough of npz for the recorded vectors: members of little-endian uint32, independent of core's
/// reader.
struct NpzWords {
    std::vector<std::size_t> shape;
    std::vector<std::uint32_t> words;
};

namespace npz_lite {

/// The bytes of one member; empty when the archive has no such member.
inline std::string memberBytes(const std::filesystem::path& file, const std::string& member) {
    const unzFile zip = unzOpen64(file.string().c_str());
    if (!zip) return {};
    std::string bytes;
    unz_file_info64 info;
    if (unzLocateFile(zip, member.c_str(), 1) == UNZ_OK && unzOpenCurrentFile(zip) == UNZ_OK) {
        if (unzGetCurrentFileInfo64(zip, &info, nullptr, 0, nullptr, 0, nullptr, 0) == UNZ_OK) {
            bytes.resize(info.uncompressed_size);
            const int got = unzReadCurrentFile(zip, bytes.data(), static_cast<unsigned>(bytes.size()));
            if (got != static_cast<int>(bytes.size())) bytes.clear();
        }
        unzCloseCurrentFile(zip);
    }
    unzClose(zip);
    return bytes;
}

/// Array `name`; no words when it is absent or not '<u4' in C order (format 1.0: a 10-byte prefix, then the
/// text header whose length stands in bytes 8 and 9).
inline NpzWords words(const std::filesystem::path& file, const std::string& name) {
    const std::string bytes = memberBytes(file, name + ".npy");
    NpzWords out;
    if (bytes.size() < 10 || bytes[6] != 1) return out;
    const std::size_t length =
        static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    const std::string header = bytes.substr(10, length);
    const std::size_t open = header.find("'shape': (");
    if (header.find("'<u4'") == std::string::npos || header.find("False") == std::string::npos) return out;
    if (open == std::string::npos) return out;
    std::size_t count = 1;
    for (std::size_t at = open + 10; header[at] != ')';) {
        std::size_t used = 0;
        out.shape.push_back(std::stoul(header.substr(at), &used));
        count *= out.shape.back();
        at += used;
        while (header[at] == ',' || header[at] == ' ') ++at;
    }
    if (bytes.size() != 10 + length + 4 * count) return {};
    out.words.resize(count);
    std::memcpy(out.words.data(), bytes.data() + 10 + length, 4 * count);
    return out;
}

} // namespace npz_lite
