#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

/// Variants `seed:N` of passes that vary from run to run.
namespace divdet::lower {

inline constexpr std::string_view kSeedVariants = "seed:N (without it the run's number)";

inline std::optional<std::uint64_t> seedOf(std::string_view variant) {
    constexpr std::string_view kPrefix = "seed:";
    if (!variant.starts_with(kPrefix)) return std::nullopt;
    variant.remove_prefix(kPrefix.size());
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(variant.data(), variant.data() + variant.size(), seed);
    if (error != std::errc() || end != variant.data() + variant.size()) return std::nullopt;
    return seed;
}

inline std::string seedVariant(std::uint64_t seed) {
    return fmt::format("seed:{}", seed);
}

inline std::optional<std::string> canonicalSeed(std::string_view text) {
    const auto seed = seedOf(text);
    return seed ? std::optional(seedVariant(*seed)) : std::nullopt;
}

} // namespace divdet::lower
