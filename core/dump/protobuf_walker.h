#pragma once
#include <cstddef>
#include <cstdint>

namespace divdet {

enum class WireType : std::uint8_t {
    varint = 0,
    fixed64 = 1,
    bytes = 2,
    group = 3,
    groupEnd = 4,
    fixed32 = 5
};

/// A stretch of a file.
struct ByteRange {
    std::uint64_t offset = 0, size = 0;
    std::uint64_t end() const { return offset + size; }
};

/// One field of a protobuf message (protobuf.dev, "Encoding"). Groups are walked over and not shown.
struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    std::uint64_t offset = 0; ///< of its tag
    std::uint64_t value = 0;  ///< varint and fixed types
    ByteRange payload;        ///< bytes type
    bool is(std::uint32_t n, WireType t) const { return number == n && type == t; }
};

/// Walks the fields of one message without allocating and without touching the payload of a bytes field, so
/// it passes gigabytes of weights in no time. libprotobuf would copy them, stops at 2 GiB and tells no
/// offset. Trivially destructible: fit for guardMappedRead.
class ProtobufWalker {
public:
    /// `file` is the first byte of the file; the message lies at `message`, which is inside the file.
    ProtobufWalker(const std::byte* file, ByteRange message)
        : m_file(file)
        , m_at(message.offset)
        , m_end(message.end()) {}

    bool next(WireField& field); ///< false at the end and at the first fault

    /// Null, or what is wrong, as in "the file ends inside a number".
    const char* fault() const { return m_fault; }
    bool truncated() const { return m_truncated; }          ///< the fault is an end that comes too early
    std::uint64_t faultOffset() const { return m_faultAt; } ///< where

    /// The next number of a packed field.
    bool varint(std::uint64_t& value);
    bool atEnd() const { return m_at == m_end; }

private:
    bool fail(const char* what, std::uint64_t at, bool truncated = false);
    bool tag(WireField& field);
    bool skipGroup(std::uint32_t number);
    bool body(WireField& field);

    const std::byte* m_file;
    std::uint64_t m_at, m_end;
    const char* m_fault = nullptr;
    std::uint64_t m_faultAt = 0;
    bool m_truncated = false;
};

} // namespace divdet
