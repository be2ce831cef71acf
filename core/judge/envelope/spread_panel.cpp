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
using N = hn::CappedTag<float, kWidth>;
using NU = hn::RebindToUnsigned<N>;
using NV = hn::Vec<N>;
using Half = hn::Rebind<float, D>; ///< as many floats as a vector has doubles
constexpr std::size_t kNarrowLanes = hn::MaxLanes(N());
constexpr std::size_t kNarrowVectors = kWidth / kNarrowLanes;

HWY_INLINE V set(double x) {
    return hn::Set(D(), x);
}

/// The power of two at or below |x|; 0 for 0.
HWY_INLINE V powerOfTwo(V x) {
    return hn::BitCast(D(), hn::And(hn::BitCast(DU(), x), hn::Set(DU(), std::uint64_t{0x7FF0000000000000})));
}

HWY_INLINE NV powerOfTwo(NV x) {
    return hn::BitCast(N(), hn::And(hn::BitCast(NU(), x), hn::Set(NU(), std::uint32_t{0x7F800000})));
}

/// What one step loses in each column.
struct Losses {
    NV largest[kNarrowVectors]; ///< magnitude of the accumulator and the products, in narrow units
    NV count[kNarrowVectors];   ///< how many of them have bits below the grid
    NV signs[kNarrowVectors];   ///< the sum of their signs
};

/// Doubles as floats and back, kWidth of them; through registers, because a wide load behind two narrow
/// stores waits for both to reach the cache.
/// A start may be far above all products; infinite, its grid would make every number NaN.
HWY_INLINE V inRange(V x) {
    return hn::Min(hn::Max(x, set(-0x1p120)), set(0x1p120));
}

#if HWY_TARGET == HWY_SCALAR
static_assert(kNarrowLanes == kLanes);
HWY_INLINE void narrowed(const V (&from)[kVectors], V unit, NV (&to)[kNarrowVectors]) {
    for (std::size_t i = 0; i < kVectors; ++i) to[i] = hn::DemoteTo(N(), inRange(hn::Mul(from[i], unit)));
}
HWY_INLINE V widened(const NV (&from)[kNarrowVectors], std::size_t vector) {
    return hn::PromoteTo(D(), from[vector]);
}
#else
static_assert(kNarrowLanes == 2 * kLanes);
HWY_INLINE void narrowed(const V (&from)[kVectors], V unit, NV (&to)[kNarrowVectors]) {
    for (std::size_t i = 0; i < kNarrowVectors; ++i)
        to[i] = hn::Combine(N(), hn::DemoteTo(Half(), inRange(hn::Mul(from[2 * i + 1], unit))),
                            hn::DemoteTo(Half(), inRange(hn::Mul(from[2 * i], unit))));
}
HWY_INLINE V widened(const NV (&from)[kNarrowVectors], std::size_t vector) {
    const NV both = from[vector / 2];
    return hn::PromoteTo(D(), vector % 2 ? hn::UpperHalf(Half(), both) : hn::LowerHalf(Half(), both));
}
#endif

class Panel {
public:
    Panel(const local::SumModel& model, const SpreadTerms& terms)
        : m_model(model)
        , m_t(terms) {}

    void sum(std::size_t k, SpreadSums& x) const {
        add(m_t.uncertainA, k, x.variance);
        add(m_t.uncertainB, k, x.variance);
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

    static void add(const NarrowTerms& t, std::size_t k, double* to) {
        if (!t.a) return;
        // Each column in four sums: one alone waits for its last addition. By vectors, so that they stay in
        // registers.
        NV both[kNarrowVectors];
        for (std::size_t i = 0; i < kNarrowVectors; ++i) {
            const auto term = [&](std::size_t at) HWY_ATTR {
                return hn::Mul(hn::Set(N(), t.a[at]),
                               hn::LoadU(N(), t.panel + at * kWidth + i * kNarrowLanes));
            };
            NV first = hn::Zero(N()), second = first, third = first, fourth = first;
            std::size_t at = 0;
            for (; at + 4 <= k; at += 4) {
                first = hn::Add(first, term(at));
                second = hn::Add(second, term(at + 1));
                third = hn::Add(third, term(at + 2));
                fourth = hn::Add(fourth, term(at + 3));
            }
            for (; at < k; ++at) first = hn::Add(first, term(at));
            both[i] = hn::Add(hn::Add(first, second), hn::Add(third, fourth));
        }
        for (std::size_t i = 0; i < kVectors; ++i) {
            const V units = hn::Mul(set(t.unit), hn::LoadU(D(), t.units + i * kLanes));
            double* const at = to + i * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(D(), at), hn::Mul(units, widened(both, i))), D(), at);
        }
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

    HWY_INLINE NV narrowProduct(std::size_t k, std::size_t vector) const {
        return hn::Mul(hn::Set(N(), m_t.narrowA[k]),
                       hn::LoadU(N(), m_t.narrowPanel + k * kWidth + vector * kNarrowLanes));
    }

