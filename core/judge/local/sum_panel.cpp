#include "judge/local/sum_panel.h"

#include "compare/block_targets.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/reduction.h"

// No instruction set changes a bit: nothing is contracted, and no sum crosses columns.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "judge/local/sum_panel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace divdet::local {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kWidth>;
constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kVectors = kWidth / kLanes;

/// kWidth numbers, one per column, in registers.
struct Row {
    hn::Vec<D> v[kVectors];
};
HWY_INLINE Row load(const double* from) {
    Row r;
    for (std::size_t i = 0; i < kVectors; ++i) r.v[i] = hn::LoadU(D(), from + i * kLanes);
    return r;
}
HWY_INLINE void store(const Row& r, double* to) {
    for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(r.v[i], D(), to + i * kLanes);
}
HWY_INLINE Row zeroRow() {
    Row r;
    for (auto& v : r.v) v = hn::Zero(D());
    return r;
}
/// to += factor · of, column by column.
HWY_INLINE void addScaled(double factor, const Row& of, double* to) {
    for (std::size_t i = 0; i < kVectors; ++i) {
        double* const at = to + i * kLanes;
        hn::StoreU(hn::Add(hn::LoadU(D(), at), hn::Mul(hn::Set(D(), factor), of.v[i])), D(), at);
    }
}

struct Terms {
    const double* a;
    const double* b; ///< of the panel: kWidth columns, one k behind the other

    HWY_INLINE hn::Vec<D> product(std::size_t k, std::size_t vector) const {
        return hn::Mul(hn::Set(D(), a[k]), hn::LoadU(D(), b + k * kWidth + vector * kLanes));
    }
};

PanelSums zero() {
    return {};
}

/// An fp32 chain over k = first, first + step, …: every fma rounds its result.
void chain(const Terms& t, std::size_t first, std::size_t last, std::size_t step, PanelSums& x) {
    Row s = load(x.s), run = zeroRow();
    for (std::size_t k = first; k < last; k += step)
        for (std::size_t i = 0; i < kVectors; ++i) {
            s.v[i] = hn::Add(s.v[i], t.product(k, i));
            run.v[i] = hn::Add(run.v[i], hn::Abs(s.v[i]));
        }
    store(s, x.s);
    addScaled(kU, run, x.e);
}

double unitOf(numerics::TcOutput output) {
    if (output == numerics::TcOutput::f16) return 0x1p-11;
    return output == numerics::TcOutput::f32 ? 0x1p-23 : 0x1p-13;
}

/// Steps of a tensor core: the n products and the accumulator lose what lies below 2^-F of the largest, and
/// the sum what lies below its own last bit.
void steps(const numerics::TcSpec& spec, const Terms& t, std::size_t first, std::size_t last, PanelSums& x) {
    const auto n = static_cast<std::size_t>(spec.n);
    Row s = load(x.s), all = zeroRow(), ends = zeroRow();
    double count = 0;
    for (std::size_t k = first; k < last; k += n, ++count) {
        Row largest;
        for (std::size_t i = 0; i < kVectors; ++i) largest.v[i] = hn::Abs(s.v[i]);
        for (std::size_t at = k; at < std::min(last, k + n); ++at)
            for (std::size_t i = 0; i < kVectors; ++i) {
                const auto p = t.product(at, i);
                s.v[i] = hn::Add(s.v[i], p);
                largest.v[i] = hn::Max(largest.v[i], hn::Abs(p));
            }
        for (std::size_t i = 0; i < kVectors; ++i) {
            all.v[i] = hn::Add(all.v[i], largest.v[i]);
            ends.v[i] = hn::Add(ends.v[i], hn::Abs(s.v[i]));
        }
    }
    store(s, x.s);
    addScaled((spec.n + 1) * std::ldexp(1.0, -spec.alignBits), all, x.e);
    addScaled(unitOf(spec.output), ends, x.e);
    if (spec.output == numerics::TcOutput::f16) // its subnormals
        for (double& e : x.e) e += count * 0x1p-25;
}

