#include "judge/local/allowed.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "block/ops/quantized.h"
#include "block/ops/support.h"
#include "judge/local/carried.h"
#include "judge/local/ordered_sums.h"
#include "judge/local/pointwise_bound.h"
#include "judge/local/row_bounds.h"
#include "numerics/quantize.h"

namespace divdet::local {
namespace {

using block::OpKind;
using block::ops::doubles;

constexpr std::size_t kOwnBias = 3; ///< inputs of a product with a bias

Error noBound(const lower::LoweredOp& op) {
    return {ErrorCode::unsupported,
            fmt::format("there is no bound for {} with {}", block::name(op.kind), lower::toString(op.slots)),
            op.name, ""};
}

Error cancelled() {
    return {ErrorCode::cancelled, "cancelled", "", ""};
}

/// Products, their bias and residual, scales, and the steps fused behind them.
class ProductBound {
public:
    ProductBound(const lower::LoweredOp& op, std::span<const Tensor> inputs, Order order,
                 const Progress& progress)
        : m_op(op)
        , m_inputs(inputs)
        , m_order(order)
        , m_progress(progress) {}

    Result<Allowed> run(numerics::Arch arch) {
        const auto products = Products::of(m_op, m_inputs, arch, m_order != Order::known);
        if (!products) return products.error();
        std::vector<Shape> shapes;
        for (std::size_t i = 0; i < m_op.ownInputs; ++i) shapes.push_back(m_inputs[i].shape());
        const auto shape = block::opDef(m_op.kind).shape(shapes, m_op.attributes);
        if (!shape) return shape.error();
        m_out = {std::vector<double>(products->outputs()), std::vector<double>(products->outputs())};
        const std::size_t taken = takeStart(*products);
        for (std::size_t i = 0; i < products->count(); ++i)
            if (auto s = one(*products, i); !s) return s.error();
        if (!m_op.slots.fused && m_op.ownInputs == kOwnBias) addStoredBias(*products);
        for (std::size_t at = taken; at < m_op.fused.size(); ++at) {
            const lower::FusedStep& step = m_op.fused[at];
            std::vector<double> operand;
            if (step.operand) operand = doubles(m_inputs[*step.operand]);
            const bool rounds = at + 1 < m_op.fused.size() || m_op.slots.storage != DType::f32;
            if (!pointwiseBound(step.kind, step.attributes, step.slots, *shape, operand, rounds, m_out.exact,
                                m_out.bound))
                return noBound(m_op);
        }
        return std::move(m_out);
    }

private:
    /// In a fused kernel the accumulators start from bias, residual or their sum. Returns fused steps done.
    std::size_t takeStart(const Products& products) {
        if (!m_op.slots.fused) return 0;
        if (m_op.ownInputs == kOwnBias) m_bias = doubles(m_inputs[2]);
        if (m_op.fused.empty() || m_op.fused[0].kind != OpKind::add || !m_op.fused[0].operand) return 0;
        auto residual = doubles(m_inputs[*m_op.fused[0].operand]);
        if (residual.size() != products.outputs()) return 0; // what repeats stays a step of its own
        m_residual = std::move(residual);
        return 1;
    }

    Status one(const Products& products, std::size_t i) {
        const Product p = products.product(i);
        const std::size_t size = p.m * p.n;
        std::vector<double> value(size), slack(size), start;
        const bool hasStart = !m_bias.empty() || !m_residual.empty();
        if (hasStart) start = startOf(products, i, p);
        const bool scaled = !p.rowScales.empty();
        const SumModel model = sumModel(m_op.slots, p.spec, p.integers, m_order);
        auto s =
            orderedProduct(model, p, hasStart && !scaled ? start.data() : nullptr, value, slack, m_progress);
        if (!s) return s;
        if (scaled) scaleBack(p, hasStart ? &start : nullptr, value, slack);
        const bool twoStarts = !m_bias.empty() && !m_residual.empty();
        for (std::size_t at = 0; at < size; ++at) {
            const std::size_t to = products.outputAt(i, at / p.n, at % p.n);
            m_out.exact[to] = value[at];
            m_out.bound[to] = slack[at] + (twoStarts ? kU * std::abs(start[at]) : 0);
        }
        return Done{};
    }

    std::vector<double> startOf(const Products& products, std::size_t i, const Product& p) const {
        std::vector<double> start(p.m * p.n);
        for (std::size_t at = 0; at < start.size(); ++at) {
            if (!m_bias.empty()) start[at] += m_bias[products.biasAt(i, at % p.n)];
            if (!m_residual.empty()) start[at] += m_residual[products.outputAt(i, at / p.n, at % p.n)];
        }
        return start;
    }

    /// The sum becomes a float, the scales multiply, and so do both: three roundings; the scale of a code
    /// that may be one off comes on top.
    static void scaleBack(const Product& p, const std::vector<double>* start, std::vector<double>& value,
                          std::vector<double>& slack) {
        for (std::size_t row = 0; row < p.m; ++row)
            for (std::size_t column = 0; column < p.n; ++column) {
                const std::size_t at = row * p.n + column;
                const double scale = p.rowScales[row] * p.columnScales[column];
                double codes = slack[at];
                for (std::size_t k = 0; k < p.slackA.size() / std::max<std::size_t>(1, p.m); ++k)
                    if (p.slackA[row * p.k + k] > 0) codes += std::abs(p.b[k * p.n + column]);
                value[at] *= scale;
                slack[at] = codes * scale + 3 * kU * (std::abs(value[at]) + codes * scale) + 0x1p-149;
                if (!start) continue;
                value[at] += (*start)[at];
                slack[at] += kU * std::abs(value[at]);
            }
    }

