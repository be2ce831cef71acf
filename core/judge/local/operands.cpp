#include "judge/local/operands.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "block/bind.h"
#include "block/ops/conv2d/conv_geometry.h"
#include "block/ops/matmul/product_shape.h"
#include "judge/local/allowed.h"
#include "numerics/narrow_operands.h"
#include "tensor/convert.h"

namespace divdet::local {
namespace {

using lower::Operand;
using numerics::OperandFormat;

std::vector<double> values(const Tensor& t) {
    std::vector<double> wide(static_cast<std::size_t>(t.elements()));
    loadAsDouble(t.view(), 0, wide);
    return wide;
}

std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

float roundedOperand(float x, const lower::Slots& s) {
    if (s.operand == Operand::bf16) return numerics::roundToBf16(x);
    if (s.operand == Operand::fp16) return numerics::roundToF16(x);
    const auto mode = s.tf32Mode == lower::Tf32Mode::nearestAway  ? numerics::Tf32Rounding::nearestAway
                      : s.tf32Mode == lower::Tf32Mode::towardZero ? numerics::Tf32Rounding::towardZero
                                                                  : numerics::Tf32Rounding::nearestEven;
    return numerics::roundToTf32(x, mode);
}

/// Steps of `scale` that a foreign quantiser may be off: one, where x / scale is as near to the middle
/// between two codes as its rounding.
double tieSlack(float x, float scale) {
    const double steps = std::abs(static_cast<double>(x) / scale);
    return std::abs(steps - std::floor(steps) - 0.5) <= 4 * kU * steps ? 1.0 : 0.0;
}

void quantizeInt8(Product& p, const lower::Slots& s, const float* a, const float* b, bool ties) {
    p.integers = true;
    p.rowScales.resize(p.m);
    p.columnScales.resize(p.n);
    if (ties) p.slackA.assign(p.m * p.k, 0);
    const bool perTensor = s.granularity == lower::Granularity::perTensor;
    const float whole = perTensor ? numerics::int8Scale(numerics::maxAbs(a, p.m * p.k, 1)) : 0;
    for (std::size_t i = 0; i < p.m; ++i) {
        const float* x = a + i * p.k;
        const float scale = perTensor ? whole : numerics::int8Scale(numerics::maxAbs(x, p.k, 1));
        p.rowScales[i] = scale;
        for (std::size_t k = 0; k < p.k; ++k) {
            p.a[i * p.k + k] = numerics::quantizeInt8(x[k], scale);
            if (ties) p.slackA[i * p.k + k] = tieSlack(x[k], scale);
        }
    }
    for (std::size_t j = 0; j < p.n; ++j) {
        const float scale = numerics::int8Scale(numerics::maxAbs(b + j, p.k, p.n));
        p.columnScales[j] = scale;
        for (std::size_t k = 0; k < p.k; ++k)
            p.b[k * p.n + j] = numerics::quantizeInt8(b[k * p.n + j], scale);
    }
}

void quantizeF8(Product& p, OperandFormat format, const float* a, const float* b) {
    const auto quantize = [format](const float* x, std::vector<double>& codes) {
        const float scale = numerics::f8Scale(numerics::maxAbs(x, codes.size(), 1), format);
        for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = numerics::quantizeF8(x[i], scale, format);
        return static_cast<double>(scale);
    };
    p.rowScales.assign(p.m, quantize(a, p.a));
    p.columnScales.assign(p.n, quantize(b, p.b));
}

void quantizeInt4(Product& p, std::size_t group, const float* b) {
    for (std::size_t first = 0; first < p.k; first += group) {
        const std::size_t count = std::min(group, p.k - first);
        for (std::size_t j = 0; j < p.n; ++j) {
            const float* w = b + first * p.n + j;
            const float scale = numerics::int4Scale(numerics::maxAbs(w, count, p.n));
            for (std::size_t k = 0; k < count; ++k)
                p.b[(first + k) * p.n + j] =
                    numerics::dequantizeInt4(numerics::quantizeInt4(w[k * p.n], scale), scale);
        }
    }
}

OperandFormat formatOf(const lower::Slots& s) {
    if (s.operand == Operand::tf32) return OperandFormat::tf32;
    if (s.operand == Operand::bf16) return OperandFormat::bf16;
    if (s.operand == Operand::fp8)
        return s.fp8Format == lower::Fp8Format::e5m2 ? OperandFormat::f8e5m2 : OperandFormat::f8e4m3;
    return OperandFormat::f16;
}

numerics::TcSpec specOf(const lower::Slots& s, numerics::Arch arch) {
    if (s.operand == Operand::fp8) return numerics::f8Spec(arch, formatOf(s));
    return numerics::tcSpec(arch, formatOf(s), s.accumulator == lower::Accumulator::instructionFp16);
}

} // namespace

Result<Products> Products::of(const lower::LoweredOp& op, std::span<const Tensor> inputs, numerics::Arch arch,
                              bool ties) {
    auto a = values(inputs[0]), b = values(inputs[1]);
    const Shape shapes[] = {inputs[0].shape(), inputs[1].shape()};
    auto p = of(op, shapes, a, b, arch, ties);
    if (!p || p->windows()) return p;
    p->m_ownA = std::move(a); // a moved vector keeps its memory, and so do the views
    p->m_ownB = std::move(b);
    return p;
}

Result<Products> Products::of(const lower::LoweredOp& op, std::span<const Shape> shapes,
                              std::span<const double> a, std::span<const double> b, numerics::Arch arch,
                              bool ties) {
    Products p;
    p.m_op = &op;
    p.m_arch = arch;
    p.m_ties = ties;
    const bool tensorCore = lower::onTensorCore(op.slots.operand) || op.slots.operand == Operand::fp8;
    if (tensorCore && !specOf(op.slots, arch).exists())
        return Error{ErrorCode::unsupported,
                     fmt::format("sm_{} has no tensor-core instruction for {}", static_cast<int>(arch),
                                 lower::toString(op.slots)),
                     op.name, ""};
    if (op.kind == block::OpKind::conv2d) {
        if (auto s = p.unfold(shapes, a, b); !s) return s.error();
        return p;
    }
    const auto s = block::ops::productShape(shapes.first(2));
    if (!s) return s.error();
    p.m_batch = size(s->batch), p.m_m = size(s->m), p.m_k = size(s->k), p.m_n = size(s->n);
    p.m_a = a;
    p.m_b = b;
    return p;
}

Status Products::unfold(std::span<const Shape> shapes, std::span<const double> x, std::span<const double> w) {
    const auto g = block::ops::convGeometry(shapes.first(2), m_op->attributes);
    if (!g) return g.error();
    const std::size_t places = size(g->places()), channels = size(g->o / g->groups);
    m_batch = size(g->groups), m_m = size(g->n) * places, m_k = size(g->terms()), m_n = channels;
    m_places = places, m_channels = size(g->o);
    const auto elements = elementCount(Shape{g->n, g->places(), g->groups, g->terms()});
    if (!elements || *elements > block::kMaxBlockElements)
        return Error{ErrorCode::refused, "the windows of the convolution need too much memory", m_op->name,
                     "make the image or the batch smaller"};
    const std::size_t image = size(g->c * g->h * g->w), group = image / m_batch;
    m_ownA.resize(m_batch * m_m * m_k);
    m_ownB.resize(m_batch * m_k * m_n);
    for (std::size_t r = 0; r < m_batch * m_m; ++r) {
        const std::size_t row = r % m_m;
        const double* from = x.data() + row / places * image + r / m_m * group;
        for (std::size_t t = 0; t < m_k; ++t) {
            const auto at = g->source(static_cast<std::int64_t>(row % places), static_cast<std::int64_t>(t));
            m_ownA[r * m_k + t] = at < 0 ? 0.0 : from[at];
        }
    }
    for (std::size_t o = 0; o < size(g->o); ++o)
        for (std::size_t t = 0; t < m_k; ++t)
            m_ownB[(o / channels * m_k + t) * channels + o % channels] = w[o * m_k + t];
    m_a = m_ownA;
    m_b = m_ownB;
    return Done{};
}

Product Products::product(std::size_t i) const {
    const lower::Slots& s = m_op->slots;
    const auto wideA = this->a(i), wideB = this->b(i);
    Product p{m_m, m_k, m_n, {wideA.begin(), wideA.end()}, {wideB.begin(), wideB.end()}, {}, false,
              {},  {},  {}};
    if (s.operand == Operand::f32) return p;
    if (lower::onTensorCore(s.operand)) {
        p.spec = specOf(s, m_arch);
        for (std::vector<double>* operand : {&p.a, &p.b})
            for (double& x : *operand) x = roundedOperand(static_cast<float>(x), s);
        return p;
    }
    const std::vector<float> narrowA(p.a.begin(), p.a.end()), narrowB(p.b.begin(), p.b.end());
    const float *a = narrowA.data(), *b = narrowB.data();
    switch (s.operand) {
    case Operand::int8:
        quantizeInt8(p, s, a, b, m_ties);
        break;
    case Operand::int4:
        quantizeInt4(p, static_cast<std::size_t>(std::max(1, s.group)), b);
        break;
    case Operand::fp8:
        p.spec = specOf(s, m_arch);
        quantizeF8(p, formatOf(s), a, b);
        break;
    default:
        break;
    }
    return p;
}

std::size_t Products::outputAt(std::size_t i, std::size_t row, std::size_t column) const {
    if (!m_places) return (i * m_m + row) * m_n + column;
    const std::size_t image = row / m_places, channel = i * m_n + column;
    return (image * m_channels + channel) * m_places + row % m_places;
}

std::size_t Products::biasAt(std::size_t i, std::size_t column) const {
    return m_places ? i * m_n + column : column;
}

} // namespace divdet::local
