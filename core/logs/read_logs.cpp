#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "logs/log_reader.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPortion = std::size_t{1} << 20;

Error refusal(ErrorCode code, std::string message, const fs::path& path, std::string hint) {
    return {code, std::move(message), path.string(), std::move(hint)};
}

/// What cannot be text of a log, by its first bytes.
std::optional<Error> notText(std::string_view start, const fs::path& path) {
    if (start.starts_with("\x1f\x8b") || start.starts_with("PK\x03\x04") ||
        start.starts_with("\x28\xb5\x2f\xfd"))
        return refusal(ErrorCode::unsupported, "the log is compressed", path,
                       "unpack it first, or pipe it: zcat FILE | divdet logs -");
    if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff"))
        return refusal(ErrorCode::unsupported, "the log is UTF-16", path,
                       "convert it first: iconv -f UTF-16 -t UTF-8");
    return std::nullopt;
}

/// A signal that stops the work also ends a read of a pipe, or its opening, as if there were no more.
Error stopped(const fs::path& path) {
    return {ErrorCode::cancelled, "reading the log was stopped", path.string(), ""};
}

Status feedStream(std::istream& in, const fs::path& path, LogReader& reader, const Progress& progress,
                  std::uint64_t total) {
    std::string portion(kPortion, '\0');
    std::uint64_t done = 0;
    while (in) {
        if (progress.cancelled()) return stopped(path);
        in.read(portion.data(), static_cast<std::streamsize>(portion.size()));
        std::string_view got(portion.data(), static_cast<std::size_t>(in.gcount()));
        if (done == 0) {
            if (auto e = notText(got, path)) return *e;
            if (got.starts_with("\xef\xbb\xbf")) got.remove_prefix(3);
        }
        reader.feed(got);
        done += static_cast<std::uint64_t>(in.gcount());
        progress(done, total, path.filename().string());
    }
    if (progress.cancelled()) return stopped(path);
    if (in.bad()) return refusal(ErrorCode::io, "the log cannot be read to its end", path, "");
    reader.endFile();
    return Done{};
}

Result<std::vector<fs::path>> filesOf(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status)) return refusal(ErrorCode::notFound, "there is no such log", path, "");
    if (fs::is_character_file(status) || fs::is_block_file(status) || fs::is_socket(status))
        return refusal(ErrorCode::refused, "this is a device, not a log", path, "");
    if (!fs::is_directory(status)) return std::vector<fs::path>{path};
    std::vector<fs::path> out;
    for (fs::directory_iterator at(path, failure), end; !failure && at != end; at.increment(failure))
        if (const auto suffix = at->path().extension();
            (suffix == ".log" || suffix == ".txt") && at->is_regular_file(failure))
            out.push_back(at->path());
    if (out.empty())
        return refusal(ErrorCode::notFound, "the folder has no log", path,
                       "logs are its files *.log and *.txt");
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

Result<LogReport> readLogs(const std::vector<fs::path>& paths, const LogOptions& options,
                           const Progress& progress) {
    LogReader reader(options);
    for (const fs::path& path : paths) {
        if (path == "-") {
            if (auto s = feedStream(std::cin, "standard input", reader, progress, 0); !s) return s.error();
            continue;
        }
        const auto files = filesOf(path);
        if (!files) return files.error();
        for (const fs::path& file : *files) {
            std::ifstream in(file, std::ios::binary);
            if (!in && progress.cancelled()) return stopped(file);
            if (!in)
                return refusal(ErrorCode::io, "the log cannot be opened", file, "check that you may read it");
            std::error_code unknown;
            const auto size = fs::file_size(file, unknown);
            if (auto s = feedStream(in, file, reader, progress, unknown ? 0 : size); !s) return s.error();
        }
    }
    return reader.finish();
}

Result<LogReport> readLogText(std::string_view text, const LogOptions& options, const Progress& progress) {
    LogReader reader(options);
    for (std::size_t at = 0; at < text.size(); at += kPortion) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "reading the log was stopped", "", ""};
        reader.feed(text.substr(at, kPortion));
        progress(std::min(at + kPortion, text.size()), text.size(), "text");
    }
    reader.endFile();
    return reader.finish();
}

} // namespace divdet
