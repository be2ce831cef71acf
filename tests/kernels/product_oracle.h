#pragma once
#include <vector>

#include "host/gemm.h"
#include "lower/slots.h"
#include "numerics/half_written.h"
#include "numerics/narrow_operands.h"
#include "numerics/partials.h"
#include "numerics/tensor_core.h"

namespace divdet {

/// One output of a product by plain loops over the scalar headers: slow, and written without a look at how
/// the twin arranges its work.
class ProductOracle {
public:
    ProductOracle(const lower::Slots& slots, numerics::Arch arch, host::GemmShape shape,
                  const std::vector<float>& a, const std::vector<float>& b)
        : m_slots(slots)
        , m_arch(arch)
        , m_shape(shape)
        , m_a(a)
        , m_b(b) {}

    float at(std::size_t i, std::size_t j, float start) const {
        std::vector<float> x(m_shape.k), y(m_shape.k);
        for (std::size_t k = 0; k < m_shape.k; ++k) {
            x[k] = m_a[i * m_shape.k + k];
            y[k] = m_b[k * m_shape.n + j];
        }
        float scale = 0;
        const bool scaled = m_slots.operand == lower::Operand::int8 || m_slots.operand == lower::Operand::fp8;
        narrow(x, y, scale, i, j);
        if (m_slots.tailTile > 0) {
            const std::size_t tile = static_cast<std::size_t>(m_slots.tailTile);
            x.resize(x.size() / tile * tile);
            y.resize(x.size());
        }
        if (m_slots.missingBarrier && !y.empty()) {
            const auto what = numerics::halfWritten(m_slots.barrierSeed, static_cast<std::uint32_t>(i / 16),
                                                    static_cast<std::uint32_t>(j / 16), y.size());
            const auto written = y;
            for (std::size_t k = 0; k < y.size(); ++k) {
                const auto from = numerics::rowRead(what, k);
                y[k] = from < 0 ? 0.0f : written[static_cast<std::size_t>(from)];
            }
        }
        const float sum = add(x, y, scaled ? 0.0f : start, i, j);
        return scaled ? std::fma(sum, scale, start) : sum;
    }

private:
    float largestOf(const std::vector<float>& x) const { return numerics::maxAbs(x.data(), x.size(), 1); }

    void narrow(std::vector<float>& x, std::vector<float>& y, float& scale, std::size_t i,
                std::size_t j) const {
        using lower::Operand;
        using lower::Scales;
        switch (m_slots.operand) {
        case Operand::f32:
            return;
        case Operand::tf32:
            for (auto* v : {&x, &y})
                for (float& e : *v) e = numerics::roundToTf32(e, numerics::Tf32Rounding::nearestEven);
            return;
        case Operand::bf16:
            for (auto* v : {&x, &y})
                for (float& e : *v) e = numerics::roundToBf16(e);
            return;
        case Operand::fp16:
            for (auto* v : {&x, &y})
                for (float& e : *v) e = numerics::roundToF16(e);
            return;
        case Operand::fp8: {
            const auto f = f8();
            const float sa = numerics::f8Scale(largestOf(m_a), f), sb = numerics::f8Scale(largestOf(m_b), f);
            for (float& e : x) e = numerics::quantizeF8(e, sa, f);
            for (float& e : y) e = numerics::quantizeF8(e, sb, f);
            scale = sa * sb;
            return;
        }
        case Operand::int4: {
            const std::size_t group = static_cast<std::size_t>(m_slots.group);
            for (std::size_t first = 0; first < y.size(); first += group) {
                const std::size_t n = std::min(group, y.size() - first);
                const float s = numerics::int4Scale(numerics::maxAbs(&y[first], n, 1));
                for (std::size_t k = first; k < first + n; ++k)
                    y[k] = static_cast<float>(numerics::quantizeInt4(y[k], s)) * s;
            }
            return;
        }
        case Operand::int8: {
            const bool perTensor = m_slots.granularity == lower::Granularity::perTensor;
            const auto wrong = static_cast<std::size_t>(m_slots.scaleChannel);
            float largestX = perTensor ? largestOf(m_a) : largestOf(x), largestY = largestOf(y);
            const bool hitX = perTensor || i == wrong % m_shape.m, hitY = j == wrong % m_shape.n;
            if (m_slots.scales == Scales::clippedActivation && hitX) largestX *= m_slots.clip;
            if (m_slots.scales == Scales::clippedWeight && hitY) largestY *= m_slots.clip;
            const float sx = numerics::int8Scale(largestX);
            float sy = numerics::int8Scale(largestY);
            for (float& e : x) e = numerics::quantizeInt8(e, sx);
            for (float& e : y) e = numerics::quantizeInt8(e, sy);
            if (m_slots.scales == Scales::neighbour && hitY)
                sy = numerics::int8Scale(numerics::maxAbs(&m_b[(j + 1) % m_shape.n], m_shape.k, m_shape.n));
            scale = sx * sy;
            return;
        }
        }
    }

