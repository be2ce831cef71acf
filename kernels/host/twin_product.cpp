#include <algorithm>
#include <optional>

#include "block/ops/scale/scale.h"
#include "host/elementwise.h"
#include "host/gemm.h"
#include "host/parallel.h"
#include "host/twin_multiply.h"
#include "host/twin_operands.h"
#include "host/twin_ops.h"
#include "host/twin_pointwise.h"
#include "host/twin_race.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Matrix products with every operand precision, accumulator and order, and the steps fused behind them.
namespace divdet::host::twin {
namespace {

constexpr std::size_t kOwnBias = 3; ///< inputs of a product with a bias

/// What the accumulators start from in a fused kernel: bias, residual, or their sum rounded once.
class FusedStart {
public:
    FusedStart(const Call& call, const ProductOperands& p)
        : m_biasStep(p.biasStep())
        , m_size(p.cSize()) {
        const lower::LoweredOp& op = call.op;
        if (!op.slots.fused) return;
        if (op.ownInputs == kOwnBias) m_bias.emplace(call.inputs[2]);
        if (!op.fused.empty() && op.fused[0].kind == block::OpKind::add && op.fused[0].operand)
            takeResidual(call.inputs[*op.fused[0].operand], p);
        if (!m_bias || m_residual.empty()) return;
        const std::size_t n = p.shape().n;
        for (std::size_t i = 0; i < m_residual.size(); ++i)
            m_residual[i] = numerics::addRn(m_bias->data()[i / m_size * m_biasStep + i % n], m_residual[i]);
    }

    /// Of one product of the batch.
    Start start(std::size_t product) const {
        if (!m_residual.empty()) return m_residual.data() + product * m_size;
        return m_bias ? Start::bias(m_bias->data() + product * m_biasStep) : Start();
    }
    std::size_t stepsTaken() const { return m_residual.empty() ? 0 : 1; } ///< fused steps done by the start

private:
    /// A residual has an element per output; what repeats (a second bias) stays a step of its own.
    void takeResidual(const Tensor& operand, const ProductOperands& p) {
        const Floats values(operand);
        if (values.size() != p.batch() * m_size) return;
        m_residual.resize(values.size());
        if (p.isConvolution())
            p.toProducts(values.data(), m_residual.data());
        else
            std::copy_n(values.data(), values.size(), m_residual.data());
    }

    std::optional<Floats> m_bias;
    std::vector<float> m_residual; ///< with the bias added, where there is one
    std::size_t m_biasStep, m_size;
};

Status accumulate(const Call& call, const ProductOperands& p, const FusedStart& start, float* c) {
    const lower::LoweredOp& op = call.op;
    for (std::size_t i = 0; i < p.batch(); ++i) {
        if (call.progress.cancelled()) return cancelledError();
        const float *a = p.a() + i * p.aSize(), *b = p.b() + i * p.bSize();
        float* const out = c + i * p.cSize();
        const bool race = call.race && op.slots.order == lower::SumOrder::atomics;
        const auto done =
            race ? raceProduct(op.slots, call.arch, p.shape(), a, b, start.start(i), out, *call.race)
                 : multiply(op.slots, call.arch, p.shape(), a, b, start.start(i), out);
        if (!done) return at(done.error(), op.name);
    }
    return Done{};
}

/// An unfused bias is added to the result as it was stored.
void addStoredBias(const Call& call, const ProductOperands& p, float* c) {
    const Floats bias(call.inputs[2]);
    roundToStorage(c, p.batch() * p.cSize(), call.op.slots.storage);
    for (std::size_t i = 0; i < p.batch(); ++i) {
        float* product = c + i * p.cSize();
        addBias(product, bias.data() + i * p.biasStep(), product, p.shape().m, p.shape().n);
    }
}

/// A multiplication (by a tensor or a constant) whose product is added to: one fma.
bool contracts(const lower::LoweredOp& op, std::size_t at) {
    if (at + 1 >= op.fused.size()) return false;
    const lower::FusedStep &first = op.fused[at], &second = op.fused[at + 1];
    const bool multiplies =
        (first.kind == block::OpKind::mul && first.operand) || first.kind == block::OpKind::scale;
    return multiplies && second.kind == block::OpKind::add && second.operand;
}

/// c = fma(c, factor, addend); factor and addend repeat when they are shorter than c.
void multiplyAndAdd(const Call& call, std::size_t at, std::size_t n, float* c) {
    const lower::FusedStep &first = call.op.fused[at], &second = call.op.fused[at + 1];
    const auto constant = static_cast<float>(block::ops::scaleFactor(first.attributes));
    std::optional<Floats> factor;
    if (first.operand) factor.emplace(call.inputs[*first.operand]);
    const Floats addend(call.inputs[*second.operand]);
    constexpr std::size_t kPerTask = 4096;
    forEachTask((n + kPerTask - 1) / kPerTask, [&](std::size_t task) {
        for (std::size_t i = task * kPerTask; i < std::min(n, (task + 1) * kPerTask); ++i)
            c[i] = numerics::fmaRn(c[i], factor ? factor->data()[i % factor->size()] : constant,
                                   addend.data()[i % addend.size()]);
    });
}

Status finishFused(const Call& call, const Shape& shape, float* c, std::size_t stepsTaken) {
    for (std::size_t at = stepsTaken; at < call.op.fused.size(); ++at) {
        const lower::FusedStep& step = call.op.fused[at];
        if (contracts(call.op, at)) {
            multiplyAndAdd(call, at++, static_cast<std::size_t>(elementCount(shape).value_or(0)), c);
            continue;
        }
        std::optional<Floats> operand;
        if (step.operand) operand.emplace(call.inputs[*step.operand]);
        if (!pointwise({step.kind, step.attributes, step.slots}, shape, c, operand ? &*operand : nullptr, c))
            return unsupportedSlot(call.op);
    }
    return Done{};
}

} // namespace

Result<Tensor> product(const Call& call) {
    const lower::LoweredOp& op = call.op;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < op.ownInputs; ++i) shapes.push_back(call.inputs[i].shape());
    const auto shape = block::opDef(op.kind).shape(shapes, op.attributes);
    if (!shape) return shape.error();
    const auto p = ProductOperands::of(call);
    if (!p) return p.error();
    TensorBuilder out(DType::f32, *shape);
    float* const c = out.as<float>().data();
    std::vector<float> products(p->isConvolution() ? p->batch() * p->cSize() : 0);
    float* const accumulators = p->isConvolution() ? products.data() : c;
    const FusedStart start(call, *p);
    if (auto s = accumulate(call, *p, start, accumulators); !s) return s.error();
    if (!op.slots.fused && op.ownInputs == kOwnBias) addStoredBias(call, *p, accumulators);
    if (p->isConvolution()) p->toOutput(accumulators, c);
    if (auto s = finishFused(call, *shape, c, start.stepsTaken()); !s) return s.error();
    return stored(std::move(out), op.slots.storage);
}

} // namespace divdet::host::twin
