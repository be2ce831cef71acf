#pragma once
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace divdet::run {

/// Name of a tensor by where it comes from: 128 bits that depend on every byte of its provenance (filling and
/// seed, or device, op, slots and the keys of its inputs). Equal keys mean equal bits.
struct Key {
    std::uint64_t high = 0, low = 0;
    auto operator<=>(const Key&) const = default;
};

Key keyOf(std::string_view provenance);
std::string toString(const Key& key); ///< 32 hexadecimal digits

} // namespace divdet::run

template <>
struct std::hash<divdet::run::Key> {
    std::size_t operator()(const divdet::run::Key& k) const noexcept {
        return static_cast<std::size_t>(k.low);
    }
};
