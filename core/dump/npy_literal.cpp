#include "dump/npy_literal.h"

#include <charconv>
#include <optional>

#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = NpyLiteral::Kind;

class Parser {
public:
    Parser(std::string_view text, bool longs)
        : m_text(text)
        , m_longs(longs) {}

    Result<NpyLiteral> whole() {
        NpyLiteral out;
        skip();
        if (value(out, 0)) {
            skip();
            if (m_at == m_text.size()) return out;
            fail("something follows the literal");
        }
        return *m_error;
    }

private:
    bool fail(std::string what, ErrorCode code = ErrorCode::malformed) {
        if (!m_error) m_error = Error{code, "the header is not a plain literal: " + what, "", "", m_at};
        return false;
    }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool accept(char c) {
        if (peek() != c || m_at >= m_text.size()) return false;
        ++m_at;
        return true;
    }
    bool acceptWord(std::string_view word) {
        if (m_text.substr(m_at, word.size()) != word) return false;
        m_at += word.size();
        return true;
    }
    void skip() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#')
                while (m_at < m_text.size() && m_text[m_at] != '\n') ++m_at;
            else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
                ++m_at;
            else
                return;
        }
    }

    bool value(NpyLiteral& out, std::size_t depth) {
        if (depth > limits::kNpyLiteralDepth) return fail("it is nested too deeply", ErrorCode::refused);
        if (++m_nodes > limits::kNpyLiteralNodes) return fail("it has too many parts", ErrorCode::refused);
        const char c = peek();
        if (c == '(') return sequence(out, Kind::tuple, ')', depth);
        if (c == '[') return sequence(out, Kind::list, ']', depth);
        if (c == '{') return dict(out, depth);
        if (c == '\'' || c == '"' || c == 'u' || c == 'U' || c == 'r' || c == 'R') return strings(out);
        if (c == '-' || c == '+' || (c >= '0' && c <= '9')) return integer(out);
        if (acceptWord("True")) return out.kind = Kind::boolean, out.integer = 1, true;
        if (acceptWord("False")) return out.kind = Kind::boolean, true;
        if (acceptWord("None")) return true;
        return fail(m_at == m_text.size() ? "it ends early"
                                          : "unexpected " + inQuotes(m_text.substr(m_at, 1)));
    }

    bool sequence(NpyLiteral& out, Kind kind, char close, std::size_t depth) {
        out.kind = kind;
        ++m_at;
        skip();
        bool comma = false;
        while (!accept(close)) {
            if (!out.items.empty() && !comma) return fail("a comma is missing");
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            skip();
            comma = accept(',');
            skip();
        }
        if (kind == Kind::tuple && out.items.size() == 1 && !comma) { // (3) is 3
            NpyLiteral only = std::move(out.items[0]);
            out = std::move(only);
        }
        return true;
    }

    bool dict(NpyLiteral& out, std::size_t depth) {
        out.kind = Kind::dict;
        ++m_at;
        skip();
        bool comma = true;
        while (!accept('}')) {
            if (!comma) return fail("a comma is missing");
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            skip();
            if (!accept(':')) return fail("a colon is missing");
            skip();
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            skip();
            comma = accept(',');
            skip();
        }
        return true;
    }

    bool strings(NpyLiteral& out) {
        out.kind = Kind::text;
        do {
            const char prefix = peek();
            const bool raw = prefix == 'r' || prefix == 'R';
            if (prefix != '\'' && prefix != '"') ++m_at;
            const char quote = peek();
            if (quote != '\'' && quote != '"') return fail("unexpected word");
            ++m_at;
            if (!stringBody(out.text, quote, raw)) return false;
            skip();
        } while (peek() == '\'' || peek() == '"');
        return true;
    }

    bool stringBody(std::string& out, char quote, bool raw) {
        while (!accept(quote)) {
            if (m_at >= m_text.size() || peek() == '\n') return fail("a string has no end");
            const char c = m_text[m_at++];
            if (c != '\\')
                out += c;
            else if (raw || !escape(out))
                return fail("an escape that is not supported");
        }
        return true;
    }

    bool escape(std::string& out) {
        const char c = peek();
        if (m_at < m_text.size()) ++m_at;
        switch (c) {
        case '\\':
        case '\'':
        case '"':
            out += c;
            return true;
        case 'n':
            out += '\n';
            return true;
        case 'r':
            out += '\r';
            return true;
        case 't':
            out += '\t';
            return true;
        case 'x':
            return codePoint(out, 2);
        case 'u':
            return codePoint(out, 4);
        default:
            return false;
        }
    }

    bool codePoint(std::string& out, std::size_t digits) {
        unsigned code = 0;
        const std::string_view hex = m_text.substr(m_at, digits);
        const auto r = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
        if (hex.size() != digits || r.ptr != hex.data() + digits || (code >= 0xd800 && code < 0xe000))
            return false;
        m_at += digits;
        appendUtf8(out, code);
        return true;
    }

    bool integer(NpyLiteral& out) {
        out.kind = Kind::integer;
        const bool negative = peek() == '-';
        if (negative || peek() == '+') ++m_at, skip();
        int base = 10;
        if (acceptWord("0x") || acceptWord("0X"))
            base = 16;
        else if (acceptWord("0o") || acceptWord("0O"))
            base = 8;
        else if (acceptWord("0b") || acceptWord("0B"))
            base = 2;
        std::string digits = negative ? "-" : "";
        const auto isAlnum = [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        };
        const std::size_t first = digits.size();
        while (isAlnum(peek()) || (peek() == '_' && m_at + 1 < m_text.size() && isAlnum(m_text[m_at + 1]))) {
            if (peek() != '_') digits += peek();
            ++m_at;
        }
        if (base == 10 && digits.size() > first + 1 && digits[first] == '0')
            return fail("a number starts with zero");
        const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), out.integer, base);
        if (r.ec == std::errc::result_out_of_range) return fail("a number does not fit 64 bits");
        if (r.ec != std::errc() || r.ptr != digits.data() + digits.size()) return fail("not an integer");
        if (m_longs && (peek() == 'L' || peek() == 'l')) ++m_at;
        if (peek() == '.' || peek() == '_') return fail("not an integer");
        return true;
    }

    std::string_view m_text;
    bool m_longs;
    std::size_t m_at = 0, m_nodes = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<NpyLiteral> parseNpyLiteral(std::string_view header, bool python2Longs) {
    return Parser(header, python2Longs).whole();
}

} // namespace divdet
