#include "fuzz/zip_builder.h"

#include <zlib.h>

namespace divdet::fuzz {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 0xff);
}

std::string deflated(std::string_view data) {
    z_stream z{};
    deflateInit2(&z, 1, Z_DEFLATED, -MAX_WBITS, 1, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&z, data.size()), '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    z.avail_in = static_cast<uInt>(data.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

} // namespace

void ZipBuilder::add(std::string_view name, std::string_view data, Pack pack) {
    const std::string packed = pack == Pack::deflated ? deflated(data) : std::string(data);
    const auto crc = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
    const std::uint32_t method = (pack == Pack::deflated ? 8u : 0u) + m_lie.method;
    const std::uint64_t at = m_members.size();
    const auto common = [&](std::string& out) { // version needed … extra length, alike in both headers
        put(out, 20, 2);
        put(out, 0x800u ^ m_lie.flags, 2);
        put(out, method, 2);
        put(out, 0x00210000, 4); // 1 January 1980
        put(out, crc + m_lie.crc, 4);
        put(out, packed.size() + m_lie.compressed, 4);
        put(out, data.size() + m_lie.size, 4);
        put(out, name.size(), 2);
        put(out, 0, 2);
    };
    m_members += "PK\3\4";
    common(m_members);
    m_members.append(name).append(packed);
    m_directory += "PK\1\2";
    put(m_directory, 0x0314, 2);
    common(m_directory);
    put(m_directory, 0, 2 + 2 + 2 + 4); // comment, disk, attributes
    put(m_directory, at + m_lie.header, 4);
    m_directory.append(name);
    ++m_count;
    m_lie = {};
}

std::string ZipBuilder::finish() const {
    std::string out = m_members + m_directory + "PK\5\6";
    put(out, 0, 4);
    put(out, m_count, 2);
    put(out, m_count, 2);
    put(out, m_directory.size(), 4);
    put(out, m_members.size(), 4);
    put(out, 0, 2);
    return out;
}

} // namespace divdet::fuzz
