#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [.., queries, keys]: element (i, j) becomes -inf where j > i + offset.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].size() < 2) return shapeError("causal_mask needs queries and keys", in);
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    auto x = doubles(in[0]);
    const Shape& s = in[0].shape();
    const std::int64_t queries = s[s.size() - 2], keys = s.back();
    const std::int64_t offset = integerOr(attributes, "offset", 0);
    for (std::size_t at = 0; at < x.size(); ++at) {
        const auto flat = static_cast<std::int64_t>(at);
        if (flat % keys - flat / keys % queries > offset) x[at] = -INFINITY;
    }
    return tensorOfDoubles(s, x);
}

} // namespace

const OpDef& causal_mask() {
    static const OpDef def{
        OpKind::causal_mask,
        "causal_mask",
        "Scores of later positions become minus infinity, so that no token sees its future",
        1,
        1,
        {AttributeSpec{"offset", AttributeType::integer}},
        {.pointwise = true},
        shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
