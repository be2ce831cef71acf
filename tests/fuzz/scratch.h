#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace divdet::fuzz {

/// A folder for readers that open paths, in memory where the system has such a place; one per process,
/// emptied with each use.
inline std::filesystem::path emptyScratch() {
    namespace fs = std::filesystem;
    static const struct Folder {
        fs::path path;
        Folder() {
            std::error_code failure;
            const fs::path memory = "/dev/shm";
            path = (fs::is_directory(memory, failure) ? memory : fs::temp_directory_path()) /
                   ("divdet-fuzz-" + std::to_string(::getpid()));
        }
        ~Folder() {
            std::error_code failure;
            fs::remove_all(path, failure);
        }
    } folder;
    std::error_code failure;
    fs::remove_all(folder.path, failure);
    fs::create_directories(folder.path);
    return folder.path;
}

inline void writeText(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

} // namespace divdet::fuzz
