#include "session/repro/torch_console.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/split.h"
#include "dump/file_bytes.h"

namespace divdet {
namespace {

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool namesException(std::string_view name) {
    return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Failed");
}

/// `a.b.SomeError` at the start of a text and then `:` or its end; empty: it starts otherwise.
std::string_view exceptionAt(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), isWordCharacter);
    const auto name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const std::string_view rest = text.substr(name.size());
    const bool isRaised = rest.empty() || rest.starts_with(": ") || rest == ":";
    return isRaised && namesException(name) ? name : std::string_view();
}

/// Without what a logger puts before a line: `[date] module: [ERROR] text`, `E1129 … file.py:123] text`.
std::string_view withoutPrefix(std::string_view line) {
    if (line.empty() || line.front() == ' ') return line;
    for (const std::string_view behind : {"[ERROR] ", "] "})
        if (const auto at = line.find(behind); at != std::string_view::npos && exceptionAt(line).empty())
            return line.substr(at + behind.size());
    return line;
}

std::string withoutModule(std::string_view name) {
    return std::string(name.substr(name.rfind('.') + 1));
}

/// `InductorError: CppCompileError: text` is about the second.
std::string innermost(std::string_view line) {
    std::string_view name = exceptionAt(line), last = name;
    while (!name.empty()) {
        last = name;
        line.remove_prefix(std::min(line.size(), name.size() + 2));
        name = exceptionAt(line);
    }
    return withoutModule(last);
}

} // namespace

TorchConsole parseTorchConsole(std::string_view text) {
    TorchConsole out;
    const auto lines = split(text, '\n');
    if (!lines.empty() && lines[0].starts_with("$ ")) out.command = lines[0].substr(2);
    for (const std::string& line : lines) {
        const std::string_view said = withoutPrefix(line);
        constexpr std::string_view kStatus = "exit status ";
        if (int status = 0; said.starts_with(kStatus)) {
            const char* first = said.data() + kStatus.size();
            const char* last = said.data() + said.size();
            if (const auto r = std::from_chars(first, last, status); r.ec == std::errc() && r.ptr == last)
                out.status = status;
        }
        if (exceptionAt(said).empty()) continue;
        out.error = said.substr(0, 400);
        out.errorClass = innermost(said);
    }
    return out;
}

Result<TorchConsole> readTorchConsole(const std::filesystem::path& file) {
    const auto open = FileBytes::open(file);
    if (!open) return open.error();
    const auto bytes = (*open)->bytes();
    if (bytes.size() > kMostConsole)
        return Error{ErrorCode::refused, fmt::format("a log of {} bytes", bytes.size()), file.string(),
                     "keep its last lines"};
    TorchConsole out = parseTorchConsole({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    out.path = file;
    return out;
}

} // namespace divdet