    numerics::OperandFormat f8() const {
        return m_slots.fp8Format == lower::Fp8Format::e5m2 ? numerics::OperandFormat::f8e5m2
                                                           : numerics::OperandFormat::f8e4m3;
    }

    numerics::TcSpec spec() const {
        using numerics::OperandFormat;
        const bool half = m_slots.accumulator == lower::Accumulator::instructionFp16;
        switch (m_slots.operand) {
        case lower::Operand::tf32:
            return numerics::tcSpec(m_arch, OperandFormat::tf32);
        case lower::Operand::bf16:
            return numerics::tcSpec(m_arch, OperandFormat::bf16);
        case lower::Operand::fp16:
            return numerics::tcSpec(m_arch, OperandFormat::f16, half);
        case lower::Operand::fp8:
            return numerics::f8Spec(m_arch, f8());
        default:
            return {};
        }
    }

    float add(const std::vector<float>& x, const std::vector<float>& y, float start, std::size_t i,
              std::size_t j) const {
        using lower::Accumulator;
        if (m_slots.accumulator == Accumulator::bf16 || m_slots.accumulator == Accumulator::fp16) {
            for (std::size_t k = 0; k < x.size(); ++k) {
                start = std::fma(x[k], y[k], start);
                start = m_slots.accumulator == Accumulator::bf16 ? numerics::roundToBf16(start)
                                                                 : numerics::roundToF16(start);
            }
            return start;
        }
        if (m_slots.operand == lower::Operand::int8) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < x.size(); ++k) sum += static_cast<std::int64_t>(x[k] * y[k]);
            return static_cast<float>(sum);
        }
        const bool chunks =
            m_slots.order == lower::SumOrder::splitK || m_slots.order == lower::SumOrder::atomics;
        if (chunks) return inChunks(x, y, start, i, j);
        const numerics::DotTerms terms{x.data(), y.data()};
        if (m_slots.order == lower::SumOrder::pairwise)
            return numerics::reduce(terms, x.size(), {numerics::Order::pairwise, 1}, start);
        if (m_slots.order == lower::SumOrder::strided)
            return numerics::reduce(terms, x.size(), {numerics::Order::strided, 1}, start);
        return chunk(x, y, 0, x.size(), start);
    }

    float chunk(const std::vector<float>& x, const std::vector<float>& y, std::size_t first, std::size_t last,
                float start) const {
        const auto s = spec();
        if (!s.exists()) {
            for (std::size_t k = first; k < last; ++k) start = std::fma(x[k], y[k], start);
            return start;
        }
        if (s.output == numerics::TcOutput::f16) start = numerics::roundToF16(start);
        return numerics::tcDot(x.data() + first, 1, y.data() + first, 1, last - first, start, s);
    }

    float inChunks(const std::vector<float>& x, const std::vector<float>& y, float start, std::size_t i,
                   std::size_t j) const {
        const auto format = m_slots.partials == DType::bf16  ? numerics::PartialFormat::bf16
                            : m_slots.partials == DType::f16 ? numerics::PartialFormat::f16
                                                             : numerics::PartialFormat::f32;
        const auto s = spec();
        const std::size_t length =
            numerics::chunkLength(x.size(), static_cast<std::size_t>(m_slots.splits),
                                  s.exists() ? static_cast<std::size_t>(s.instructionK) : 1);
        std::vector<float> parts;
        const bool atomics = m_slots.order == lower::SumOrder::atomics;
        for (std::size_t first = 0; first < x.size(); first += length)
            parts.push_back(chunk(x, y, first, std::min(x.size(), first + length),
                                  first == 0 && !atomics ? start : 0.0f));
        std::vector<std::uint32_t> order(parts.size());
        if (atomics)
            numerics::arrivalOrder(m_slots.orderSeed, static_cast<std::uint32_t>(i / 16),
                                   static_cast<std::uint32_t>(j / 16), order.data(), order.size());
        if (parts.empty()) return numerics::roundPartial(atomics ? start : chunk(x, y, 0, 0, start), format);
        float sum = numerics::roundPartial(atomics ? start : parts[0], format);
        for (std::size_t p = atomics ? 0 : 1; p < parts.size(); ++p)
            sum = numerics::roundPartial(sum + numerics::roundPartial(parts[atomics ? order[p] : p], format),
                                         format);
        return sum;
    }

    const lower::Slots& m_slots;
    numerics::Arch m_arch;
    host::GemmShape m_shape;
    const std::vector<float>&m_a, &m_b;
};

} // namespace divdet
