#include "judge/envelope/spread_panel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compare/block_targets.h"
#include "numerics/reduction.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "judge/envelope/spread_panel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divdet::envelope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using local::kWidth;
using D = hn::CappedTag<double, kWidth>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kVectors = kWidth / kLanes;

HWY_INLINE V set(double x) {
    return hn::Set(D(), x);
}

/// The power of two at or below |x|; 0 for 0.
HWY_INLINE V powerOfTwo(V x) {
    return hn::BitCast(D(), hn::And(hn::BitCast(DU(), x), hn::Set(DU(), std::uint64_t{0x7FF0000000000000})));
}

class Panel {
public:
    Panel(const local::SumModel& model, const SpreadTerms& terms)
        : m_model(model)
        , m_t(terms) {}

    void sum(std::size_t k, SpreadSums& x) const {
        operands(k, x);
        if (m_model.exact) return plain(k, x);
        const bool chunks =
            m_model.order == lower::SumOrder::splitK || m_model.order == lower::SumOrder::atomics;
        if (chunks) return inChunks(k, x);
        part(0, k, pathShare(k), x);
    }

private:
    HWY_INLINE V product(std::size_t k, std::size_t vector) const {
        return hn::Mul(set(m_t.a[k]), hn::LoadU(D(), m_t.panel + k * kWidth + vector * kLanes));
    }

    /// What is uncertain of the operands.
    void operands(std::size_t k, SpreadSums& x) const {
        if (!m_t.aVariance && !m_t.panelVariance) return;
        V sum[kVectors];
        for (std::size_t i = 0; i < kVectors; ++i) sum[i] = hn::LoadU(D(), x.variance + i * kLanes);
        for (std::size_t at = 0; at < k; ++at) {
            const V a = set(m_t.a[at]), va = set(m_t.aVariance ? m_t.aVariance[at] : 0);
            for (std::size_t i = 0; i < kVectors; ++i) {
                const V b = hn::LoadU(D(), m_t.panel + at * kWidth + i * kLanes);
                sum[i] = hn::Add(sum[i], hn::Mul(va, hn::Mul(b, b)));
                if (!m_t.panelVariance) continue;
                const V vb = hn::LoadU(D(), m_t.panelVariance + at * kWidth + i * kLanes);
                sum[i] = hn::Add(sum[i], hn::Mul(vb, hn::Add(hn::Mul(a, a), va)));
            }
        }
        for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(sum[i], D(), x.variance + i * kLanes);
    }

    void plain(std::size_t k, SpreadSums& x) const {
        V s[kVectors];
        for (std::size_t i = 0; i < kVectors; ++i) s[i] = hn::LoadU(D(), x.s + i * kLanes);
        for (std::size_t at = 0; at < k; ++at)
            for (std::size_t i = 0; i < kVectors; ++i) s[i] = hn::Add(s[i], product(at, i));
        for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(s[i], D(), x.s + i * kLanes);
    }

    /// Roundings on a path of the tree, as a share of the chain's.
    double pathShare(std::size_t k) const {
        const auto terms = static_cast<double>(std::max<std::size_t>(1, k));
        if (m_model.order == lower::SumOrder::pairwise) return std::min(1.0, (std::log2(terms) + 1) / terms);
        if (m_model.order == lower::SumOrder::strided)
            return std::min(1.0, (std::ceil(terms / 256) + 8) / terms);
        return 1;
    }

    void part(std::size_t first, std::size_t last, double share, SpreadSums& x) const {
        if (m_model.spec.exists())
            steps(first, last, x);
        else
            chain(first, last, share, x);
    }

