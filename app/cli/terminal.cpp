#include "cli/terminal.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "dump/text_encoding.h"
#include "tensor/shape.h"

namespace divdet::cli {
namespace {

/// Columns a UTF-8 text takes; every character here is one column wide.
std::size_t columns(std::string_view s) {
    std::size_t n = 0;
    for (unsigned char c : s) n += (c & 0xc0) != 0x80;
    return n;
}

std::string coloured(bool on, const char* code, std::string_view text) {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool g_progressShown = false;

} // namespace

Paint::Paint(bool forbidden)
    : m_on(!forbidden && isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR")) {}

std::string Paint::verdict(Verdict v, std::string_view text) const {
    const char* code = "33";
    if (v == Verdict::within) code = "36";
    if (v == Verdict::outside) code = "1;31";
    if (v == Verdict::incomparable || v == Verdict::unreadable) code = "35";
    return coloured(m_on, code, text);
}
std::string Paint::strong(std::string_view text) const {
    return coloured(m_on, "1", text);
}
std::string Paint::faint(std::string_view text) const {
    return coloured(m_on, "2", text);
}

Table::Table(std::vector<Column> columns_)
    : m_columns(std::move(columns_)) {
    for (const auto& c : m_columns) m_widths.push_back(columns(c.head));
}

void Table::row(std::vector<std::string> cells) {
    cells.resize(m_columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = shown(cells[i]);
        m_widths[i] = std::max(m_widths[i], columns(cells[i]));
    }
    m_rows.push_back(std::move(cells));
}

std::string Table::padded(const std::string& s, std::size_t column) const {
    const std::string space(m_widths[column] - columns(s), ' ');
    return m_columns[column].right ? space + s : s + space;
}

std::string shown(std::string_view text) {
    constexpr std::size_t longest = 400; // bytes; a name of megabytes would fill the screen, and every row
    return printable(text, longest);
}

std::string indexText(std::int64_t flat, const std::vector<std::int64_t>& shape) {
    return flat < 0 ? "-" : toString(unravel(flat, shape));
}

Progress terminalProgress() {
    if (!isatty(STDERR_FILENO)) return {};
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto shown = std::make_shared<Clock::time_point>(start);
    return {[start, shown](std::uint64_t done, std::uint64_t total, std::string_view what) {
                const auto now = Clock::now();
                if (now - start < std::chrono::milliseconds(500) ||
                    now - *shown < std::chrono::milliseconds(100))
                    return;
                *shown = now;
                g_progressShown = true;
                std::fprintf(stderr, "\r\x1b[K%3.0f %%  %s",
                             total ? 100.0 * static_cast<double>(done) / static_cast<double>(total) : 0.0,
                             printable(what, 60).c_str());
                std::fflush(stderr);
            },
            {}};
}

void endProgress() {
    if (!g_progressShown) return;
    std::fputs("\r\x1b[K", stderr);
    g_progressShown = false;
}

} // namespace divdet::cli
