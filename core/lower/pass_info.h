#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace divdet::lower {

enum class PassKind : std::uint8_t { drift, bug };
enum class Stage : std::uint8_t { capture, decompose, lower, replay };

std::string_view name(PassKind kind); ///< drift, bug
std::string_view name(Stage stage);   ///< capture, decompose, lower, replay

/// What menus, help and `divdet passes` show of a pass.
struct PassInfo {
    std::string id;
    PassKind kind;
    Stage stage;
    std::string title, text;
    std::vector<std::string> variants; ///< the first is the default; empty: there is only one way
    std::string otherVariants;         ///< further ones in words ("splitk:N, N from 2 to 1024"); mostly empty
    bool varies = false;               ///< without a variant, the run's number is its seed: each run differs
};

/// Every pass, in the order of passes.def.
std::vector<PassInfo> passList();
std::optional<PassInfo> findPass(std::string_view id);

} // namespace divdet::lower