    void chain(std::size_t first, std::size_t last, double share, SpreadSums& x) const {
        V s[kVectors], squares[kVectors];
        for (std::size_t i = 0; i < kVectors; ++i) {
            s[i] = hn::LoadU(D(), x.s + i * kLanes);
            squares[i] = hn::Zero(D());
        }
        for (std::size_t k = first; k < last; ++k)
            for (std::size_t i = 0; i < kVectors; ++i) {
                s[i] = hn::Add(s[i], product(k, i));
                const V size = powerOfTwo(s[i]);
                squares[i] = hn::Add(squares[i], hn::Mul(size, size));
            }
        const V scale = set(share * 0x1p-46 / 12); // ulp = 2^-23 of the power of two
        for (std::size_t i = 0; i < kVectors; ++i) {
            hn::StoreU(s[i], D(), x.s + i * kLanes);
            double* const v = x.variance + i * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(D(), v), hn::Mul(scale, squares[i])), D(), v);
        }
    }

    /// A product whose last bit lies below the step's grid g loses g/2 in the mean; so does the accumulator;
    /// and the sum loses what lies between the grid and its own last bit.
    void steps(std::size_t first, std::size_t last, SpreadSums& x) const {
        const numerics::TcSpec& spec = m_model.spec;
        const auto n = static_cast<std::size_t>(spec.n);
        const int bits = 2 * numerics::operandShape(spec.operand).fractionBits;
        const V grid = set(std::ldexp(1.0, -spec.alignBits)),
                fine = set(std::ldexp(1.0, bits - spec.alignBits));
        const V fineSum = set(std::ldexp(1.0, 23 - spec.alignBits));
        const double keep = spec.output == numerics::TcOutput::f32   ? 0x1p-23
                            : spec.output == numerics::TcOutput::f16 ? 0x1p-11
                                                                     : 0x1p-13;
        const V unit = set(keep), half = set(0.5), twelfth = set(1.0 / 12);
        V s[kVectors], v[kVectors], lost[kVectors];
        for (std::size_t i = 0; i < kVectors; ++i) {
            s[i] = hn::LoadU(D(), x.s + i * kLanes);
            v[i] = lost[i] = hn::Zero(D());
        }
        for (std::size_t k = first; k < last; k += n) {
            const std::size_t end = std::min(last, k + n);
            for (std::size_t i = 0; i < kVectors; ++i) {
                V largest = hn::Abs(s[i]);
                for (std::size_t at = k; at < end; ++at) largest = hn::Max(largest, hn::Abs(product(at, i)));
                const V eta = powerOfTwo(largest), g = hn::Mul(eta, grid), halfG = hn::Mul(g, half);
                const V limit = hn::Mul(eta, fine), limitSum = hn::Mul(eta, fineSum);
                const V gg = hn::Mul(hn::Mul(g, g), twelfth);
                const auto lose = [&](V p, V below) HWY_ATTR {
                    const auto loses = hn::And(hn::Lt(hn::Abs(p), below), hn::Ne(p, hn::Zero(D())));
                    lost[i] = hn::Add(lost[i], hn::IfThenElseZero(loses, hn::CopySign(halfG, p)));
                    v[i] = hn::Add(v[i], hn::IfThenElseZero(loses, gg));
                };
                lose(s[i], limitSum);
                for (std::size_t at = k; at < end; ++at) {
                    const V p = product(at, i);
                    lose(p, limit);
                    s[i] = hn::Add(s[i], p);
                }
                const V u = hn::Mul(powerOfTwo(s[i]), unit), more = hn::Max(hn::Sub(u, g), hn::Zero(D()));
                lost[i] = hn::Add(lost[i], hn::CopySign(hn::Mul(more, half), s[i]));
                v[i] = hn::Add(
                    v[i], hn::Mul(hn::Max(hn::Sub(hn::Mul(u, u), hn::Mul(g, g)), hn::Zero(D())), twelfth));
            }
        }
        for (std::size_t i = 0; i < kVectors; ++i) {
            hn::StoreU(s[i], D(), x.s + i * kLanes);
            double *const to = x.variance + i * kLanes, *const gone = x.lost + i * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(D(), to), v[i]), D(), to);
            hn::StoreU(hn::Add(hn::LoadU(D(), gone), lost[i]), D(), gone);
        }
    }

    void inChunks(std::size_t k, SpreadSums& x) const {
        const auto unit = m_model.spec.exists() ? static_cast<std::size_t>(m_model.spec.instructionK) : 1;
        const std::size_t length = std::max<std::size_t>(1, numerics::chunkLength(k, m_model.splits, unit));
        const double ulp = 2 * m_model.partialUnit;
        const auto round = [&](double s) { return ulp * ulp / 12 * s * s; };
        for (std::size_t first = 0; first < k; first += length) {
            SpreadSums chunk{};
            if (first == 0) std::copy_n(x.s, kWidth, chunk.s);
            part(first, std::min(k, first + length), 1, chunk);
            for (std::size_t j = 0; j < kWidth; ++j) {
                if (m_model.partialsRounded) x.variance[j] += round(chunk.s[j]);
                x.s[j] = first == 0 ? chunk.s[j] : x.s[j] + chunk.s[j];
                x.variance[j] += chunk.variance[j] + (first == 0 ? 0 : round(x.s[j]));
                x.lost[j] += chunk.lost[j];
            }
        }
    }

    const local::SumModel& m_model;
    const SpreadTerms& m_t;
};

void spreadPanelHere(const local::SumModel& model, const SpreadTerms& terms, std::size_t k, SpreadSums& x) {
    Panel(model, terms).sum(k, x);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::envelope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::envelope {
HWY_EXPORT(spreadPanelHere);

void spreadPanel(const local::SumModel& model, const SpreadTerms& terms, std::size_t k, SpreadSums& x) {
    HWY_DYNAMIC_DISPATCH(spreadPanelHere)(model, terms, k, x);
}

} // namespace divdet::envelope
#endif