/// Sum of two partial sums, rounded once; adding nothing rounds nothing.
HWY_INLINE void merge(PanelSums& into, const PanelSums& other, double unit) {
    const auto u = hn::Set(D(), unit), none = hn::Zero(D());
    for (std::size_t at = 0; at < kWidth; at += kLanes) {
        const auto s = hn::LoadU(D(), into.s + at), e = hn::LoadU(D(), into.e + at);
        const auto s2 = hn::LoadU(D(), other.s + at), e2 = hn::LoadU(D(), other.e + at);
        const auto sum = hn::Add(s, s2);
        const auto nothing =
            hn::Or(hn::And(hn::Eq(s, none), hn::Eq(e, none)), hn::And(hn::Eq(s2, none), hn::Eq(e2, none)));
        const auto rounding = hn::IfThenZeroElse(nothing, hn::Mul(u, hn::Abs(sum)));
        hn::StoreU(sum, D(), into.s + at);
        hn::StoreU(hn::Add(hn::Add(e, e2), rounding), D(), into.e + at);
    }
}

/// Leaf 0 is an fma onto the start, the others are products, each rounded once.
HWY_INLINE void leaf(const Terms& t, std::size_t k, PanelSums& x) {
    for (std::size_t i = 0; i < kVectors; ++i) {
        const auto s = hn::Add(hn::LoadU(D(), x.s + i * kLanes), t.product(k, i));
        const auto e = hn::Add(hn::LoadU(D(), x.e + i * kLanes), hn::Mul(hn::Set(D(), kU), hn::Abs(s)));
        hn::StoreU(s, D(), x.s + i * kLanes);
        hn::StoreU(e, D(), x.e + i * kLanes);
    }
}

void pairwise(const Terms& t, std::size_t count, PanelSums& x) {
    PanelSums tree[64];
    int depth = 0;
    for (std::size_t k = 0; k < count; ++k) {
        tree[depth] = k == 0 ? x : zero();
        leaf(t, k, tree[depth++]);
        for (std::size_t carry = k; carry & 1; carry >>= 1, --depth)
            merge(tree[depth - 2], tree[depth - 1], kU);
    }
    if (depth == 0) return;
    for (; depth > 1; --depth) merge(tree[depth - 2], tree[depth - 1], kU);
    x = tree[0];
}

void strided(const Terms& t, std::size_t count, PanelSums& x) {
    std::vector<PanelSums> lane(numerics::kLanes, zero());
    lane[0] = x;
    for (std::size_t i = 0; i < std::min(count, numerics::kLanes); ++i)
        chain(t, i, count, numerics::kLanes, lane[i]);
    for (std::size_t o = numerics::kLanes / 2; o > 0; o /= 2)
        for (std::size_t i = 0; i < o; ++i) merge(lane[i], lane[i + o], kU);
    x = lane[0];
}

class Panel {
public:
    Panel(const SumModel& model, const Terms& terms, std::size_t k)
        : m_model(model)
        , m_terms(terms)
        , m_k(k) {}

    void sum(PanelSums& x) const {
        if (m_model.known != Order::known || m_model.exact) return anyOrder(x);
        switch (m_model.order) {
        case lower::SumOrder::published:
            return part(0, m_k, x);
        case lower::SumOrder::pairwise:
            return pairwise(m_terms, m_k, x);
        case lower::SumOrder::strided:
            return strided(m_terms, m_k, x);
        case lower::SumOrder::splitK:
            return chunksInOrder(x);
        case lower::SumOrder::atomics:
            return chunksAsTheyArrive(x);
        }
    }

private:
    void part(std::size_t first, std::size_t last, PanelSums& x) const {
        if (m_model.spec.exists())
            steps(m_model.spec, m_terms, first, last, x);
        else
            chain(m_terms, first, last, 1, x);
    }

    std::size_t length() const {
        const auto unit = m_model.spec.exists() ? static_cast<std::size_t>(m_model.spec.instructionK) : 1;
        return std::max<std::size_t>(1, numerics::chunkLength(m_k, m_model.splits, unit));
    }

    void roundPartial(PanelSums& x) const {
        if (!m_model.partialsRounded) return;
        for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += m_model.partialUnit * std::abs(x.s[j]);
    }

    void chunksInOrder(PanelSums& x) const {
        const std::size_t step = length();
        part(0, std::min(step, m_k), x);
        roundPartial(x);
        for (std::size_t first = step; first < m_k; first += step) {
            PanelSums chunk = zero();
            part(first, std::min(m_k, first + step), chunk);
            roundPartial(chunk);
            merge(x, chunk, m_model.partialUnit);
            if (m_model.partialsRounded) // the fp32 addition before the rounding to the partials' dtype
                for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += kU * std::abs(x.s[j]);
        }
    }

