#include "cuda/loader/op_text.h"

#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/op_def.h"
#include "block/ops/conv2d/conv_geometry.h"
#include "block/ops/layout.h"
#include "block/ops/matmul/product_shape.h"
#include "block/ops/quantized.h"
#include "block/ops/row_index.h"
#include "block/ops/scale/scale.h"

namespace divdet::cuda {
namespace {

using block::OpKind;
using lower::Slots;

/// Attributes in the order in which they are written.
class Text {
public:
    void add(std::string key, std::string value) { m_entries.emplace_back(std::move(key), std::move(value)); }
    void add(std::string key, std::string_view value) { add(std::move(key), std::string(value)); }
    void add(std::string key, std::int64_t value) { add(std::move(key), std::to_string(value)); }
    void add(std::string key, float value) { add(std::move(key), fmt::format("{:a}", value)); }
    std::vector<std::pair<std::string, std::string>> take() { return std::move(m_entries); }

private:
    std::vector<std::pair<std::string, std::string>> m_entries;
};

/// Empty for a value that came later than this list.
template <class Enum>
std::string_view nameOf(Enum value, std::initializer_list<std::string_view> names) {
    const auto at = static_cast<std::size_t>(value);
    return at < names.size() ? names.begin()[at] : std::string_view();
}

std::string_view partialsName(DType t) {
    return t == DType::bf16 ? "bf16" : "f16";
}

/// Writes every field that is not as written, and checks that none was left out: a slot that this function
/// does not know must not be ignored.
bool addSlots(Text& text, const Slots& s) {
    Slots known;
    const auto field = [&](auto Slots::*member, std::string key, const auto& value) {
        if (s.*member == known.*member) return;
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>)
            if (value.empty()) return; // and `known` differs
        text.add(std::move(key), value);
        known.*member = s.*member;
    };
    field(&Slots::operand, "operand",
          nameOf(s.operand, {"f32", "tf32", "bf16", "fp16", "int4", "fp8", "int8"}));
    field(&Slots::tf32Mode, "tf32.rounding", nameOf(s.tf32Mode, {"rne", "rna", "rz"}));
    field(&Slots::granularity, "int8.granularity", nameOf(s.granularity, {"per-token", "per-tensor"}));
    field(&Slots::fp8Format, "fp8.format", nameOf(s.fp8Format, {"e4m3", "e5m2"}));
    field(&Slots::group, "int4.group", std::int64_t{s.group});
    field(&Slots::accumulator, "accumulator",
          nameOf(s.accumulator, {"native", "bf16", "fp16", "instruction-fp16"}));
    field(&Slots::order, "order", nameOf(s.order, {"published", "pairwise", "strided", "splitk", "atomics"}));
    field(&Slots::splits, "order.splits", std::int64_t{s.splits});
    field(&Slots::orderSeed, "order.seed", std::to_string(s.orderSeed));
    if (s.partials == DType::bf16 || s.partials == DType::f16)
        field(&Slots::partials, "partials", partialsName(s.partials));
    known.storage = s.storage; // the dtype of the result
    known.buffer = s.buffer;   // these two are the caller's doing (run/replay.h, run/run_op.h)
    known.raise = s.raise;
    field(&Slots::maths, "maths", nameOf(s.maths, {"exact", "fast"}));
    field(&Slots::fused, "fused", std::string_view(s.fused ? "yes" : "no"));
    field(&Slots::formula, "formula",
          nameOf(s.formula, {"as-written", "gelu-tanh", "one-pass-variance", "masked-row-nan"}));
    field(&Slots::subnormals, "subnormals", nameOf(s.subnormals, {"kept", "flushed"}));
    field(&Slots::scales, "scales",
          nameOf(s.scales, {"calibrated", "clipped-weight", "clipped-activation", "neighbour"}));
    field(&Slots::scaleChannel, "scales.channel", std::int64_t{std::max(0, s.scaleChannel)});
    field(&Slots::clip, "scales.clip", s.clip);
    field(&Slots::tailTile, "tail.tile", std::int64_t{std::max(0, s.tailTile)});
    field(&Slots::missingBarrier, "barrier", std::string_view(s.missingBarrier ? "missing" : "there"));
    field(&Slots::barrierSeed, "barrier.seed", std::to_string(s.barrierSeed));
    return known == s;
}

/// What one pointwise op needs besides its operands.
void addPointwise(Text& text, const std::string& prefix, OpKind kind, const block::Attributes& a,
                  const Shape& shape) {
    if (kind == OpKind::scale) text.add(prefix + "factor", static_cast<float>(block::ops::scaleFactor(a)));
    if (kind == OpKind::causal_mask) {
        text.add(prefix + "offset", block::integerOr(a, "offset", 0));
        text.add(prefix + "queries", shape[shape.size() - 2]);
        text.add(prefix + "keys", shape.back());
    }
}

/// A step joins with its maths and formula; nothing else of it acts in a fused kernel.
void addFused(Text& text, const lower::LoweredOp& op, const Shape& shape) {
    if (op.fused.empty()) return;
    text.add("fused.count", static_cast<std::int64_t>(op.fused.size()));
    for (std::size_t i = 0; i < op.fused.size(); ++i) {
        const lower::FusedStep& step = op.fused[i];
        const std::string prefix = fmt::format("fused.{}.", i);
        text.add(prefix + "kind", block::name(step.kind));
        if (step.operand) text.add(prefix + "operand", static_cast<std::int64_t>(*step.operand));
        if (step.slots.maths == lower::Maths::fast) text.add(prefix + "maths", std::string_view("fast"));
        if (step.slots.formula == lower::Formula::geluTanh)
            text.add(prefix + "formula", std::string_view("gelu-tanh"));
        addPointwise(text, prefix, step.kind, step.attributes, shape);
    }
}

Status addMove(Text& text, const lower::LoweredOp& op, const Shape& shape) {
    const auto layout = op.kind == OpKind::split_heads   ? block::ops::splitHeadsLayout(shape, op.attributes)
                        : op.kind == OpKind::merge_heads ? block::ops::mergeHeadsLayout(shape)
                                                         : block::ops::transposeLayout(shape, op.attributes);
    if (!layout) return layout.error();
    text.add("move.extents", fmt::format("{}", fmt::join(layout->shape, ",")));
    text.add("move.strides", fmt::format("{}", fmt::join(layout->strides, ",")));
    return Done{};
}

Status addConvolution(Text& text, const lower::LoweredOp& op, std::span<const Shape> shapes) {
    const auto found = block::ops::convGeometry(shapes, op.attributes);
    if (!found) return found.error();
    const block::ops::ConvGeometry& g = *found;
    const std::int64_t numbers[] = {g.n,         g.c,         g.h,      g.w,      g.o,       g.kh,
                                    g.kw,        g.outH,      g.outW,   g.groups, g.strideY, g.strideX,
                                    g.dilationY, g.dilationX, g.padTop, g.padLeft};
    text.add("geometry", fmt::format("{}", fmt::join(numbers, ",")));
    return Done{};
}

/// What the kind of op needs besides slots.
Status addKind(Text& text, const lower::LoweredOp& op, std::span<const Tensor> in,
               std::span<const Shape> shapes) {
    switch (op.kind) {
    case OpKind::matmul: {
        const auto p = block::ops::productShape(shapes.first(2));
        if (!p) return p.error();
        text.add("product", fmt::format("{},{},{},{}", p->batch, p->m, p->n, p->k));
        text.add("inputs.own", static_cast<std::int64_t>(op.ownInputs));
        return Done{};
    }
    case OpKind::conv2d:
        text.add("inputs.own", static_cast<std::int64_t>(op.ownInputs));
        return addConvolution(text, op, shapes.first(2));
    case OpKind::rmsnorm:
    case OpKind::layernorm:
        text.add("eps", static_cast<float>(block::numberOr(op.attributes, "eps", 0)));
        return Done{};
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
        return addMove(text, op, shapes[0]);
    case OpKind::embedding:
    case OpKind::scatter_add: {
        const std::int64_t rows =
            op.kind == OpKind::embedding ? shapes[1][0] : block::integerOr(op.attributes, "rows", 0);
        const auto indices = block::ops::rowIndices(in[0], rows);
        return indices ? Status(Done{}) : Status(indices.error());
    }
    case OpKind::quantize:
    case OpKind::dequantize: {
        const auto layout = block::ops::quantizedLayout(block::name(op.kind), shapes.first(2), op.attributes);
        if (!layout) return layout.error();
        const auto range = block::ops::codeRange(op.attributes);
        text.add("channel.inner", static_cast<std::int64_t>(layout->inner));
        text.add("low", static_cast<float>(range.low));
        text.add("high", static_cast<float>(range.high));
        return Done{};
    }
    default:
        addPointwise(text, "", op.kind, op.attributes, shapes[0]);
        return Done{};
    }
}

} // namespace

Result<OpText> describe(const lower::LoweredOp& op, std::span<const Tensor> inputs) {
    if (inputs.size() != op.inputs.size() || inputs.size() < op.ownInputs || inputs.empty())
        return Error{ErrorCode::internal, "an op was given another number of tensors than it reads", op.name,
                     ""};
    std::vector<Shape> shapes;
    for (const Tensor& t : inputs) shapes.push_back(t.shape());
    auto shape = block::opDef(op.kind).shape(std::span(shapes).first(op.ownInputs), op.attributes);
    if (!shape) return shape.error();
    Text text;
    if (!addSlots(text, op.slots))
        return Error{ErrorCode::unsupported,
                     fmt::format("a GPU has no arithmetic for {}", lower::toString(op.slots)), op.name,
                     "switch that pass off for this op"};
    if (auto s = addKind(text, op, inputs, shapes); !s) return s.error();
    addFused(text, op, *shape);
    return OpText{text.take(), std::move(*shape)};
}

} // namespace divdet::cuda
