#include "run/key.h"

#include <fmt/format.h>

namespace divdet::run {
namespace {

/// A bijection of 64 bits whose every output bit depends on every input bit (splitmix64's finaliser; Steele,
/// Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

} // namespace

Key keyOf(std::string_view provenance) {
    Key k{0x9E3779B97F4A7C15ull, mix(provenance.size())};
    for (const char c : provenance) {
        const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(c)) + 1;
        k.high = mix(k.high + byte);
        k.low = mix(k.low ^ (byte * 0xD6E8FEB86659FD93ull)) + k.high;
    }
    return k;
}

std::string toString(const Key& key) {
    return fmt::format("{:016x}{:016x}", key.high, key.low);
}

} // namespace divdet::run
