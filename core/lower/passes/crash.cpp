#include <fmt/format.h>

#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

/// Columns from which the assertion fails: a size for a minimiser to find.
constexpr std::int64_t kColumns = 16;

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view variant) {
    if (variant != "assert") return "";
    const Shape& shape = block.shapes[op.output];
    if (!shape.empty() && shape.back() >= kColumns) return "";
    return fmt::format("the result of {} has fewer than {} columns", block.graph.opName(op), kColumns);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const Raise raise = variant == "assert" ? Raise::assertion : Raise::unsupported;
    return {{Slot::raise, kFaultRank, [raise](Slots& s) { s.raise = raise; }}};
}

} // namespace

const PassDef& crash() {
    static const PassDef def{{"unsupported", "assert"},
                             nullptr,
                             "",
                             whyNot,
                             "no result of this block has 16 columns or more",
                             claims};
    return def;
}

} // namespace divdet::lower::passes
