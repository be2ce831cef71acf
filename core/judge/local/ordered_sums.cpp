#include "judge/local/ordered_sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <tbb/parallel_for.h>

#include "numerics/reduction.h"

namespace divdet::local {
namespace {

constexpr std::size_t kWidth = 8;    ///< columns that travel together, in registers
constexpr double kFirstOrder = 1.02; ///< partial sums in double stand for the rounded ones
constexpr double kUnderflow = 0x1p-149;

/// Partial sums of kWidth columns and what rounding may have added to each.
struct Sums {
    double s[kWidth], e[kWidth];
};

struct Terms {
    const double* a;
    const double* b; ///< of the panel: kWidth columns, one k behind the other
};

Sums zero() {
    return {};
}

/// An fp32 chain over k = first, first + step, …: every fma rounds its result.
void chain(const Terms& t, std::size_t first, std::size_t last, std::size_t step, Sums& x) {
    double run[kWidth] = {};
    for (std::size_t k = first; k < last; k += step) {
        const double a = t.a[k];
        const double* b = t.b + k * kWidth;
        for (std::size_t j = 0; j < kWidth; ++j) {
            x.s[j] += a * b[j];
            run[j] += std::abs(x.s[j]);
        }
    }
    for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += kU * run[j];
}

/// Steps of a tensor core: the n products and the accumulator lose what lies below 2^-F of the largest, and
/// the sum what lies below its own last bit.
void steps(const numerics::TcSpec& spec, const Terms& t, std::size_t first, std::size_t last, Sums& x) {
    const auto n = static_cast<std::size_t>(spec.n);
    const double grid = (spec.n + 1) * std::ldexp(1.0, -spec.alignBits);
    const double unit = spec.output == numerics::TcOutput::f32   ? 0x1p-23
                        : spec.output == numerics::TcOutput::f16 ? 0x1p-11
                                                                 : 0x1p-13;
    const double tiny = spec.output == numerics::TcOutput::f16 ? 0x1p-25 : 0;
    double largest[kWidth], all[kWidth] = {}, ends[kWidth] = {};
    for (std::size_t k = first; k < last; k += n) {
        for (std::size_t j = 0; j < kWidth; ++j) largest[j] = std::abs(x.s[j]);
        for (std::size_t i = k; i < std::min(last, k + n); ++i) {
            const double a = t.a[i];
            const double* b = t.b + i * kWidth;
            for (std::size_t j = 0; j < kWidth; ++j) {
                const double p = a * b[j], size = std::abs(p);
                x.s[j] += p;
                largest[j] = largest[j] > size ? largest[j] : size;
            }
        }
        for (std::size_t j = 0; j < kWidth; ++j) {
            all[j] += largest[j];
            ends[j] += std::abs(x.s[j]);
        }
    }
    const auto count = static_cast<double>((last - first + n - 1) / n);
    for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += grid * all[j] + unit * ends[j] + count * tiny;
}

/// Sum of two partial sums, rounded once; adding nothing rounds nothing.
void merge(Sums& into, const Sums& other, double unit) {
    for (std::size_t j = 0; j < kWidth; ++j) {
        const bool nothing = (other.s[j] == 0 && other.e[j] == 0) || (into.s[j] == 0 && into.e[j] == 0);
        into.s[j] += other.s[j];
        into.e[j] += other.e[j] + (nothing ? 0 : unit * std::abs(into.s[j]));
    }
}

void pairwise(const Terms& t, std::size_t count, Sums& x) {
    Sums tree[64];
    int depth = 0;
    for (std::size_t k = 0; k < count; ++k) {
        Sums leaf = k == 0 ? x : zero();
        chain(t, k, k + 1, 1, leaf); // the product is rounded like an fma onto 0
        for (std::size_t carry = k; carry & 1; carry >>= 1) {
            merge(tree[--depth], leaf, kU);
            leaf = tree[depth];
        }
        tree[depth++] = leaf;
    }
    if (depth == 0) return;
    Sums sum = tree[--depth];
    while (depth > 0) {
        merge(tree[--depth], sum, kU);
        sum = tree[depth];
    }
    x = sum;
}

void strided(const Terms& t, std::size_t count, Sums& x) {
    std::vector<Sums> lane(numerics::kLanes, zero());
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

    void sum(Sums& x) const {
        if (m_model.known == Order::any && !m_model.exact) return anyOrder(x);
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
    void part(std::size_t first, std::size_t last, Sums& x) const {
        if (m_model.spec.exists())
            steps(m_model.spec, m_terms, first, last, x);
        else
            chain(m_terms, first, last, 1, x);
    }

    std::size_t length() const {
        const auto unit = m_model.spec.exists() ? static_cast<std::size_t>(m_model.spec.instructionK) : 1;
        return std::max<std::size_t>(1, numerics::chunkLength(m_k, m_model.splits, unit));
    }

    void roundPartial(Sums& x) const {
        if (!m_model.partialsRounded) return;
        for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += m_model.partialUnit * std::abs(x.s[j]);
    }

    void chunksInOrder(Sums& x) const {
        const std::size_t step = length();
        part(0, std::min(step, m_k), x);
        roundPartial(x);
        for (std::size_t first = step; first < m_k; first += step) {
            Sums chunk = zero();
            part(first, std::min(m_k, first + step), chunk);
            roundPartial(chunk);
            merge(x, chunk, m_model.partialUnit);
            if (m_model.partialsRounded) // the fp32 addition before the rounding to the partials' dtype
                for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += kU * std::abs(x.s[j]);
        }
    }

    /// Whatever the order, no partial sum is larger than all chunks together.
    void chunksAsTheyArrive(Sums& x) const {
        const std::size_t step = length();
        double sizes[kWidth];
        for (std::size_t j = 0; j < kWidth; ++j) sizes[j] = std::abs(x.s[j]);
        roundPartial(x);
        double count = 0;
        for (std::size_t first = 0; first < m_k; first += step, ++count) {
            Sums chunk = zero();
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
    void anyOrder(Sums& x) const {
        double sizes[kWidth];
        for (std::size_t j = 0; j < kWidth; ++j) sizes[j] = std::abs(x.s[j]);
        for (std::size_t k = 0; k < m_k; ++k) {
            const double a = m_terms.a[k];
            const double* b = m_terms.b + k * kWidth;
            for (std::size_t j = 0; j < kWidth; ++j) {
                const double p = a * b[j];
                x.s[j] += p;
                sizes[j] += std::abs(p);
            }
        }
        const auto k = static_cast<double>(m_k);
        double each = (k + 1) * kU / (1 - std::min(0.5, (k + 1) * kU));
        if (m_model.spec.exists()) {
            const double n = m_model.spec.n;
            const double unit = m_model.spec.output == numerics::TcOutput::f32Keep13 ? 0x1p-13 : 0x1p-23;
            each = std::ceil(k / n) * ((n + 1) * std::ldexp(1.0, -m_model.spec.alignBits) + unit);
        }
        if (m_model.partialsRounded) each += (static_cast<double>(m_model.splits) + 1) * m_model.partialUnit;
        for (std::size_t j = 0; j < kWidth; ++j) x.e[j] += each * sizes[j];
    }

    const SumModel& m_model;
    const Terms& m_terms;
    std::size_t m_k;
};

} // namespace

SumModel sumModel(const lower::Slots& slots, const numerics::TcSpec& spec, bool integers, Order known) {
    SumModel m;
    m.order = slots.order;
    m.splits = static_cast<std::size_t>(std::max(1, slots.splits));
    m.partialsRounded = slots.partials != DType::f32;
    if (slots.partials == DType::bf16) m.partialUnit = 0x1p-8;
    if (slots.partials == DType::f16) m.partialUnit = 0x1p-11;
    m.spec = spec;
    m.exact = integers;
    m.known = known;
    return m;
}

Status orderedProduct(const SumModel& model, const Product& product, const double* start,
                      std::span<double> value, std::span<double> slack, const Progress& progress) {
    const std::size_t m = product.m, k = product.k, n = product.n;
    tbb::parallel_for(std::size_t{0}, (n + kWidth - 1) / kWidth, [&](std::size_t number) {
        if (progress.cancelled()) return;
        const std::size_t first = number * kWidth, width = std::min(kWidth, n - first);
        std::vector<double> panel(k * kWidth); // columns beyond the product's stay zero
        for (std::size_t i = 0; i < k; ++i) std::copy_n(&product.b[i * n + first], width, &panel[i * kWidth]);
        for (std::size_t row = 0; row < m; ++row) {
            const std::size_t at = row * n + first;
            Sums x = zero();
            for (std::size_t j = 0; start && j < width; ++j) x.s[j] = start[at + j];
            Panel(model, {product.a.data() + row * k, panel.data()}, k).sum(x);
            for (std::size_t j = 0; j < width; ++j) {
                value[at + j] = x.s[j];
                slack[at + j] =
                    model.exact ? 0.0 : kFirstOrder * x.e[j] + static_cast<double>(k) * kUnderflow;
            }
        }
    });
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
    return Done{};
}

} // namespace divdet::local