    /// An unfused bias is added to the result as it was stored.
    void addStoredBias(const Products& products) {
        roundOnTheWay(m_op.slots.storage, m_out);
        const auto bias = doubles(m_inputs[2]);
        const bool rounds = m_op.slots.storage != DType::f32;
        for (std::size_t i = 0; i < products.count(); ++i) {
            const std::size_t size = products.outputs() / products.count();
            const std::size_t n = products.columns();
            for (std::size_t at = 0; at < size; ++at) {
                const std::size_t to = products.outputAt(i, at / n, at % n);
                m_out.exact[to] += bias[products.biasAt(i, at % n)];
                if (rounds) m_out.bound[to] += kU * std::abs(m_out.exact[to]);
            }
        }
    }

    const lower::LoweredOp& m_op;
    std::span<const Tensor> m_inputs;
    Order m_order;
    const Progress& m_progress;
    std::vector<double> m_bias, m_residual;
    Allowed m_out;
};

Result<Allowed> pointwiseAllowed(const lower::LoweredOp& op, std::span<const Tensor> inputs) {
    Allowed out{doubles(inputs[0]), {}};
    out.bound.assign(out.exact.size(), 0);
    std::vector<double> operand;
    if (inputs.size() > 1) operand = doubles(inputs[1]);
    const bool rounds = op.slots.storage != DType::f32; // to fp32 before the storage dtype
    if (!pointwiseBound(op.kind, op.attributes, op.slots, inputs[0].shape(), operand, rounds, out.exact,
                        out.bound))
        return noBound(op);
    return out;
}

/// Codes are whole numbers, and the division that makes them is fp32's.
Result<Allowed> quantizeAllowed(const lower::LoweredOp& op, std::span<const Tensor> inputs) {
    const Shape shapes[] = {inputs[0].shape(), inputs[1].shape()};
    const auto layout = block::ops::quantizedLayout("quantize", shapes, op.attributes);
    if (!layout) return layout.error();
    const auto range = block::ops::codeRange(op.attributes);
    auto x = doubles(inputs[0]);
    const auto scale = doubles(inputs[1]);
    const auto zero = inputs.size() == 3 ? doubles(inputs[2]) : std::vector<double>(scale.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = layout->channel(i);
        x[i] = numerics::quantizeCode(static_cast<float>(x[i]), static_cast<float>(scale[c]),
                                      static_cast<float>(zero[c]), static_cast<float>(range.low),
                                      static_cast<float>(range.high));
    }
    return Allowed{x, std::vector<double>(x.size())};
}

/// An op that only moves elements, or scales codes back: the definition in double and `units` roundings.
Result<Allowed> referenceAllowed(const lower::LoweredOp& op, std::span<const Tensor> inputs, double units,
                                 const Progress& progress) {
    const auto exact = block::opDef(op.kind).reference64(inputs, op.attributes, progress);
    if (!exact) return exact.error();
    Allowed out{doubles(*exact), {}};
    for (const double y : out.exact) out.bound.push_back(units * kU * std::abs(y));
    return out;
}

Result<Allowed> byKind(const lower::LoweredOp& op, std::span<const Tensor> inputs, numerics::Arch arch,
                       Order order, const Progress& progress) {
    switch (op.kind) {
    case OpKind::matmul:
    case OpKind::conv2d:
        return ProductBound(op, inputs, order, progress).run(arch);
    case OpKind::rmsnorm:
        return rmsNormBound(op, inputs);
    case OpKind::layernorm:
        return layerNormBound(op, inputs);
    case OpKind::softmax:
        return softmaxBound(op, inputs);
    case OpKind::reduce_sum:
        return reduceSumBound(op, inputs, order, progress);
    case OpKind::scatter_add:
        return scatterAddBound(op, inputs, order);
    case OpKind::add:
    case OpKind::mul:
    case OpKind::scale:
    case OpKind::relu:
    case OpKind::gelu:
    case OpKind::silu:
    case OpKind::causal_mask:
        return pointwiseAllowed(op, inputs);
    case OpKind::quantize:
        return quantizeAllowed(op, inputs);
    case OpKind::dequantize:
        return referenceAllowed(op, inputs, 2, progress);
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::embedding:
        return referenceAllowed(op, inputs, 0, progress);
    }
    return noBound(op);
}

} // namespace

Result<Allowed> allowedBy(const lower::LoweredOp& declared, std::span<const Tensor> inputs,
                          numerics::Arch arch, Order order, const Progress& progress) {
    if (progress.cancelled()) return cancelled();
    auto out = byKind(declared, inputs, arch, order, progress);
    if (!out) {
        Error e = out.error();
        if (e.path.empty()) e.path = declared.name;
        return e;
    }
    if (declared.slots.subnormals == lower::Subnormals::flushed) // results below the smallest normal may go
        for (double& b : out->bound) b += declared.slots.storage == DType::f16 ? 0x1p-14 : 0x1p-126;
    return out;
}

} // namespace divdet::local
