#include "dump/json_outline.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sigbus_guard.h"
#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {

/// Iterative, so that nesting costs no stack.
class JsonOutliner {
public:
    explicit JsonOutliner(const FileBytes& file)
        : m_file(file)
        , m_tokens(file.bytes().data(), file.size())
        , m_out(file) {}

    Result<JsonOutline> run() {
        if (auto ok = value({}); !ok) return ok.error();
        while (!m_open.empty())
            if (auto ok = step(); !ok) return ok.error();
        if (auto ok = advance(); !ok) return ok.error();
        if (m_token.kind != JsonTokenKind::end) return fail("there is more after the end of the JSON value");
        return std::move(m_out);
    }

private:
    struct Open {
        std::uint32_t node, last = JsonNode::kNone;
    };

    Error fail(const std::string& what, ErrorCode code = ErrorCode::malformed) const {
        return {code, what, m_file.pathText(), "copy or save the file again", m_token.offset};
    }

    Status advance() {
        if (!guardMappedRead([this] { m_token = m_tokens.next(); }))
            return Error{ErrorCode::truncated, "the file became shorter while it was read", m_file.pathText(),
                         "compare again when it is written completely"};
        if (m_token.kind != JsonTokenKind::fault) return Done{};
        return fail(m_token.fault, m_token.truncated ? ErrorCode::truncated : ErrorCode::malformed);
    }

    bool mark(char c) const { return m_token.kind == JsonTokenKind::punctuation && m_token.mark == c; }

    /// The next token is a value; `key` is already in the node.
    Status value(JsonNode node) {
        if (auto ok = advance(); !ok) return ok;
        return take(node);
    }

    Status take(JsonNode node) {
        if (m_token.kind == JsonTokenKind::end)
            return fail("the file ends where a value should stand", ErrorCode::truncated);
        if (m_out.m_nodes.size() == limits::kJsonNodes)
            return fail(fmt::format("more than {} values", limits::kJsonNodes), ErrorCode::refused);
        const auto index = static_cast<std::uint32_t>(m_out.m_nodes.size());
        node.text = m_token.text;
        if (mark('{') || mark('[')) {
            if (m_open.size() == limits::kJsonDepth)
                return fail(fmt::format("values lie more than {} deep in one another", limits::kJsonDepth),
                            ErrorCode::refused);
            node.kind = mark('{') ? JsonNode::Kind::object : JsonNode::Kind::array;
            node.text = {m_token.offset, 1};
        } else if (m_token.kind == JsonTokenKind::string) {
            node.kind = JsonNode::Kind::string;
            node.escaped = m_token.escaped;
        } else if (m_token.kind != JsonTokenKind::scalar) {
            return fail(fmt::format("'{}' stands where a value should", m_token.mark));
        }
        m_out.m_nodes.push_back(node);
        if (!m_open.empty()) {
            Open& parent = m_open.back();
            JsonNode& of = m_out.m_nodes[parent.node];
            ++of.children;
            (parent.last == JsonNode::kNone ? of.firstChild : m_out.m_nodes[parent.last].next) = index;
            parent.last = index;
        }
        if (node.kind == JsonNode::Kind::object || node.kind == JsonNode::Kind::array)
            m_open.push_back({index});
        return Done{};
    }

    /// What follows inside the innermost open object or array.
    Status step() {
        JsonNode& of = m_out.m_nodes[m_open.back().node];
        const bool object = of.kind == JsonNode::Kind::object, first = of.children == 0;
        if (auto ok = advance(); !ok) return ok;
        if (mark(object ? '}' : ']')) {
            of.text.size = m_token.offset + 1 - of.text.offset;
            m_open.pop_back();
            return Done{};
        }
        if (!first) {
            if (m_token.kind == JsonTokenKind::end)
                return fail("the file ends too early", ErrorCode::truncated);
            if (!mark(',')) return fail("a comma is missing");
            if (auto ok = advance(); !ok) return ok;
        }
        return object ? memberOf() : take({});
    }

    Status memberOf() {
        if (m_token.kind == JsonTokenKind::end) return fail("the file ends too early", ErrorCode::truncated);
        if (m_token.kind != JsonTokenKind::string) return fail("a name is missing");
        JsonNode node;
        node.key = m_token.text;
        node.keyEscaped = m_token.escaped;
        if (auto ok = advance(); !ok) return ok;
        if (m_token.kind == JsonTokenKind::end) return fail("the file ends too early", ErrorCode::truncated);
        if (!mark(':')) return fail("a colon is missing");
        return value(node);
    }

    const FileBytes& m_file;
    JsonTokens m_tokens;
    JsonToken m_token;
    JsonOutline m_out;
    std::vector<Open> m_open;
};

Result<JsonOutline> JsonOutline::of(const FileBytes& file) {
    return JsonOutliner(file).run();
}

std::vector<const JsonNode*> JsonOutline::children(const JsonNode& node) const {
    std::vector<const JsonNode*> out;
    for (std::uint32_t i = node.firstChild; i != JsonNode::kNone; i = m_nodes[i].next)
        out.push_back(&m_nodes[i]);
    return out;
}

const JsonNode* JsonOutline::member(const JsonNode& object, std::string_view name) const {
    const JsonNode* found = nullptr;
    if (object.kind != JsonNode::Kind::object) return found;
    for (std::uint32_t i = object.firstChild; i != JsonNode::kNone; i = m_nodes[i].next)
        if (m_nodes[i].key.size <= 6 * name.size() && key(m_nodes[i]) == name) found = &m_nodes[i];
    return found;
}

std::string JsonOutline::decoded(ByteRange range, bool escaped) const {
    std::string text(reinterpret_cast<const char*>(m_file->bytes().data()) + range.offset,
                     static_cast<std::size_t>(range.size));
    if (!isUtf8(text)) text = latin1ToUtf8(text);
    return escaped ? withoutJsonEscapes(text) : text;
}

namespace {

/// Four hexadecimal digits at `at`; nullopt where they are not there.
std::optional<char32_t> hex4(std::string_view text, std::size_t at) {
    if (at + 4 > text.size()) return std::nullopt;
    char32_t value = 0;
    for (const char c : text.substr(at, 4)) {
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return std::nullopt;
        value = value * 16 + static_cast<char32_t>(digit);
    }
    return value;
}

} // namespace

std::string withoutJsonEscapes(std::string_view text) {
    constexpr std::string_view letters = "bfnrt", controls = "\b\f\n\r\t";
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (const auto at = letters.find(c); at != std::string_view::npos) {
            out += controls[at];
        } else if (c == 'u') {
            auto code = hex4(text, i + 1);
            if (!code) {
                out += "\\u"; // kept as it is: names are only shown
                continue;
            }
            i += 4;
            if (*code >= 0xd800 && *code < 0xdc00 && text.substr(i + 1, 2) == "\\u") {
                const auto low = hex4(text, i + 3);
                if (low && *low >= 0xdc00 && *low < 0xe000) {
                    code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
                    i += 6;
                }
            }
            appendUtf8(out, *code >= 0xd800 && *code < 0xe000 ? char32_t{0xfffd} : *code);
        } else {
            out += c;
        }
    }
    return out;
}

} // namespace divdet
