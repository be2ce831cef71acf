#include "dump/json_payload.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/sigbus_guard.h"

namespace divdet {
namespace {

constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> base64Digits() {
    std::array<std::uint8_t, 256> out{};
    out.fill(kNoDigit);
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
        out[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    return out;
}
constexpr auto kDigits = base64Digits();

int hexDigit(unsigned char c) {
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; // the tokens have checked that it is one
}

/// Characters of a JSON text up to U+00FF. Plain pointers: runs under a guard.
struct Characters {
    const unsigned char* p;
    const unsigned char* end;
    const unsigned char* bad = nullptr;

    /// -1 at the end and at a character that is no byte.
    int next() {
        if (p == end) return -1;
        const unsigned char* start = p;
        const unsigned c = *p++;
        if (c == '\\' && p < end) {
            const unsigned char e = *p++;
            constexpr std::string_view letters = "bfnrt", controls = "\b\f\n\r\t";
            if (const auto at = letters.find(static_cast<char>(e)); at != std::string_view::npos)
                return static_cast<unsigned char>(controls[at]);
            if (e != 'u') return e;
            if (end - p < 4) return stop(start);
            int code = 0;
            for (int i = 0; i < 4; ++i) code = code * 16 + hexDigit(*p++);
            return code < 256 ? code : stop(start);
        }
        if (c < 0x80) return static_cast<int>(c);
        if ((c == 0xc2 || c == 0xc3) && p < end && (*p & 0xc0) == 0x80)
            return static_cast<int>((c & 3) << 6 | (*p++ & 0x3fu));
        return stop(start);
    }
    int stop(const unsigned char* at) {
        bad = at;
        return -1;
    }
};

/// Groups of four digits into three bytes; `first` of the file's bytes that is wrong, or null.
const unsigned char* decodePlain(const unsigned char* p, const unsigned char* end, std::byte* out,
                                 std::byte* outEnd) {
    for (; p < end && out < outEnd; p += 4) {
        const unsigned char pad = p + 4 == end ? '=' : '\0'; // only the last group may be padded
        unsigned d[4] = {kDigits[p[0]], kDigits[p[1]], kDigits[p[2]], kDigits[p[3]]};
        if (pad && p[3] == pad) {
            d[3] = 0;
            if (p[2] == pad) d[2] = 0;
        }
        if ((d[0] | d[1] | d[2] | d[3]) > 63) {
            int i = 0;
            while (d[i] <= 63) ++i;
            return p + i;
        }
        const unsigned all = d[0] << 18 | d[1] << 12 | d[2] << 6 | d[3];
        for (int shift = 16; shift >= 0 && out < outEnd; shift -= 8)
            *out++ = static_cast<std::byte>(all >> shift);
    }
    return nullptr;
}

} // namespace

JsonPayload::JsonPayload(const FileBytes& file, const JsonNode& string)
    : m_file(file)
    , m_text(string.text)
    , m_escaped(string.escaped) {
    // Base64 of an npy or a zip starts with k05V or UEs; the bytes themselves with U+0093 or PK.
    Characters c{reinterpret_cast<const unsigned char*>(file.bytes().data()) + m_text.offset, nullptr};
    c.end = c.p + m_text.size;
    int first = -1, second = -1;
    if (!guardMappedRead([&] {
            first = c.next();
            second = c.next();
        }))
        return;
    m_latin1 = (first == 0x93 && second == 'N') || (first == 'P' && second == 'K');
}

Error JsonPayload::fail(const char* what, std::uint64_t at) const {
    return {ErrorCode::malformed, what, m_file.pathText(), "save the results again", at};
}

Result<std::uint64_t> JsonPayload::size() const {
    const auto* text = reinterpret_cast<const unsigned char*>(m_file.bytes().data()) + m_text.offset;
    std::uint64_t count = m_text.size, pads = 0;
    Characters c{text, text + m_text.size};
    const bool walk = m_escaped || m_latin1;
    if (!guardMappedRead([&] {
            if (!walk) {
                while (pads < 2 && pads < m_text.size && text[m_text.size - 1 - pads] == '=') ++pads;
                return;
            }
            count = 0;
            for (int x = c.next(); x >= 0; x = c.next(), ++count) pads = x == '=' ? pads + 1 : 0;
        }))
        return fail("the file became shorter while it was read", m_text.offset);
    if (c.bad)
        return fail("a character that stands for no byte",
                    m_text.offset + static_cast<std::uint64_t>(c.bad - text));
    if (m_latin1) return count;
    if (count % 4 != 0 || pads > 2) return fail("the text is no base64: its length is wrong", m_text.offset);
    return count / 4 * 3 - pads;
}

Result<std::vector<std::byte>> JsonPayload::bytes(std::uint64_t limit) const {
    const auto total = size();
    if (!total) return total.error();
    std::vector<std::byte> out(static_cast<std::size_t>(std::min(*total, limit)));
    const auto* text = reinterpret_cast<const unsigned char*>(m_file.bytes().data()) + m_text.offset;
    const unsigned char* bad = nullptr;
    std::vector<unsigned char> flat; // base64 with escapes, which no writer makes but JSON allows
    if (m_escaped && !m_latin1) flat.resize(static_cast<std::size_t>((*total + 2) / 3 * 4));
    std::byte* const first = out.data();
    std::byte* const last = first + out.size();
    unsigned char* const flatFirst = flat.data();
    const std::size_t flatSize = flat.size();
    if (!guardMappedRead([&] {
            Characters c{text, text + m_text.size};
            if (m_latin1)
                for (std::byte* p = first; p < last; ++p) *p = static_cast<std::byte>(c.next());
            else if (!m_escaped)
                bad = decodePlain(text, text + m_text.size, first, last);
            else
                for (std::size_t i = 0; i < flatSize; ++i)
                    flatFirst[i] = static_cast<unsigned char>(c.next());
        }))
        return fail("the file became shorter while it was read", m_text.offset);
    if (m_escaped && !m_latin1 && decodePlain(flatFirst, flatFirst + flatSize, first, last)) bad = text;
    if (bad) return fail("the text is no base64", m_text.offset + static_cast<std::uint64_t>(bad - text));
    return out;
}

} // namespace divdet
