#include "host/multiplier.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/elementwise.h"
#include "host/parallel.h"
#include "host/rows.h"
#include "numerics/narrow_operands.h"

namespace divdet::host::twin {
namespace {

using lower::Operand;
using lower::Scales;
using numerics::OperandFormat;

RoundFormat roundFormat(const lower::Slots& slots) {
    if (slots.operand == Operand::bf16) return RoundFormat::bf16;
    if (slots.operand == Operand::fp16) return RoundFormat::f16;
    if (slots.tf32Mode == lower::Tf32Mode::nearestAway) return RoundFormat::tf32NearestAway;
    return slots.tf32Mode == lower::Tf32Mode::towardZero ? RoundFormat::tf32TowardZero
                                                         : RoundFormat::tf32NearestEven;
}

OperandFormat formatOf(const lower::Slots& slots) {
    switch (slots.operand) {
    case Operand::tf32:
        return OperandFormat::tf32;
    case Operand::bf16:
        return OperandFormat::bf16;
    case Operand::fp8:
        return slots.fp8Format == lower::Fp8Format::e5m2 ? OperandFormat::f8e5m2 : OperandFormat::f8e4m3;
    default:
        return OperandFormat::f16;
    }
}

numerics::TcSpec specOf(const lower::Slots& slots, numerics::Arch arch) {
    const OperandFormat format = formatOf(slots);
    if (slots.operand == Operand::fp8) return numerics::f8Spec(arch, format);
    return numerics::tcSpec(arch, format, slots.accumulator == lower::Accumulator::instructionFp16);
}

/// Copies rows of `from`, `stride` values apart.
template <class T>
std::vector<T> copied(const T* from, std::size_t stride, Span rows, Span columns) {
    std::vector<T> to(rows.size() * columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
        std::copy_n(from + (rows.first + r) * stride + columns.first, columns.size(),
                    to.data() + r * columns.size());
    return to;
}

template <class T>
std::vector<T> copiedAsRead(const T* from, std::size_t stride, Span rows, Span columns,
                            numerics::HalfWritten what) {
    std::vector<T> to(rows.size() * columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::int64_t row = numerics::rowRead(what, rows.first + r);
        if (row < 0) continue;
        std::copy_n(from + static_cast<std::size_t>(row) * stride + columns.first, columns.size(),
                    to.data() + r * columns.size());
    }
    return to;
}

} // namespace

Result<Multiplier> Multiplier::prepare(const lower::Slots& slots, numerics::Arch arch, GemmShape shape,
                                       const float* a, const float* b) {
    Multiplier m;
    m.m_shape = shape;
    m.m_a = a;
    m.m_b = b;
    switch (slots.operand) {
    case Operand::f32:
        break;
    case Operand::int8:
        m.quantizeInt8(slots, a, b);
        break;
    case Operand::int4:
        m.quantizeInt4(static_cast<std::size_t>(std::max(1, slots.group)), b);
        break;
    case Operand::fp8:
        m.m_spec = specOf(slots, arch);
        m.quantizeF8(formatOf(slots), a, b);
        break;
    case Operand::tf32:
    case Operand::bf16:
    case Operand::fp16:
        m.m_spec = specOf(slots, arch);
        m.roundOperands(slots, a, b);
        break;
    }
    const bool onTensorCore = lower::onTensorCore(slots.operand) || slots.operand == Operand::fp8;
    if (onTensorCore && !m.m_spec.exists())
        return Error{ErrorCode::unsupported,
                     fmt::format("sm_{} has no tensor-core instruction for {}", static_cast<int>(arch),
                                 lower::toString(slots)),
                     "", "choose a newer device, or another precision"};
    if (slots.tailTile > 0) {
        const std::size_t kept = shape.k - shape.k % static_cast<std::size_t>(slots.tailTile);
        Multiplier cut = m.part({0, shape.m}, {0, shape.n}, {0, kept});
        cut.m_rowScales = std::move(m.m_rowScales);
        cut.m_columnScales = std::move(m.m_columnScales);
        if (cut.m_aOwned.empty()) cut.m_aOwned = std::move(m.m_aOwned); // what the part still points into
        if (cut.m_bOwned.empty()) cut.m_bOwned = std::move(m.m_bOwned);
        return cut;
    }
    return m;
}

void Multiplier::roundOperands(const lower::Slots& slots, const float* a, const float* b) {
    m_aOwned.resize(m_shape.m * m_shape.k);
    m_bOwned.resize(m_shape.k * m_shape.n);
    roundTo(roundFormat(slots), a, m_aOwned.data(), m_aOwned.size());
    roundTo(roundFormat(slots), b, m_bOwned.data(), m_bOwned.size());
    m_a = m_aOwned.data();
    m_b = m_bOwned.data();
}

void Multiplier::quantizeInt8(const lower::Slots& slots, const float* a, const float* b) {
    const GemmShape s = m_shape;
    m_integers = true;
    m_aCodes.resize(s.m * s.k);
    m_bCodes.resize(s.k * s.n);
    m_rowScales.resize(s.m);
    m_columnScales.resize(s.n);
    const auto wrong = static_cast<std::size_t>(std::max(0, slots.scaleChannel));
    const bool perTensor = slots.granularity == lower::Granularity::perTensor;
    if (perTensor) {
        const bool clip = slots.scales == Scales::clippedActivation;
        const float largest = numerics::maxAbs(a, s.m * s.k, 1);
        const float scale = numerics::int8Scale(clip ? numerics::mulRn(largest, slots.clip) : largest);
        std::fill(m_rowScales.begin(), m_rowScales.end(), scale);
        quantizeWith(a, s.m, s.k, &scale, 0, m_aCodes.data());
    } else {
        quantizeRows(a, s.m, s.k, m_aCodes.data(), m_rowScales.data());
        if (slots.scales == Scales::clippedActivation && s.m > 0) {
            const std::size_t row = wrong % s.m;
            const float* x = a + row * s.k;
            m_rowScales[row] = numerics::int8Scale(numerics::mulRn(numerics::maxAbs(x, s.k, 1), slots.clip));
            quantizeWith(x, 1, s.k, &m_rowScales[row], 0, m_aCodes.data() + row * s.k);
        }
    }
    quantizeColumns(b, s.k, s.n, m_bCodes.data(), m_columnScales.data());
    if (s.n == 0) return;
    const std::size_t column = wrong % s.n;
    if (slots.scales == Scales::clippedWeight) {
        const float largest = numerics::maxAbs(b + column, s.k, s.n);
        m_columnScales[column] = numerics::int8Scale(numerics::mulRn(largest, slots.clip));
        for (std::size_t k = 0; k < s.k; ++k)
            m_bCodes[k * s.n + column] = numerics::quantizeInt8(b[k * s.n + column], m_columnScales[column]);
    }
    if (slots.scales == Scales::neighbour) m_columnScales[column] = m_columnScales[(column + 1) % s.n];
}

void Multiplier::quantizeF8(OperandFormat format, const float* a, const float* b) {
    const RoundFormat round = format == OperandFormat::f8e5m2 ? RoundFormat::f8e5m2 : RoundFormat::f8e4m3;
    const auto quantize = [&](const float* x, std::size_t rows, std::size_t width,
                              std::vector<float>& codes) {
        const float scale = numerics::f8Scale(numerics::maxAbs(x, rows * width, 1), format);
        codes.resize(rows * width);
        forEachTask(rows, [&](std::size_t r) {
            for (std::size_t i = r * width; i < (r + 1) * width; ++i) codes[i] = numerics::divRn(x[i], scale);
        });
        roundTo(round, codes.data(), codes.data(), codes.size());
        return scale;
    };
    m_rowScales.assign(m_shape.m, quantize(a, m_shape.m, m_shape.k, m_aOwned));
    m_columnScales.assign(m_shape.n, quantize(b, m_shape.k, m_shape.n, m_bOwned));
    m_a = m_aOwned.data();
    m_b = m_bOwned.data();
}

void Multiplier::quantizeInt4(std::size_t group, const float* b) {
    const std::size_t n = m_shape.n, k = m_shape.k;
    m_bOwned.resize(k * n);
    forEachTask((k + group - 1) / group, [&](std::size_t g) {
        const std::size_t first = g * group, last = std::min(k, first + group);
        std::vector<float> scale(n);
        for (std::size_t row = first; row < last; ++row)
            for (std::size_t j = 0; j < n; ++j)
                scale[j] = std::max(scale[j], numerics::maxAbs(b + row * n + j, 1, 1));
        for (float& s : scale) s = numerics::int4Scale(s);
        for (std::size_t row = first; row < last; ++row)
            for (std::size_t j = 0; j < n; ++j) {
                const std::size_t at = row * n + j;
                m_bOwned[at] = numerics::dequantizeInt4(numerics::quantizeInt4(b[at], scale[j]), scale[j]);
            }
    });
    m_b = m_bOwned.data();
}

Multiplier Multiplier::part(Span rows, Span columns, Span k, numerics::HalfWritten what) const {
    Multiplier p;
    p.m_shape = {rows.size(), columns.size(), k.size()};
    p.m_integers = m_integers;
    p.m_spec = m_spec;
    if (m_integers) {
        p.m_aCodes = copied(m_aCodes.data(), m_shape.k, rows, k);
        p.m_bCodes = copiedAsRead(m_bCodes.data(), m_shape.n, k, columns, what);
        return p;
    }
    const bool allOfA = rows.size() == m_shape.m && k.size() == m_shape.k;
    if (!allOfA) p.m_aOwned = copied(m_a, m_shape.k, rows, k);
    p.m_a = allOfA ? m_a : p.m_aOwned.data();
    const bool wholeRows = columns.size() == m_shape.n && !what.hit;
    if (!wholeRows) p.m_bOwned = copiedAsRead(m_b, m_shape.n, k, columns, what);
    p.m_b = wholeRows ? m_b + k.first * m_shape.n : p.m_bOwned.data();
    return p;
}

void Multiplier::scaleBack(Start start, float* c) const {
    const std::size_t n = m_shape.n;
    forEachTask(m_shape.m, [&](std::size_t i) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t at = i * n + j;
            const float scale = numerics::mulRn(m_rowScales[i], m_columnScales[j]);
            c[at] = start.values ? numerics::fmaRn(c[at], scale, start.values[start.perColumn ? j : at])
                                 : numerics::mulRn(c[at], scale);
        }
    });
}

} // namespace divdet::host::twin
