#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "judge/findings.h"
#include "judge/noise.h"
#include "tensor/convert.h"

namespace divdet::findings {
namespace {

constexpr std::int64_t kFewestFilled = 4;
/// 32-bit patterns that allocators and debuggers fill memory with, and the float that each is.
constexpr std::array<std::uint32_t, 9> kPatterns{0xCDCDCDCD, 0xDEADBEEF, 0xBAADF00D, 0xFEEEFEEE, 0xABABABAB,
                                                 0xA5A5A5A5, 0xAAAAAAAA, 0x55555555, 0x7F7F7F7F};

/// The smallest box that holds a set of elements.
class Box {
public:
    explicit Box(const Shape& shape)
        : m_shape(shape)
        , m_low(shape)
        , m_high(shape.size(), -1) {}
    void add(std::int64_t flat) {
        const Index at = unravel(flat, m_shape);
        for (std::size_t a = 0; a < at.size(); ++a) {
            m_low[a] = std::min(m_low[a], at[a]);
            m_high[a] = std::max(m_high[a], at[a]);
        }
        ++m_count;
    }
    std::int64_t count() const { return m_count; }
    std::int64_t volume() const {
        std::int64_t out = 1;
        for (std::size_t a = 0; a < m_low.size(); ++a) out *= m_high[a] - m_low[a] + 1;
        return out;
    }
    std::string text(const JudgeContext& context) const {
        std::string out;
        for (std::size_t a = 0; a < m_low.size(); ++a)
            if (m_low[a] > 0 || m_high[a] + 1 < m_shape[a])
                out += fmt::format("{}{} from {} to {}", out.empty() ? "" : ", ",
                                   context.axisName(a, m_shape.size()), m_low[a], m_high[a]);
        return out.empty() ? "the whole tensor" : out;
    }
    const Index& low() const { return m_low; }
    const Index& high() const { return m_high; }

private:
    Shape m_shape;
    Index m_low, m_high;
    std::int64_t m_count = 0;
};

Finding found(const PairEvidence& pair, const Box& box, const std::string& how) {
    return {"unwritten",
            FindingClass::bug,
            fmt::format("{} element{} ({}) {}.", box.count(), box.count() == 1 ? "" : "s",
                        box.text(pair.context), how),
            {{"count", box.count()}, {"first", box.low()}, {"last", box.high()}}};
}

/// Elements that the poison or a known fill pattern survived in.
std::optional<Finding> filled(const PairEvidence& pair) {
    std::vector<double> values;
    if (pair.context.op.poison) values.push_back(*pair.context.op.poison);
    const bool poisoned = !values.empty();
    if (pair.candidate.dtype == DType::f32)
        for (const std::uint32_t p : kPatterns)
            values.push_back(static_cast<double>(std::bit_cast<float>(p)));
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (const double value : values) {
        const bool isPoison = poisoned && same(value, values.front());
        // The summary knows whether there can be any.
        if (std::isnan(value) && pair.summary.nan.candidate == pair.summary.nan.both) continue;
        Box box(pair.reference.shape);
        if (std::isnan(value) || isPoison) {
            eachRun(pair, [&](std::int64_t first, auto r, auto c) {
                for (std::size_t i = 0; i < r.size(); ++i)
                    if (same(c[i], value) && !same(r[i], value))
                        box.add(first + static_cast<std::int64_t>(i));
                return true;
            });
        } else {
            const PairSample& s = pair.sample();
            for (std::size_t i = 0; i < s.c.size(); ++i)
                if (s.c[i] == value && s.r[i] != value) box.add(s.index[i]);
        }
        if (box.count() < (isPoison ? 1 : kFewestFilled)) continue;
        return found(pair, box,
                     isPoison ? "still hold what the buffer was filled with: nobody wrote them"
                              : fmt::format("hold {:g}, a pattern that fresh memory is filled with", value));
    }
    return {};
}

/// Elements that change from run to run by far more than rounding, while the others do not.
std::optional<Finding> unsteady(const PairEvidence& pair) {
    if (pair.context.runs.empty()) return {};
    const double typical = pair.summary.rmsReference;
    const NoiseModel noise = noiseModel(pair);
    const double much = std::max(noise.bad, 0.01) * typical,
                 little = std::max(4 * noise.working, 1e-6) * typical;
    const std::int64_t total = pair.reference.elements();
    Box box(pair.reference.shape);
    std::int64_t between = 0, steady = 0;
    constexpr std::int64_t kBlock = 4096;
    std::vector<double> low(kBlock), high(kBlock), run(kBlock), keep(kBlock);
    for (std::int64_t first = 0; first < total && !pair.progress.cancelled(); first += kBlock) {
        const auto n = static_cast<std::size_t>(std::min(kBlock, total - first));
        loadAsDouble(pair.candidate, first, {low.data(), n});
        high = low;
        if (pair.mask) loadAsDouble(*pair.mask, first, {keep.data(), n});
        for (const Tensor& t : pair.context.runs) {
            loadAsDouble(t.view(), first, {run.data(), n});
            for (std::size_t i = 0; i < n; ++i) {
                // A NaN in one run only is as far off as can be.
                if (std::isnan(run[i]) != std::isnan(low[i])) high[i] = INFINITY;
                low[i] = std::min(low[i], run[i]);
                high[i] = std::max(high[i], run[i]);
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (pair.mask && keep[i] == 0) continue;
            const double spread = high[i] - low[i];
            if (spread > much)
                box.add(first + static_cast<std::int64_t>(i));
            else
                ++(spread > little ? between : steady);
        }
    }
    if (box.count() == 0 || steady == 0 || between * 4 > box.count()) return {};
    // Scattered elements are no region that was left out: random-mismatch looks at those.
    if (box.count() * 2 < box.volume()) return {};
    return found(
        pair, box,
        fmt::format("differ in each of {} runs by up to more than the data's size, and {} others do not: "
                    "they hold whatever memory held",
                    pair.context.runs.size(), steady));
}

/// Whole slices of exact zeros where the reference has values of the usual size.
std::optional<Finding> leftZero(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    if (!realFloating(pair) || s.zero.candidate <= s.zero.reference || constantOutput(pair)) return {};
    const PairSample& sample = pair.sample();
    const NoiseModel noise = noiseModel(pair);
    const double size = typicalSize(sample);
    for (std::size_t axis = 0; axis < sample.axes.size(); ++axis) {
        std::int64_t zero = 0, first = -1, last = -1, others = 0;
        for (std::size_t i = 0; i < sample.axes[axis].size(); ++i) {
            const SliceSums& slice = sample.axes[axis][i];
            if (slice.n >= 4 && slice.c2 == 0 &&
                slice.rmsReference() > std::max(8 * noise.honest, 0.05) * size) {
                ++zero;
                if (first < 0) first = static_cast<std::int64_t>(i);
                last = static_cast<std::int64_t>(i);
            } else {
                others += slice.rmsError() > noise.bad * size;
            }
        }
        if (zero == 0 || others > 0 || zero == static_cast<std::int64_t>(sample.axes[axis].size())) continue;
        return Finding{
            "unwritten",
            FindingClass::unclear,
            fmt::format("Along {} {} slice{} (from {} to {}) {} zero throughout, where the reference has "
                        "values of the usual size, and the rest agrees: left unwritten, or masked.",
                        pair.context.axisName(axis, sample.axes.size()), zero, zero == 1 ? "" : "s", first,
                        last, zero == 1 ? "is" : "are"),
            {{"axis", static_cast<std::int64_t>(axis)}, {"slices", zero}, {"first", first}, {"last", last}}};
    }
    return {};
}

} // namespace

/// Memory that nobody wrote: a fill pattern, values that change from run to run, or slices left at zero.
std::optional<Finding> unwritten(const PairEvidence& pair) {
    const auto plain = [](DType t) { return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque; };
    if (!plain(pair.reference.dtype) || !plain(pair.candidate.dtype)) return {};
    if (auto f = unsteady(pair)) return f;
    if (quiet(pair)) return {};
    if (auto f = filled(pair)) return f;
    return leftZero(pair);
}

} // namespace divdet::findings
