#include <algorithm>

#include "host/elementwise.h"
#include "host/gemm.h"
#include "host/twin_multiply.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Matrix products with every operand precision, accumulator and order, and the steps fused behind them.
namespace divdet::host::twin {
namespace {

constexpr std::size_t kOwnBias = 3; ///< inputs of a product with a bias

/// What the accumulators start from in a fused kernel: bias, residual, or their sum rounded once.
class FusedStart {
public:
    FusedStart(const Call& call, GemmShape shape) {
        const lower::LoweredOp& op = call.op;
        if (!op.slots.fused) return;
        const bool bias = op.ownInputs == kOwnBias;
        const bool residual = !op.fused.empty() && op.fused[0].kind == block::OpKind::add;
        if (bias) m_values.emplace_back(call.inputs[2]);
        if (residual) m_values.emplace_back(call.inputs[*op.fused[0].operand]);
        m_steps = residual ? 1 : 0;
        if (bias && !residual) m_start = Start::bias(m_values[0].data());
        if (residual && !bias) m_start = m_values[0].data();
        if (!bias || !residual) return;
        m_sum.resize(shape.m * shape.n);
        for (std::size_t i = 0; i < m_sum.size(); ++i)
            m_sum[i] = numerics::addRn(m_values[0].data()[i % shape.n], m_values[1].data()[i]);
        m_start = m_sum.data();
    }

    Start start() const { return m_start; }
    std::size_t stepsTaken() const { return m_steps; } ///< fused steps that the accumulators already did

private:
    std::vector<Floats> m_values;
    std::vector<float> m_sum;
    Start m_start;
    std::size_t m_steps = 0;
};

/// An unfused bias is added to the result as it was stored.
void addStoredBias(const Call& call, GemmShape shape, std::span<float> c) {
    const Floats bias(call.inputs[2]);
    roundToStorage(c.data(), c.size(), call.op.slots.storage);
    addBias(c.data(), bias.data(), c.data(), shape.m, shape.n);
}

Status finishFused(const Call& call, std::span<float> c, std::size_t stepsTaken) {
    for (std::size_t at = stepsTaken; at < call.op.fused.size(); ++at) {
        const lower::FusedStep& step = call.op.fused[at];
        if (step.kind == block::OpKind::gelu)
            apply(geluFor(step.slots), c.data(), c.data(), c.size());
        else if (step.kind == block::OpKind::add && step.operand)
            add(c.data(), Floats(call.inputs[*step.operand]).data(), c.data(), c.size());
        else
            return unsupportedSlot(call.op);
    }
    return Done{};
}

} // namespace

Result<Tensor> product(const Call& call) {
    const lower::LoweredOp& op = call.op;
    const Shape &left = call.inputs[0].shape(), &right = call.inputs[1].shape();
    const GemmShape shape{static_cast<std::size_t>(left[0]), static_cast<std::size_t>(right[1]),
                          static_cast<std::size_t>(left[1])};
    TensorBuilder out(DType::f32, {left[0], right[1]});
    const auto c = out.as<float>();
    const FusedStart start(call, shape);
    const Floats a(call.inputs[0]), b(call.inputs[1]);
    if (auto s = multiply(op.slots, call.arch, shape, a.data(), b.data(), start.start(), c.data()); !s)
        return at(s.error(), op.name);
    if (!op.slots.fused && op.ownInputs == kOwnBias) addStoredBias(call, shape, c);
    if (auto s = finishFused(call, c, start.stepsTaken()); !s) return s.error();
    return stored(std::move(out), op.slots.storage);
}

} // namespace divdet::host::twin
