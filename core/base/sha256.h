#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace divdet {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
public:
    void update(std::span<const std::byte> bytes);

    /// Lower-case hexadecimal digest of everything so far; the object is used up.
    std::string finish();

private:
    void block(const std::byte* p);
    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> m_rest{};
    std::uint64_t m_bytes = 0;
};

std::string sha256(std::span<const std::byte> bytes);

} // namespace divdet
