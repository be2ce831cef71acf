#include "judge/local/operands.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "block/bind.h"
#include "block/ops/conv2d/conv_geometry.h"
#include "block/ops/matmul/product_shape.h"
#include "block/ops/support.h"
#include "judge/local/allowed.h"
#include "numerics/narrow_operands.h"

namespace divdet::local {
namespace {

using lower::Operand;
using numerics::OperandFormat;

std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// to[i] = f(from[i]) for every i.
template <class F>
void map(std::span<const double> from, std::vector<double>& to, const F& f) {
    constexpr std::size_t kGrain = 16'384;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, from.size(), kGrain), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) to[i] = f(static_cast<float>(from[i]));
    });
}

void roundOperand(const lower::Slots& s, std::span<const double> from, std::vector<double>& to) {
    if (s.operand == Operand::bf16) return map(from, to, numerics::roundToBf16);
    if (s.operand == Operand::fp16) return map(from, to, numerics::roundToF16);
    const auto mode = s.tf32Mode == lower::Tf32Mode::nearestAway  ? numerics::Tf32Rounding::nearestAway
                      : s.tf32Mode == lower::Tf32Mode::towardZero ? numerics::Tf32Rounding::towardZero
                                                                  : numerics::Tf32Rounding::nearestEven;
    map(from, to, [mode](float x) { return numerics::roundToTf32(x, mode); });
}

/// Largest magnitude of each of `columns` columns of a row-major matrix, from row `first` on.
std::vector<float> columnMaxima(std::span<const double> b, std::size_t first, std::size_t rows,
                                std::size_t columns) {
    std::vector<float> largest(columns);
    for (std::size_t k = first; k < first + rows; ++k)
        for (std::size_t j = 0; j < columns; ++j) {
            const float x = std::abs(static_cast<float>(b[k * columns + j]));
            if (x > largest[j]) largest[j] = x; // false for NaN
        }
    return largest;
}

float largestOf(std::span<const double> x) {
    float largest = 0;
    for (const double v : x) {
        const float size = std::abs(static_cast<float>(v));
        if (size > largest) largest = size;
    }
    return largest;
}

/// Steps of `scale` that a foreign quantiser may be off: one, where x / scale is as near to the middle
/// between two codes as its rounding.
double tieSlack(float x, float scale) {
    const double steps = std::abs(static_cast<double>(x) / scale);
    return std::abs(steps - std::floor(steps) - 0.5) <= 4 * kU * steps ? 1.0 : 0.0;
}

void quantizeInt8(Product& p, const lower::Slots& s, std::span<const double> a, std::span<const double> b,
                  bool ties) {
    p.integers = true;
    p.rowScales.resize(p.m);
    p.columnScales.resize(p.n);
    if (ties) p.slackA.assign(p.m * p.k, 0);
    auto &codesA = p.writeA(), &codesB = p.writeB();
    const bool perTensor = s.granularity == lower::Granularity::perTensor;
    const float whole = perTensor ? numerics::int8Scale(largestOf(a)) : 0;
    tbb::parallel_for(std::size_t{0}, p.m, [&](std::size_t i) {
        const auto x = a.subspan(i * p.k, p.k);
        const float scale = perTensor ? whole : numerics::int8Scale(largestOf(x));
        p.rowScales[i] = scale;
        for (std::size_t k = 0; k < p.k; ++k) {
            codesA[i * p.k + k] = numerics::quantizeInt8(static_cast<float>(x[k]), scale);
            if (ties) p.slackA[i * p.k + k] = tieSlack(static_cast<float>(x[k]), scale);
        }
    });
    std::vector<float> scales = columnMaxima(b, 0, p.k, p.n);
    for (float& scale : scales) scale = numerics::int8Scale(scale);
    std::copy(scales.begin(), scales.end(), p.columnScales.begin());
    tbb::parallel_for(std::size_t{0}, p.k, [&](std::size_t k) {
        for (std::size_t j = 0; j < p.n; ++j)
            codesB[k * p.n + j] = numerics::quantizeInt8(static_cast<float>(b[k * p.n + j]), scales[j]);
    });
}

void quantizeF8(Product& p, OperandFormat format, std::span<const double> a, std::span<const double> b) {
    const auto quantize = [format](std::span<const double> x, std::vector<double>& codes) {
        const float scale = numerics::f8Scale(largestOf(x), format);
        map(x, codes, [=](float v) { return numerics::quantizeF8(v, scale, format); });
        return static_cast<double>(scale);
    };
    p.rowScales.assign(p.m, quantize(a, p.writeA()));
    p.columnScales.assign(p.n, quantize(b, p.writeB()));
}

void quantizeInt4(Product& p, std::size_t group, std::span<const double> b) {
    auto& values = p.writeB();
    for (std::size_t first = 0; first < p.k; first += group) {
        const std::size_t count = std::min(group, p.k - first);
        std::vector<float> scales = columnMaxima(b, first, count, p.n);
        for (float& scale : scales) scale = numerics::int4Scale(scale);
        for (std::size_t k = first; k < first + count; ++k)
            for (std::size_t j = 0; j < p.n; ++j) {
                const std::size_t at = k * p.n + j;
                values[at] = numerics::dequantizeInt4(
                    numerics::quantizeInt4(static_cast<float>(b[at]), scales[j]), scales[j]);
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
    auto a = block::ops::doubles(inputs[0]), b = block::ops::doubles(inputs[1]);
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
    Product p;
    p.m = m_m, p.k = m_k, p.n = m_n;
    const auto a = this->a(i), b = this->b(i);
    p.a = a, p.b = b;
    if (lower::onTensorCore(s.operand)) {
        p.spec = specOf(s, m_arch);
        roundOperand(s, a, p.writeA());
        roundOperand(s, b, p.writeB());
        return p;
    }
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

std::vector<double>& Product::writeA() {
    ownA.resize(m * k);
    a = ownA;
    return ownA;
}

std::vector<double>& Product::writeB() {
    ownB.resize(k * n);
    b = ownB;
    return ownB;
}

std::size_t Products::outputAt(std::size_t i, std::size_t row, std::size_t column) const {
    if (!m_places) return (i * m_m + row) * m_n + column;
    const std::size_t image = row / m_places, channel = i * m_n + column;
    return (image * m_channels + channel) * m_places + row % m_places;
}

Products::Place Products::placeOf(std::size_t output) const {
    if (!m_places) return {output / (m_m * m_n), output / m_n % m_m, output % m_n};
    const std::size_t channel = output / m_places % m_channels, image = output / m_places / m_channels;
    return {channel / m_n, image * m_places + output % m_places, channel % m_n};
}

std::size_t Products::biasAt(std::size_t i, std::size_t column) const {
    return m_places ? i * m_n + column : column;
}

} // namespace divdet::local
