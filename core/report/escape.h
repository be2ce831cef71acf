#pragma once
#include <string>
#include <string_view>

namespace divdet {

/// Names come from files and may hold anything. What a reader sees of them: valid UTF-8, bytes that are not
/// and control and direction characters as U+FFFD, line breaks and tabs as spaces, at most `limit`
/// characters.
std::string visibleText(std::string_view text, std::size_t limit = 200);

/// Visible text for a place in an XML or HTML document, attribute values included.
std::string xmlText(std::string_view text, std::size_t limit = 200);

/// Visible text for a Markdown table or line: nothing in it is markup.
std::string markdownText(std::string_view text, std::size_t limit = 200);

/// Visible text as inline code of Markdown, also inside a table.
std::string markdownCode(std::string_view text, std::size_t limit = 2000);

} // namespace divdet