    /// Whatever the order, no partial sum is larger than all chunks together.
    void chunksAsTheyArrive(PanelSums& x) const {
        const std::size_t step = length();
        double sizes[kWidth];
        for (std::size_t j = 0; j < kWidth; ++j) sizes[j] = std::abs(x.s[j]);
        roundPartial(x);
        double count = 0;
        for (std::size_t first = 0; first < m_k; first += step, ++count) {
            PanelSums chunk = zero();
            part(first, std::min(m_k, first + step), chunk);
            roundPartial(chunk);
            for (std::size_t j = 0; j < kWidth; ++j) {
                x.s[j] += chunk.s[j];
                x.e[j] += chunk.e[j];
                sizes[j] += std::abs(chunk.s[j]);
            }
        }
        const double unit = m_model.partialUnit + (m_model.partialsRounded ? kU : 0);
        for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += count * unit * sizes[j];
    }

    /// gamma_K of the magnitudes, or a step of the tensor core for each n of them.
    void anyOrder(PanelSums& x) const {
        Row sum = load(x.s), magnitude;
        for (std::size_t i = 0; i < kVectors; ++i) magnitude.v[i] = hn::Abs(sum.v[i]);
        for (std::size_t k = 0; k < m_k; ++k)
            for (std::size_t i = 0; i < kVectors; ++i) {
                const auto p = m_terms.product(k, i);
                sum.v[i] = hn::Add(sum.v[i], p);
                magnitude.v[i] = hn::Add(magnitude.v[i], hn::Abs(p));
            }
        store(sum, x.s);
        const auto k = static_cast<double>(m_k);
        double each = (k + 1) * kU / (1 - std::min(0.5, (k + 1) * kU));
        if (m_model.spec.exists()) {
            const double n = m_model.spec.n;
            const double unit = unitOf(m_model.spec.output);
            each = std::ceil(k / n) * ((n + 1) * std::ldexp(1.0, -m_model.spec.alignBits) + unit);
        }
        double ofPartials = 0;
        if (m_model.partialsRounded)
            ofPartials = (static_cast<double>(m_model.splits) + 1) * m_model.partialUnit;
        if (m_model.known != Order::likely || m_k <= kLikelyFrom)
            return addScaled(each + ofPartials, magnitude, x.e);
        // Roundings to nearest as a random walk; those of the tensor core cut, always towards zero, and so
        // add up: by the larger of what is added above and below zero.
        const double walk = 8 * std::sqrt(k) * kU;
        double cut = 0;
        if (m_model.spec.exists()) {
            const double n = m_model.spec.n;
            cut = std::ceil(k / n) *
                  (n * std::ldexp(1.0, -m_model.spec.alignBits) + unitOf(m_model.spec.output));
        }
        for (std::size_t i = 0; i < kVectors; ++i) {
            const auto oneSide = hn::Mul(hn::Set(D(), 0.5), hn::Add(magnitude.v[i], hn::Abs(sum.v[i])));
            const auto likely =
                hn::Add(hn::Mul(hn::Set(D(), walk), magnitude.v[i]), hn::Mul(hn::Set(D(), cut), oneSide));
            const auto hard = hn::Mul(hn::Set(D(), each), magnitude.v[i]);
            const auto partials = hn::Mul(hn::Set(D(), ofPartials), magnitude.v[i]);
            double* const at = x.e + i * kLanes;
            hn::StoreU(hn::Add(hn::LoadU(D(), at), hn::Add(hn::Min(likely, hard), partials)), D(), at);
        }
    }

    const SumModel& m_model;
    const Terms& m_terms;
    std::size_t m_k;
};

void sumPanelHere(const SumModel& model, const double* a, const double* panel, std::size_t k, PanelSums& x) {
    Panel(model, {a, panel}, k).sum(x);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::local
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::local {
HWY_EXPORT(sumPanelHere);

std::unique_ptr<double[]> panelOf(std::span<const double> b, std::size_t k, std::size_t n,
                                  std::size_t first) {
    auto panel = std::make_unique_for_overwrite<double[]>(k * kWidth);
    const std::size_t width = std::min(kWidth, n - first);
    for (std::size_t i = 0; i < k; ++i) {
        double* const to = &panel[i * kWidth];
        std::fill(std::copy_n(&b[i * n + first], width, to), to + kWidth, 0.0);
    }
    return panel;
}

void sumPanel(const SumModel& model, const double* a, const double* panel, std::size_t k, PanelSums& x) {
    HWY_DYNAMIC_DISPATCH(sumPanelHere)(model, a, panel, k, x);
}

} // namespace divdet::local
#endif
