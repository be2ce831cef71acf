#include "compare/rules/polygraphy_statistics.h"

#include <cmath>
#include <limits>

#include "compare/rules/order_statistic.h"
#include "compare/rules/pairwise_mean.h"
#include "compare/rules/polygraphy_block.h"
#include "compare/rules/precision.h"
#include "compare/rules/stream_blocks.h"

namespace divdet::rules {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One of the two sequences of differences, and how numpy holds it.
struct Sequence {
    const TensorView &reference, &candidate;
    bool infinitiesEqual;
    bool relative;
    PolyType type;

    void load(std::int64_t first, int count, PolyBlock& block) const {
        loadPolyBlock(reference, candidate, infinitiesEqual, first, count, block);
    }
    const std::array<double, PolyBlock::kSize>& values(const PolyBlock& b) const {
        return relative ? b.rel : b.abs;
    }
    std::uint64_t key(const PolyBlock& b, std::size_t i) const {
        return relative ? orderKey(b.rel[i]) : b.absKey[i];
    }
    double value(std::uint64_t key) const {
        if (type == PolyType::u64) return static_cast<double>(key);
        if (type == PolyType::f32 || type == PolyType::f64) return valueOfKey(key);
        return static_cast<double>(static_cast<std::int64_t>(key ^ std::uint64_t{1} << 63));
    }
};

struct Largest {
    bool any = false, nan = false;
    std::uint64_t key = 0;
};

Result<Largest> largest(const Sequence& s, const Progress& progress) {
    Largest whole;
    auto status = streamBlocks<Largest, PolyBlock>(
        s.reference.elements(), progress, whole,
        [&](std::int64_t first, int count, Largest& part, PolyBlock& block) {
            s.load(first, count, block);
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                if (std::isnan(s.values(block)[i]))
                    part.nan = true;
                else
                    part.key = std::max(part.key, s.key(block, i));
            }
            part.any = true;
        },
        [](const Largest& part, Largest& into) {
            into.any = into.any || part.any;
            into.nan = into.nan || part.nan;
            into.key = std::max(into.key, part.key);
        });
    if (!status) return status.error();
    return whole;
}

Result<double> mean(const Sequence& s, const Progress& progress) {
    auto m = pairwiseMean(
        s.reference.elements(), s.type != PolyType::f32,
        [&s](std::int64_t first, int count, float* out) {
            auto block = std::make_unique<PolyBlock>();
            s.load(first, count, *block);
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                // An integer of 64 bits goes to float in one step.
                if (s.type == PolyType::u64)
                    out[i] = static_cast<float>(block->absKey[i]);
                else if (s.type == PolyType::i64)
                    out[i] = static_cast<float>(
                        static_cast<std::int64_t>(block->absKey[i] ^ std::uint64_t{1} << 63));
                else
                    out[i] = static_cast<float>(s.values(*block)[i]);
            }
        },
        progress);
    if (!m) return m.error();
    return static_cast<double>(*m);
}

Result<std::array<std::uint64_t, 2>> ranked(const Sequence& s, std::int64_t rank, const Progress& progress) {
    return orderStatistics(
        s.reference.elements(),
        [&s](std::int64_t first, int count, std::uint64_t* out) {
            auto block = std::make_unique<PolyBlock>();
            s.load(first, count, *block);
            for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) out[i] = s.key(*block, i);
        },
        rank, progress);
}

/// numpy.median: the mean of the two in the middle, in float32 for float32 and in double otherwise.
Result<double> median(const Sequence& s, const Progress& progress) {
    const std::int64_t n = s.reference.elements();
    auto keys = ranked(s, (n - 1) / 2, progress);
    if (!keys) return keys.error();
    const double a = s.value((*keys)[0]);
    if (n % 2) return a;
    const double b = s.value((*keys)[1]);
    if (s.type == PolyType::f32)
        return static_cast<double>((static_cast<float>(a) + static_cast<float>(b)) / 2.0f);
    return (a + b) / 2.0;
}

/// numpy's interpolation between neighbours: the weight is in double, the arithmetic in the array's type.
template <Precision P>
double interpolated(double a, double b, double difference, double t) {
    if (t >= 0.5) return rounded<P>(b - rounded<P>(difference * rounded<P>(1 - t)));
    return rounded<P>(a + rounded<P>(difference * rounded<P>(t)));
}

/// numpy.quantile, method linear.
Result<double> quantile(const Sequence& s, double q, const Progress& progress) {
    const std::int64_t n = s.reference.elements();
    const double at = static_cast<double>(n - 1) * q;
    const double floor = std::min(std::floor(at), static_cast<double>(n - 1));
    const double t = at - floor;
    auto keys = ranked(s, static_cast<std::int64_t>(floor), progress);
    if (!keys) return keys.error();
    const double a = s.value((*keys)[0]), b = s.value((*keys)[1]);
    if (s.type == PolyType::f32) return interpolated<Precision::f32>(a, b, rounded<Precision::f32>(b - a), t);
    // Keys of integers differ by what the integers do.
    const bool wide = s.type == PolyType::u64 || s.type == PolyType::i64;
    const double difference = wide ? static_cast<double>((*keys)[1] - (*keys)[0]) : b - a;
    return interpolated<Precision::f64>(a, b, difference, t);
}

Result<double> statistic(const Sequence& s, const Tolerance& t, const Progress& progress) {
    const bool empty = s.reference.elements() == 0;
    if (t.rule == Rule::polygraphyMean) return mean(s, progress);
    if (empty) return t.rule == Rule::polygraphyQuantile ? std::numeric_limits<double>::infinity() : 0.0;
    auto top = largest(s, progress);
    if (!top) return top.error();
    if (top->nan) return kNan;
    if (t.rule == Rule::polygraphyMax) return s.value(top->key);
    if (t.rule == Rule::polygraphyMedian) return median(s, progress);
    return quantile(s, t.options.errorQuantile, progress);
}

std::string_view nameOf(Rule rule) {
    switch (rule) {
    case Rule::polygraphyMax:
        return "max";
    case Rule::polygraphyMean:
        return "mean";
    case Rule::polygraphyMedian:
        return "median";
    default:
        return "quantile";
    }
}

} // namespace

Result<PolyDifferences> polygraphyDifferences(const TensorView& reference, const TensorView& candidate,
                                              const Tolerance& tolerance, const Progress& progress) {
    const bool infinite = tolerance.options.infinitiesEqual;
    const Sequence absolute{reference, candidate, infinite, false,
                            absType(reference.dtype, candidate.dtype, infinite)};
    const Sequence relative{reference, candidate, infinite, true,
                            relType(reference.dtype, candidate.dtype, infinite)};
    auto a = statistic(absolute, tolerance, progress);
    if (!a) return a.error();
    auto r = statistic(relative, tolerance, progress);
    if (!r) return r.error();
    return PolyDifferences{nameOf(tolerance.rule), *a, *r};
}

} // namespace divdet::rules
