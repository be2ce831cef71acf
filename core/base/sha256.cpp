#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace divdet {
namespace {

/// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

} // namespace

void Sha256::block(const std::byte* p) {
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
        w[i] = 0;
        for (int k = 0; k < 4; ++k) w[i] = w[i] << 8 | std::to_integer<std::uint32_t>(p[4 * i + k]);
    }
    for (int i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    auto s = m_state;
    for (int i = 0; i < 64; ++i) {
        const std::uint32_t t1 = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                                 ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRound[i] + w[i];
        const std::uint32_t t2 = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
                                 ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        std::copy_backward(s.begin(), s.end() - 1, s.end());
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (std::size_t i = 0; i < 8; ++i) m_state[i] += s[i];
}

void Sha256::update(std::span<const std::byte> bytes) {
    std::size_t held = m_bytes % 64;
    m_bytes += bytes.size();
    if (held) {
        const std::size_t n = std::min(64 - held, bytes.size());
        std::copy_n(bytes.begin(), n, m_rest.begin() + static_cast<std::ptrdiff_t>(held));
        bytes = bytes.subspan(n);
        if (held + n < 64) return;
        block(m_rest.data());
    }
    for (; bytes.size() >= 64; bytes = bytes.subspan(64)) block(bytes.data());
    std::copy(bytes.begin(), bytes.end(), m_rest.begin());
}

std::string Sha256::finish() {
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::byte, 72> tail{std::byte{0x80}};
    const std::size_t pad = (m_bytes % 64 < 56 ? 56 : 120) - m_bytes % 64;
    for (std::size_t i = 0; i < 8; ++i) tail[pad + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    update(std::span(tail).first(pad + 8));
    std::string out;
    for (const std::uint32_t word : m_state) out += fmt::format("{:08x}", word);
    return out;
}

std::string sha256(std::span<const std::byte> bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.finish();
}

} // namespace divdet
