#include "judge/metric/samples.h"

#include <charconv>

#include <fmt/format.h>

namespace divdet {
namespace {

constexpr std::size_t kLongestLine = 4096; ///< no number is longer; what is, is not one

std::string_view trimmed(std::string_view s) {
    const auto first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

} // namespace

Status MetricSamples::line(std::string_view text) {
    ++m_line;
    std::string_view word = trimmed(text);
    if (word.empty()) return Done{};
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size())
        return Error{ErrorCode::malformed,
                     fmt::format("line {} is no number: '{}'", m_line, word.substr(0, 200)), "--metric-cmd",
                     "print one number per line on standard output, the rest on standard error"};
    ++m_count;
    m_moments.add(value);
    return Done{};
}

Status MetricSamples::take(std::string_view bytes) {
    while (true) {
        const auto end = bytes.find('\n');
        m_rest += bytes.substr(0, end);
        if (end == std::string_view::npos) break;
        if (auto s = line(m_rest); !s) return s;
        m_rest.clear();
        bytes.remove_prefix(end + 1);
    }
    return m_rest.size() > kLongestLine ? line(m_rest) : Status(Done{});
}

Status MetricSamples::finish() {
    if (auto s = line(m_rest); !s) return s;
    m_rest.clear();
    if (m_count > 0) return Done{};
    return Error{ErrorCode::malformed, "the command printed no number", "--metric-cmd",
                 "print one number per line on standard output"};
}

} // namespace divdet
