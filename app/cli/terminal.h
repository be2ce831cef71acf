#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/progress.h"
#include "compare/verdict.h"

namespace divdet::cli {

/// Text with colour where the terminal has it.
class Paint {
public:
    explicit Paint(bool forbidden); ///< off for pipes, NO_COLOR and --no-colour
    std::string verdict(Verdict v, std::string_view text) const;
    std::string strong(std::string_view text) const;
    std::string faint(std::string_view text) const;

private:
    bool m_on;
};

/// Columns as wide as their widest cell; numbers are right-aligned. Cells are `shown`.
class Table {
public:
    struct Column {
        std::string head;
        bool right = false;
    };
    explicit Table(std::vector<Column> columns);
    void row(std::vector<std::string> cells);
    /// `mark(row, column, padded text)` may colour a padded cell.
    template <class Mark>
    std::string text(Mark&& mark) const;
    std::string text() const {
        return text([](std::size_t, std::size_t, const std::string& s) { return s; });
    }

private:
    std::string padded(const std::string& s, std::size_t column) const;
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
    std::vector<std::size_t> m_widths;
};

template <class Mark>
std::string Table::text(Mark&& mark) const {
    std::string out;
    const auto line = [&](auto&& cell) {
        std::string s;
        for (std::size_t c = 0; c < m_columns.size(); ++c) s += (c ? "  " : "") + cell(c);
        while (!s.empty() && s.back() == ' ') s.pop_back();
        out += s + '\n';
    };
    line([&](std::size_t c) { return padded(m_columns[c].head, c); });
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        line([&](std::size_t c) { return mark(r, c, padded(m_rows[r][c], c)); });
    return out;
}

/// A name or message as the terminal may see it: control characters escaped (text_encoding.h), cut where it
/// is absurdly long. Everything that comes from a file or a path goes through this, or through a table's
/// cells.
std::string shown(std::string_view text);

std::string indexText(std::int64_t flat, const std::vector<std::int64_t>& shape);

/// Progress on stderr for work over half a second on a terminal; empty elsewhere.
Progress terminalProgress();
void endProgress(); ///< clears the line

} // namespace divdet::cli