    /// `fine` and `fineSum` are the sizes, as shares of the largest, below which a product and the
    /// accumulator have bits under the grid. kProducts is last - first, or 0 where that varies: a step known
    /// to the compiler keeps its products in registers.
    template <std::size_t kProducts>
    HWY_INLINE Losses lossesOf(std::size_t first, std::size_t last, NV fine, NV fineSum,
                               const NV (&accumulator)[kNarrowVectors]) const {
        Losses x;
        const NV one = hn::Set(N(), 1.0F), none = hn::Zero(N());
        for (std::size_t i = 0; i < kNarrowVectors; ++i) {
            NV products[std::max<std::size_t>(1, kProducts)];
            NV largest = hn::Abs(accumulator[i]);
            if constexpr (kProducts > 0) {
                NV other = none; // two maxima, so that none waits long for the one before
                for (std::size_t at = 0; at < kProducts; ++at) products[at] = narrowProduct(first + at, i);
                for (std::size_t at = 0; at + 1 < kProducts; at += 2) {
                    other = hn::Max(other, hn::Abs(products[at]));
                    largest = hn::Max(largest, hn::Abs(products[at + 1]));
                }
                largest = hn::Max(largest, other);
            } else {
                for (std::size_t k = first; k < last; ++k)
                    largest = hn::Max(largest, hn::Abs(narrowProduct(k, i)));
            }
            const NV eta = powerOfTwo(largest), limit = hn::Mul(eta, fine);
            NV count = none, signs = none;
            const auto lose = [&](NV p, NV below) HWY_ATTR {
                const auto loses = hn::And(hn::Lt(hn::Abs(p), below), hn::Ne(p, none));
                signs = hn::Add(signs, hn::IfThenElseZero(loses, hn::CopySign(one, p)));
                count = hn::Add(count, hn::IfThenElseZero(loses, one));
            };
            lose(accumulator[i], hn::Mul(eta, fineSum));
            if constexpr (kProducts > 0)
                for (std::size_t at = 0; at < kProducts; ++at) lose(products[at], limit);
            else
                for (std::size_t k = first; k < last; ++k) lose(narrowProduct(k, i), limit);
            x.largest[i] = largest, x.count[i] = count, x.signs[i] = signs;
        }
        return x;
    }

    /// A product whose last bit lies below the step's grid g loses g/2 in the mean; so does the accumulator;
    /// and the sum loses what lies between the grid and its own last bit.
    void steps(std::size_t first, std::size_t last, SpreadSums& x) const {
        switch (m_model.spec.n) {
        case 4:
            return stepsOf<4>(first, last, x);
        case 8:
            return stepsOf<8>(first, last, x);
        case 16:
            return stepsOf<16>(first, last, x);
        default:
            return stepsOf<0>(first, last, x);
        }
    }

    template <std::size_t kProducts>
    void stepsOf(std::size_t first, std::size_t last, SpreadSums& x) const {
        const numerics::TcSpec& spec = m_model.spec;
        const auto n = static_cast<std::size_t>(spec.n);
        const int bits = 2 * numerics::operandShape(spec.operand).fractionBits;
        const NV fine = hn::Set(N(), static_cast<float>(std::ldexp(1.0, bits - spec.alignBits)));
        const NV fineSum = hn::Set(N(), static_cast<float>(std::ldexp(1.0, 23 - spec.alignBits)));
        const V grid = set(std::ldexp(m_t.unit, -spec.alignBits)), narrow = set(1 / m_t.unit);
        const double keep = spec.output == numerics::TcOutput::f32   ? 0x1p-23
                            : spec.output == numerics::TcOutput::f16 ? 0x1p-11
                                                                     : 0x1p-13;
        const V unit = set(keep), none = hn::Zero(D());
        V s[kVectors], v[kVectors], lost[kVectors]; // v in twelfths, lost in halves
        for (std::size_t i = 0; i < kVectors; ++i) {
            s[i] = hn::LoadU(D(), x.s + i * kLanes);
            v[i] = lost[i] = none;
        }
        for (std::size_t k = first; k < last; k += n) {
            const std::size_t end = std::min(last, k + n);
            NV accumulator[kNarrowVectors];
            narrowed(s, narrow, accumulator);
            const bool whole = kProducts > 0 && end - k == kProducts;
            const Losses step = whole ? lossesOf<kProducts>(k, end, fine, fineSum, accumulator)
                                      : lossesOf<0>(k, end, fine, fineSum, accumulator);
            for (std::size_t at = k; at < end; ++at)
                for (std::size_t i = 0; i < kVectors; ++i) s[i] = hn::Add(s[i], product(at, i));
            for (std::size_t i = 0; i < kVectors; ++i) {
                const V g = hn::Mul(powerOfTwo(widened(step.largest, i)), grid), gg = hn::Mul(g, g);
                const V u = hn::Mul(powerOfTwo(s[i]), unit), more = hn::Max(hn::Sub(u, g), none);
                lost[i] =
                    hn::Add(lost[i], hn::Add(hn::Mul(g, widened(step.signs, i)), hn::CopySign(more, s[i])));
                v[i] = hn::Add(v[i], hn::Add(hn::Mul(gg, widened(step.count, i)),
                                             hn::Max(hn::Sub(hn::Mul(u, u), gg), none)));
            }
        }
        for (std::size_t i = 0; i < kVectors; ++i) {
            hn::StoreU(s[i], D(), x.s + i * kLanes);
            double *const to = x.variance + i * kLanes, *const gone = x.lost + i * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(D(), to), hn::Mul(v[i], set(1.0 / 12))), D(), to);
            hn::StoreU(hn::Add(hn::LoadU(D(), gone), hn::Mul(lost[i], set(0.5))), D(), gone);
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
