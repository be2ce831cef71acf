#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/file_bytes.h"
#include "dump/json_tokens.h"

namespace divdet {

struct JsonNode {
    enum class Kind : std::uint8_t { object, array, string, scalar };
    static constexpr std::uint32_t kNone = 0xffffffff;

    Kind kind = Kind::scalar;
    bool escaped = false, keyEscaped = false;
    ByteRange text; ///< strings between the quotes; else from the first to the last byte
    ByteRange key;  ///< of a member of an object
    std::uint32_t firstChild = kNone, next = kNone, children = 0;
};

/// The structure of a JSON file: every value by its place in the file. A tree that holds the texts
/// (nlohmann's) needs the base64 payloads of a result file in memory twice over; simdjson needs a padded copy
/// of the whole file, stops at 4 GiB and refuses Python's NaN.
class JsonOutline {
public:
    /// Errors: malformed, truncated, refused (limits.h), all with the offset.
    static Result<JsonOutline> of(const FileBytes& file);

    const JsonNode& root() const { return m_nodes.front(); }
    const JsonNode& at(std::uint32_t index) const { return m_nodes[index]; }
    std::vector<const JsonNode*> children(const JsonNode& node) const;

    /// The last member of that name, as Python reads doubles; null when there is none.
    const JsonNode* member(const JsonNode& object, std::string_view name) const;

    /// Texts without their escapes; what is no UTF-8 counts as Latin-1. Not for payloads.
    std::string text(const JsonNode& string) const { return decoded(string.text, string.escaped); }
    std::string key(const JsonNode& member) const { return decoded(member.key, member.keyEscaped); }

private:
    explicit JsonOutline(const FileBytes& file)
        : m_file(&file) {}
    std::string decoded(ByteRange range, bool escaped) const;
    const FileBytes* m_file; ///< outlives the outline
    std::vector<JsonNode> m_nodes;
    friend class JsonOutliner;
};

/// JSON text between quotes, escapes resolved to UTF-8; lone surrogates become U+FFFD.
std::string withoutJsonEscapes(std::string_view text);

} // namespace divdet
