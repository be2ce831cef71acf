#include "cuda/module/multiplier.h"

#include "cuda/module/launches.h"
#include "numerics/narrow_operands.h"

namespace divdet::cuda {
namespace {

using numerics::OperandFormat;
using Operand = Slots::Operand;
using Scales = Slots::Scales;

OperandFormat formatOf(const Slots& slots) {
    switch (slots.operand) {
    case Operand::tf32:
        return OperandFormat::tf32;
    case Operand::bf16:
        return OperandFormat::bf16;
    case Operand::fp8:
        return slots.e5m2 ? OperandFormat::f8e5m2 : OperandFormat::f8e4m3;
    default:
        return OperandFormat::f16;
    }
}

OperandRounding roundingOf(const Slots& slots) {
    if (slots.operand == Operand::bf16) return OperandRounding::bf16;
    if (slots.operand == Operand::fp16) return OperandRounding::f16;
    switch (slots.tf32Mode) {
    case Slots::Tf32Mode::nearestEven:
        return OperandRounding::tf32NearestEven;
    case Slots::Tf32Mode::nearestAway:
        return OperandRounding::tf32NearestAway;
    case Slots::Tf32Mode::towardZero:
        return OperandRounding::tf32TowardZero;
    }
    return OperandRounding::tf32NearestEven;
}

Words zeros(const Queue& queue, std::size_t n) {
    Words w(queue, n);
    w.clear();
    return w;
}

} // namespace

bool onTensorCore(const Slots& slots) {
    switch (slots.operand) {
    case Operand::tf32:
    case Operand::bf16:
    case Operand::fp16:
    case Operand::fp8:
        return true;
    default:
        return false;
    }
}

numerics::TcSpec specOf(const Slots& slots, numerics::Arch arch) {
    if (!onTensorCore(slots)) return {};
    if (slots.operand == Operand::fp8) return numerics::f8Spec(arch, formatOf(slots));
    return numerics::tcSpec(arch, formatOf(slots), slots.accumulator == Slots::Accumulator::instructionFp16);
}

MmaKind OperandView::kind() const {
    if (integers) return MmaKind::int8;
    switch (spec.operand) { // not the slots: fp8 may run on the f16 instruction
    case OperandFormat::f16:
        return spec.output == numerics::TcOutput::f16 ? MmaKind::f16InF16 : MmaKind::f16;
    case OperandFormat::bf16:
        return MmaKind::bf16;
    case OperandFormat::tf32:
        return MmaKind::tf32;
    case OperandFormat::f8e4m3:
        return MmaKind::f8e4m3;
    case OperandFormat::f8e5m2:
        return MmaKind::f8e5m2;
    }
    return MmaKind::f16;
}

Multiplier::Multiplier(const ProductContext& on, GemmShape shape, const float* a, const float* b)
    : m_on(on)
    , m_stream(on.queue.stream())
    , m_view{shape, a, b, shape.k, shape.n, false, specOf(on.slots, on.arch)} {
    switch (on.slots.operand) {
    case Operand::f32:
        break;
    case Operand::int8:
        quantizeInt8();
        break;
    case Operand::int4:
        m_b = Floats(on.queue, shape.k * shape.n);
        int4Weights(m_stream, b, shape.k, shape.n, on.slots.group, m_b.get());
        m_view.b = m_b.get();
        break;
    case Operand::fp8:
        quantizeF8();
        break;
    case Operand::tf32:
    case Operand::bf16:
    case Operand::fp16:
        roundOperands();
        break;
    }
    if (on.slots.tailTile > 0) m_view.shape.k -= shape.k % on.slots.tailTile;
}

void Multiplier::roundOperands() {
    const GemmShape s = m_view.shape;
    const OperandRounding how = roundingOf(m_on.slots);
    m_a = Floats(m_on.queue, s.m * s.k);
    m_b = Floats(m_on.queue, s.k * s.n);
    roundOperand(m_stream, m_view.a, s.m * s.k, how, m_a.get());
    roundOperand(m_stream, m_view.b, s.k * s.n, how, m_b.get());
    m_view.a = m_a.get();
    m_view.b = m_b.get();
}

void Multiplier::quantizeInt8() {
    const GemmShape s = m_view.shape;
    const Slots& slots = m_on.slots;
    const auto clippedAt = [&](Scales which, std::size_t count) {
        return slots.scales == which && count ? static_cast<std::int64_t>(slots.scaleChannel % count) : -1;
    };
    const std::size_t rowScales = slots.perTensor ? 1 : s.m;
    m_rowStep = slots.perTensor ? 0 : 1;
    m_a = Floats(m_on.queue, s.m * s.k);
    m_b = Floats(m_on.queue, s.k * s.n);
    m_rowScales = Floats(m_on.queue, rowScales);
    m_columnScales = Floats(m_on.queue, s.n);
    const Words rows = zeros(m_on.queue, rowScales), columns = zeros(m_on.queue, s.n);
    if (slots.perTensor)
        largestOfAll(m_stream, m_view.a, s.m * s.k, rows.get());
    else
        largestInRows(m_stream, m_view.a, s.m, s.k, rows.get());
    largestInColumns(m_stream, m_view.b, s.k, s.n, columns.get());
    int8Scales(m_stream, rows.get(), rowScales, clippedAt(Scales::clippedActivation, rowScales), slots.clip,
               m_rowScales.get());
    int8Scales(m_stream, columns.get(), s.n, clippedAt(Scales::clippedWeight, s.n), slots.clip,
               m_columnScales.get());
    int8Codes(m_stream, m_view.a, s.m, s.k, m_rowScales.get(), m_rowStep, 0, m_a.get());
    int8Codes(m_stream, m_view.b, s.k, s.n, m_columnScales.get(), 0, 1, m_b.get());
    if (slots.scales == Scales::neighbour && s.n > 0) {
        const std::size_t column = slots.scaleChannel % s.n;
        copyScale(m_stream, m_columnScales.get(), (column + 1) % s.n, column);
    }
    m_view.a = m_a.get();
    m_view.b = m_b.get();
    m_view.integers = true;
}

void Multiplier::quantizeF8() {
    const GemmShape s = m_view.shape;
    const OperandFormat format = formatOf(m_on.slots);
    m_rowStep = m_columnStep = 0;
    const auto quantize = [&](const float* x, std::size_t count, Floats& codes, Floats& scale) {
        codes = Floats(m_on.queue, count);
        scale = Floats(m_on.queue, 1);
        const Words largest = zeros(m_on.queue, 1);
        largestOfAll(m_stream, x, count, largest.get());
        f8Scale(m_stream, largest.get(), format, scale.get());
        f8Codes(m_stream, x, count, scale.get(), format, codes.get());
        return codes.get();
    };
    m_view.a = quantize(m_view.a, s.m * s.k, m_a, m_rowScales);
    m_view.b = quantize(m_view.b, s.k * s.n, m_b, m_columnScales);
}

void Multiplier::scaleBack(StartValues start, float* c) const {
    cuda::scaleBack(m_stream, m_view.shape, m_rowScales.get(), m_rowStep, m_columnScales.get(), m_columnStep,
                    start, c);
}

} // namespace divdet::cuda
