#include "hunt/file_stamp.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <sys/stat.h>

#include <fmt/format.h>

namespace divdet::hunt {
namespace {

constexpr auto kTick = std::chrono::milliseconds(20);

std::string stampOf(const std::filesystem::path& file) {
    struct stat s {};
    if (stat(file.c_str(), &s) != 0) return {};
    return fmt::format("{} {} {} {} {}.{:09}\n", file.string(), s.st_dev, s.st_ino, s.st_size,
                       s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

std::vector<std::filesystem::path> filesOf(const std::filesystem::path& path) {
    std::vector<std::filesystem::path> out{path};
    std::error_code failed;
    if (!std::filesystem::is_directory(path, failed)) return out;
    for (auto it = std::filesystem::recursive_directory_iterator(path, failed);
         !failed && it != std::filesystem::recursive_directory_iterator(); it.increment(failed))
        out.push_back(it->path());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

std::string fileStamp(const std::filesystem::path& path) {
    std::string out;
    for (const auto& file : filesOf(path)) out += stampOf(file);
    return out;
}

void waitForFileClock(const std::filesystem::path& path) {
    for (const auto& file : filesOf(path)) {
        std::error_code failed;
        const auto written = std::filesystem::last_write_time(file, failed);
        if (failed) continue;
        const auto age = std::filesystem::file_time_type::clock::now() - written;
        if (age >= decltype(age)::zero() && age < kTick) std::this_thread::sleep_for(kTick - age);
    }
}

} // namespace divdet::hunt
