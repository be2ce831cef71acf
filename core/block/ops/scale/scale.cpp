#include "block/ops/scale/scale.h"

#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    if (!std::isfinite(scaleFactor(attributes)))
        return Error{ErrorCode::mismatch, "the factor of scale is not finite", "",
                     "give rsqrt_of and sqrt_of positive values"};
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    const double factor = scaleFactor(attributes);
    return mapped(in[0], [factor](double x) { return x * factor; });
}

} // namespace

double scaleFactor(const Attributes& attributes) {
    const double ratio = numberOr(attributes, "sqrt_of", 1) / numberOr(attributes, "rsqrt_of", 1);
    return numberOr(attributes, "factor", 1) * std::sqrt(ratio);
}

const OpDef& scale() {
    static const OpDef def{OpKind::scale,
                           "scale",
                           "Every element times one number",
                           1,
                           1,
                           {AttributeSpec{"factor"}, AttributeSpec{"sqrt_of"}, AttributeSpec{"rsqrt_of"}},
                           {.pointwise = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
