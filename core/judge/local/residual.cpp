#include "judge/local/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/ops/support.h"
#include "judge/local/allowed_at.h"
#include "tensor/convert.h"
#include "tensor/float_format.h"

namespace divdet::local {
namespace {

constexpr double kLost = 0.01; ///< of the tap's rms: an error that no rounding of a useful result makes

void addScores(OpResidual& r, const Tensor& stored, const lower::Slots& slots, const Allowed& allowed) {
    const DType declared = slots.storage;
    const bool subtracts = slots.formula == lower::Formula::onePassVariance;
    const auto c = block::ops::doubles(stored);
    double squares = 0, size = 0, furthest = 0;
    for (std::size_t i = 0; i < c.size(); ++i)
        if (std::isfinite(allowed.exact[i])) size += allowed.exact[i] * allowed.exact[i];
    const double lost = kLost * std::sqrt(size / std::max<double>(1, static_cast<double>(c.size())));
    r.score.elements = static_cast<std::int64_t>(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double s = score(c[i], declared, allowed.exact[i], allowed.bound[i]);
        squares += s * s;
        if (s > 1 && r.score.beyond++ == 0) r.firstBeyond = static_cast<std::int64_t>(i);
        if (subtracts && s <= 1 && allowed.bound[i] > lost && std::abs(c[i] - allowed.exact[i]) > lost)
            ++r.unpromised;
        r.score.largest = std::max(r.score.largest, s);
        // The place to show: where the number itself is furthest off, not where the bound is least.
        const double off = std::isfinite(c[i]) ? std::abs(c[i] - allowed.exact[i]) : INFINITY;
        if (s <= 1 || !(off > furthest || r.worst < 0)) continue;
        furthest = off;
        r.worst = static_cast<std::int64_t>(i);
        r.exactAtWorst = allowed.exact[i], r.storedAtWorst = c[i], r.boundAtWorst = allowed.bound[i];
    }
    r.score.rms = c.empty() ? 0 : std::sqrt(squares / static_cast<double>(c.size()));
}

/// Values that nobody recorded leave so much open that hardly any result would be wrong.
bool tellsNothing(const Allowed& allowed) {
    double values = 0, bounds = 0;
    for (std::size_t i = 0; i < allowed.exact.size(); ++i) {
        if (!std::isfinite(allowed.exact[i])) continue;
        values += allowed.exact[i] * allowed.exact[i];
        bounds += allowed.bound[i] * allowed.bound[i];
    }
    return !(std::sqrt(bounds) <= kTellsNothing * std::sqrt(values));
}

} // namespace

Result<Tensor> storedAs(const lower::LoweredGraph& g, block::ValueIndex i, const Tensor& given) {
    if (given.dtype() == g.storage[i]) return given;
    return converted(given, g.storage[i]);
}

Preimage preimage(double stored, DType dtype) {
    const FloatFormat f = floatFormat(dtype);
    if (dtype == DType::f64) return {stored, stored};
    const double largest = (2 - 2 * f.unitRoundoff()) * FloatFormat::powerOfTwo(f.highest);
    const bool infinite = std::isinf(stored);
    const double a = infinite ? largest : std::abs(stored);
    const double ulp = f.ulp(a), power = ulp * FloatFormat::powerOfTwo(f.fraction);
    const bool powerOfTwo = a == power && power > FloatFormat::powerOfTwo(f.lowest);
    const double low = infinite ? largest + ulp / 2 : a - (powerOfTwo ? ulp / 4 : ulp / 2);
    const double high = infinite ? std::numeric_limits<double>::infinity() : a + ulp / 2;
    if (std::signbit(stored)) return {-high, -low};
    return {low, high};
}

double score(double stored, DType dtype, double exact, double bound) {
    if (std::isnan(stored) || std::isnan(exact))
        return std::isnan(stored) && std::isnan(exact) ? 0 : INFINITY;
    if (std::isinf(exact)) return stored == exact ? 0 : INFINITY;
    const Preimage p = preimage(stored, dtype);
    const double distance = std::max({p.low - exact, exact - p.high, 0.0});
    if (distance == 0) return 0;
    return distance / std::max(bound, 1e-300);
}

Result<std::vector<Tensor>> inputsRead(const RecordedRun& run, std::size_t op) {
    const lower::LoweredGraph& g = run.declared;
    std::vector<Tensor> read;
    for (const block::ValueIndex in : g.ops[op].inputs) {
        const block::Value& value = g.block.graph.values[in];
        const run::Tap* tap = value.role == block::Role::weight ? nullptr : run.candidate.find(value.name);
        if (value.role == block::Role::intermediate && !tap)
            return Error{ErrorCode::notFound, value.name + " was not recorded", value.name, ""};
        if (!tap && !isThere(run.inputs[in]))
            return Error{ErrorCode::notFound, value.name + " is not there", value.name, ""};
        auto stored = storedAs(g, in, tap ? tap->tensor : run.inputs[in]);
        if (!stored) return stored.error();
        read.push_back(std::move(*stored));
    }
    return read;
}

Result<OpResidual> residual(const RecordedRun& run, std::size_t at, const Progress& progress) {
    const lower::LoweredOp& op = run.declared.ops[at];
    OpResidual r;
    r.op = run.declared.block.graph.values[op.output].name;
    const run::Tap* output = run.candidate.find(r.op);
    if (!output) {
        r.unjudged = "it was not recorded";
        return r;
    }
    const auto found = allowedAt(run, at, progress);
    if (!found && found.error().code == ErrorCode::cancelled) return found.error();
    if (!found) {
        r.unjudged = found.error().message;
        return r;
    }
    const Allowed& allowed = found->allowed;
    r.together = found->together;
    if (allowed.exact.size() != static_cast<std::size_t>(output->tensor.elements()))
        r.unjudged = "its shape is another one";
    else if (!r.together.empty() && tellsNothing(allowed))
        r.unjudged =
            fmt::format("too little before it was recorded: {} leave it open", fmt::join(r.together, ", "));
    else // by the declared dtype: values on a coarser grid are another arithmetic, not a wider interval
        addScores(r, output->tensor, op.slots, allowed);
    return r;
}

Result<std::vector<OpResidual>> localResiduals(const RecordedRun& run, const Progress& progress) {
    std::vector<OpResidual> out;
    for (std::size_t at = 0; at < run.declared.ops.size(); ++at) {
        progress(at, run.declared.ops.size(), run.declared.ops[at].name);
        auto r = residual(run, at, progress);
        if (!r) return r.error();
        out.push_back(std::move(*r));
    }
    return out;
}

} // namespace divdet::local
