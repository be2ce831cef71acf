#include "dump/protobuf_walker.h"

#include <array>
#include <cstring>

#include "dump/checked.h"
#include "dump/limits.h"

namespace divdet {

bool ProtobufWalker::fail(const char* what, std::uint64_t at, bool truncated) {
    m_fault = what;
    m_faultAt = at;
    m_truncated = truncated;
    return false;
}

bool ProtobufWalker::varint(std::uint64_t& value) {
    value = 0;
    const std::uint64_t start = m_at;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (m_at == m_end) return fail("the message ends inside a number", m_at, true);
        const auto byte = std::to_integer<std::uint64_t>(m_file[m_at++]);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        if (byte < 0x80) return true;
    }
    return fail("a number of more than ten bytes", start);
}

bool ProtobufWalker::tag(WireField& field) {
    field.offset = m_at;
    std::uint64_t key = 0;
    if (!varint(key)) return false;
    const std::uint64_t number = key >> 3;
    if (number == 0 || number > 0x1fffffff) return fail("a field number out of range", field.offset);
    if ((key & 7) > 5) return fail("a wire type that does not exist", field.offset);
    field.number = static_cast<std::uint32_t>(number);
    field.type = static_cast<WireType>(key & 7);
    return true;
}

bool ProtobufWalker::body(WireField& field) {
    const std::uint64_t left = m_end - m_at;
    switch (field.type) {
    case WireType::varint:
        return varint(field.value);
    case WireType::fixed64:
        if (left < 8) return fail("the message ends inside a number", m_end, true);
        field.value = littleAt<std::uint64_t>(m_file + m_at);
        m_at += 8;
        return true;
    case WireType::fixed32:
        if (left < 4) return fail("the message ends inside a number", m_end, true);
        field.value = littleAt<std::uint32_t>(m_file + m_at);
        m_at += 4;
        return true;
    case WireType::bytes: {
        std::uint64_t length = 0;
        if (!varint(length)) return false;
        if (length > m_end - m_at) return fail("a field is longer than what is left", field.offset, true);
        field.payload = {m_at, length};
        m_at += length;
        return true;
    }
    case WireType::group:
        return skipGroup(field.number);
    case WireType::groupEnd:
        break;
    }
    return fail("the end of a group that was not begun", field.offset);
}

bool ProtobufWalker::skipGroup(std::uint32_t number) {
    std::array<std::uint32_t, limits::kProtobufDepth> open{number};
    std::size_t depth = 1;
    while (depth > 0) {
        if (m_at == m_end) return fail("the message ends inside a group", m_at, true);
        WireField inner;
        if (!tag(inner)) return false;
        if (inner.type == WireType::group) {
            if (depth == open.size()) return fail("groups lie too deep in one another", inner.offset);
            open[depth++] = inner.number;
        } else if (inner.type == WireType::groupEnd) {
            if (inner.number != open[--depth]) return fail("a group ends with another number", inner.offset);
        } else if (!body(inner)) {
            return false;
        }
    }
    return true;
}

bool ProtobufWalker::next(WireField& field) {
    while (!m_fault && m_at != m_end) {
        field = {};
        if (!tag(field) || !body(field)) return false;
        if (field.type != WireType::group) return true;
    }
    return false;
}

} // namespace divdet
