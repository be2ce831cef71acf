#pragma once
#include <cstddef>
#include <cstdint>

#include "dump/protobuf_walker.h"

namespace divdet {

enum class JsonTokenKind : std::uint8_t { punctuation, string, scalar, end, fault };

struct JsonToken {
    JsonTokenKind kind = JsonTokenKind::end;
    char mark = 0;        ///< punctuation: one of { } [ ] : ,
    bool escaped = false; ///< the string has backslashes
    ByteRange text; ///< strings: between the quotes; scalars: numbers and true, false, null, NaN, Infinity
    const char* fault = nullptr;
    std::uint64_t offset = 0; ///< where it starts, or where the fault is
    bool truncated = false;   ///< the fault is an early end
};

/// Tokens of JSON text by their offsets; nothing is copied or decoded, so a payload of gigabytes costs one
/// look at its bytes. Accepts what Python's json accepts (NaN and Infinity too). Trivially destructible: fit
/// for guardMappedRead.
class JsonTokens {
public:
    JsonTokens(const std::byte* file, std::uint64_t size)
        : m_text(reinterpret_cast<const char*>(file))
        , m_size(size) {}
    JsonToken next();

private:
    JsonToken string();
    JsonToken scalar();
    JsonToken fail(const char* what, std::uint64_t at, bool truncated = false) const;

    const char* m_text;
    std::uint64_t m_size, m_at = 0;
};

} // namespace divdet
