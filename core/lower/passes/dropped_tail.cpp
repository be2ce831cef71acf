#include <fmt/format.h>

#include "lower/pass_def.h"
#include "lower/passes/counted_variant.h"

namespace divdet::lower::passes {
namespace {

constexpr int kMaxTile = 1024;

std::optional<int> tileOf(std::string_view variant) {
    return countedVariant(variant, "tile:", 2, kMaxTile);
}

std::optional<std::string> otherVariant(std::string_view text) {
    const auto n = tileOf(text);
    return n ? std::optional(fmt::format("tile:{}", *n)) : std::nullopt;
}

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view variant) {
    const std::int64_t k = termsOf(block, op), tile = tileOf(variant).value_or(2);
    if (k == 0) return block.graph.opName(op) + " adds no products along k in tiles";
    if (k % tile != 0) return "";
    return fmt::format("{} adds {} terms, a multiple of the tile of {}: there is no tail",
                       block.graph.opName(op), k, tile);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    return {{Slot::tail, kFaultRank, [tile = *tileOf(variant)](Slots& s) { s.tailTile = tile; }}};
}

} // namespace

const PassDef& droppedTail() {
    static const PassDef def{{"tile:16", "tile:64"},
                             otherVariant,
                             "tile:N (N from 2 to 1024)",
                             whyNot,
                             "every sum of this block is a whole number of tiles long, so there is no tail; "
                             "choose another size or tile",
                             claims};
    return def;
}

} // namespace divdet::lower::passes
