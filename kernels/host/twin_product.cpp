#include <algorithm>

#include "host/elementwise.h"
#include "host/gemm.h"
#include "host/twin_ops.h"
#include "host/twin_quantized.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Matrix products with every operand precision, accumulator and order, and the steps fused behind them.
namespace divdet::host::twin {
namespace {

using lower::Accumulator;
using lower::Operand;

constexpr std::size_t kOwnBias = 3; ///< inputs of a product with a bias

numerics::OperandFormat formatOf(Operand operand) {
    if (operand == Operand::tf32) return numerics::OperandFormat::tf32;
    return operand == Operand::bf16 ? numerics::OperandFormat::bf16 : numerics::OperandFormat::f16;
}

RoundFormat roundFormat(const lower::Slots& slots) {
    if (slots.operand == Operand::bf16) return RoundFormat::bf16;
    if (slots.operand == Operand::fp16) return RoundFormat::f16;
    if (slots.tf32Mode == lower::Tf32Mode::nearestAway) return RoundFormat::tf32NearestAway;
    return slots.tf32Mode == lower::Tf32Mode::towardZero ? RoundFormat::tf32TowardZero
                                                         : RoundFormat::tf32NearestEven;
}

std::vector<float> roundedOperand(const Floats& x, const lower::Slots& slots) {
    std::vector<float> out(x.size());
    roundTo(roundFormat(slots), x.data(), out.data(), out.size());
    return out;
}

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

Status accumulate(const Call& call, GemmShape shape, Start start, float* c) {
    const lower::Slots& s = call.op.slots;
    const Floats a(call.inputs[0]), b(call.inputs[1]);
    if (s.operand == Operand::int8)
        return quantizedProduct(shape, a.data(), b.data(), start, c, s.granularity, s.accumulator), Done{};
    const bool tensorCore = lower::onTensorCore(s.operand);
    if (!tensorCore && s.operand != Operand::f32) return unsupportedSlot(call.op);
    std::vector<float> ra, rb;
    if (tensorCore) {
        ra = roundedOperand(a, s);
        rb = roundedOperand(b, s);
    }
    const float* left = tensorCore ? ra.data() : a.data();
    const float* right = tensorCore ? rb.data() : b.data();
    if (s.accumulator != Accumulator::native) {
        gemmRoundedAccumulator(shape, left, right, start, c,
                               s.accumulator == Accumulator::bf16 ? AccFormat::bf16 : AccFormat::f16);
        return Done{};
    }
    const auto order = sumOrder(s, numerics::Order::sequential);
    if (!tensorCore) return gemmF32(shape, left, right, start, c, order), Done{};
    const bool tree = order.order == Order::pairwise || order.order == Order::strided;
    const auto spec = numerics::tcSpec(call.arch, formatOf(s.operand));
    if (tree || !spec.exists()) return unsupportedSlot(call.op);
    gemmTensorCore(shape, left, right, start, c, spec, order.splits);
    return Done{};
}

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
            gelu(c.data(), c.data(), c.size());
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
    if (op.slots.partials != DType::f32) return unsupportedSlot(op);
    const Shape &left = call.inputs[0].shape(), &right = call.inputs[1].shape();
    const GemmShape shape{static_cast<std::size_t>(left[0]), static_cast<std::size_t>(right[1]),
                          static_cast<std::size_t>(left[1])};
    TensorBuilder out(DType::f32, {left[0], right[1]});
    const auto c = out.as<float>();
    const FusedStart start(call, shape);
    if (auto s = accumulate(call, shape, start.start(), c.data()); !s) return s.error();
    if (!op.slots.fused && op.ownInputs == kOwnBias) addStoredBias(call, shape, c);
    if (auto s = finishFused(call, c, start.stepsTaken()); !s) return s.error();
    return stored(std::move(out), op.slots.storage);
}

} // namespace divdet::host::twin
