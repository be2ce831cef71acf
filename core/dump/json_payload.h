#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "dump/file_bytes.h"
#include "dump/json_outline.h"

namespace divdet {

/// Bytes in a JSON text: base64, or (Polygraphy before 0.25) one character per byte. Decoded straight from
/// the file, no more of it than asked for.
class JsonPayload {
public:
    JsonPayload(const FileBytes& file, const JsonNode& string);

    bool latin1() const { return m_latin1; }
    /// Bytes of the payload; base64 that was not looked at yet may be wrong later on.
    Result<std::uint64_t> size() const;
    /// The first `limit` bytes, or all. Errors: malformed (no base64, a character above 255) with the offset
    /// in the file; strict as Python's b64decode(validate=True): no line breaks, no missing padding.
    Result<std::vector<std::byte>> bytes(std::uint64_t limit = UINT64_MAX) const;

private:
    Error fail(const char* what, std::uint64_t at) const;
    const FileBytes& m_file;
    ByteRange m_text;
    bool m_escaped, m_latin1 = false;
};

} // namespace divdet
