#include "dump/zip_unpack.h"

#include <algorithm>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>
#include <zlib.h>

#include "base/sigbus_guard.h"

namespace divdet {
namespace {
namespace io = boost::iostreams;

Error damaged(const FileBytes& file, const ZipMember& m, std::string what) {
    return Error{ErrorCode::malformed, std::move(what), file.pathText(), "copy or save the file again",
                 m.data};
}

std::uint32_t crcOf(std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Reads `want` bytes; with `toEnd`, also that nothing follows. The buffer grows with what really arrives, so
/// that a size which lies costs nothing.
Result<std::vector<std::byte>> unpack(const FileBytes& file, const ZipMember& m, std::uint64_t want,
                                      bool toEnd) {
    std::vector<std::byte> out;
    try {
        io::filtering_istream in;
        if (m.method == 8) {
            io::zlib_params raw;
            raw.noheader = true;
            in.push(io::zlib_decompressor(raw, 64 << 10));
        } else {
            in.push(io::bzip2_decompressor());
        }
        in.push(io::array_source(reinterpret_cast<const char*>(file.bytes().data()) + m.data,
                                 static_cast<std::size_t>(m.compressed)));
        in.exceptions(std::ios::badbit);
        constexpr std::uint64_t step = 4u << 20;
        while (out.size() < want) {
            const std::size_t before = out.size();
            out.resize(before + static_cast<std::size_t>(std::min(step, want - before)));
            in.read(reinterpret_cast<char*>(out.data()) + before,
                    static_cast<std::streamsize>(out.size() - before));
            out.resize(before + static_cast<std::size_t>(in.gcount()));
            if (!in) break;
        }
        if (out.size() < want)
            return Error{ErrorCode::truncated,
                         fmt::format("the member unpacks to {} bytes, {} are promised", out.size(), want),
                         file.pathText(), "copy or save the file again", m.data};
        if (toEnd && in.peek() != std::char_traits<char>::eof())
            return damaged(file, m, "the member unpacks to more than the directory says");
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::refused, fmt::format("{} bytes do not fit in memory", want), file.pathText(),
                     "store the member plainly, it is then mapped"};
    } catch (const std::exception& e) {
        return damaged(file, m, fmt::format("the compressed data is damaged ({})", e.what()));
    }
    return out;
}

} // namespace

Result<std::vector<std::byte>> unpackStart(const FileBytes& file, const ZipMember& m, std::uint64_t want) {
    want = std::min(want, m.size);
    if (!m.stored()) return unpack(file, m, want, false);
    const auto bytes = file.bytes().subspan(static_cast<std::size_t>(m.data), static_cast<std::size_t>(want));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> unpackAll(const FileBytes& file, const ZipMember& m) {
    auto out = unpack(file, m, m.size, true);
    if (out && crcOf(*out) != m.crc) return damaged(file, m, "the checksum of the member is wrong");
    return out;
}

Status verifyStored(const FileBytes& file, const ZipMember& m) {
    const auto bytes =
        file.bytes().subspan(static_cast<std::size_t>(m.data), static_cast<std::size_t>(m.size));
    std::uint32_t crc = 0;
    if (!guardMappedRead([&] { crc = crcOf(bytes); }))
        return Error{ErrorCode::truncated, "the file became shorter while it was read", file.pathText(),
                     "compare again when it is written completely", m.data};
    if (crc != m.crc) return damaged(file, m, "the checksum of the member is wrong");
    return Done{};
}

} // namespace divdet
