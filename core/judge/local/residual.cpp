#include "judge/local/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "block/ops/support.h"
#include "tensor/convert.h"

namespace divdet::local {
namespace {

/// Fraction bits, smallest and largest exponent of normal numbers.
struct Format {
    int fraction, lowest, highest;
};
Format formatOf(DType dtype) {
    switch (dtype) {
    case DType::bf16:
        return {7, -126, 127};
    case DType::f16:
        return {10, -14, 15};
    case DType::f64:
        return {52, -1022, 1023};
    default:
        return {23, -126, 127};
    }
}

Result<Tensor> asStored(const lower::LoweredGraph& g, block::ValueIndex i, const Tensor& given) {
    if (given.dtype() == g.storage[i]) return given;
    return converted(given, g.storage[i]);
}

OpResidual scored(const std::string& name, const Tensor& stored, DType declared, const Allowed& allowed) {
    OpResidual r;
    r.op = name;
    const auto c = block::ops::doubles(stored);
    r.elements = static_cast<std::int64_t>(c.size());
    double squares = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double s = score(c[i], declared, allowed.exact[i], allowed.bound[i]);
        squares += s * s;
        if (s > 1 && r.beyond++ == 0) r.firstBeyond = static_cast<std::int64_t>(i);
        if (!(s > r.largest || r.worst < 0)) continue;
        r.largest = s;
        r.worst = static_cast<std::int64_t>(i);
        r.exactAtWorst = allowed.exact[i], r.storedAtWorst = c[i], r.boundAtWorst = allowed.bound[i];
    }
    r.rms = c.empty() ? 0 : std::sqrt(squares / static_cast<double>(c.size()));
    return r;
}

} // namespace

Preimage preimage(double stored, DType dtype) {
    const Format f = formatOf(dtype);
    if (dtype == DType::f64) return {stored, stored};
    const double largest = std::ldexp(2 - std::ldexp(1.0, -f.fraction), f.highest);
    const bool infinite = std::isinf(stored);
    const double a = infinite ? largest : std::abs(stored);
    int exponent = f.lowest;
    if (a > 0) exponent = std::max(f.lowest, std::ilogb(a));
    const double ulp = std::ldexp(1.0, exponent - f.fraction);
    const bool powerOfTwo = a == std::ldexp(1.0, exponent) && exponent > f.lowest;
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

Result<std::vector<OpResidual>> localResiduals(const lower::LoweredGraph& declared,
                                               const std::vector<Tensor>& inputs, const run::Taps& candidate,
                                               numerics::Arch arch, Order order, const Progress& progress) {
    const block::Graph& graph = declared.block.graph;
    std::vector<OpResidual> out;
    for (std::size_t at = 0; at < declared.ops.size(); ++at) {
        const lower::LoweredOp& op = declared.ops[at];
        progress(at, declared.ops.size(), op.name);
        const std::string& name = graph.values[op.output].name;
        OpResidual missing;
        missing.op = name;
        std::vector<Tensor> read;
        for (const block::ValueIndex in : op.inputs) {
            const block::Value& value = graph.values[in];
            const run::Tap* tap = value.role == block::Role::weight ? nullptr : candidate.find(value.name);
            if (value.role == block::Role::intermediate && !tap) {
                missing.unjudged = value.name + " was not recorded";
                break;
            }
            auto stored = asStored(declared, in, tap ? tap->tensor : inputs[in]);
            if (!stored) return stored.error();
            read.push_back(std::move(*stored));
        }
        const run::Tap* output = candidate.find(name);
        if (missing.unjudged.empty() && !output) missing.unjudged = "it was not recorded";
        if (!missing.unjudged.empty()) {
            out.push_back(std::move(missing));
            continue;
        }
        const auto allowed = allowedBy(op, read, arch, order, progress);
        if (!allowed && allowed.error().code == ErrorCode::cancelled) return allowed.error();
        if (!allowed || allowed->exact.size() != static_cast<std::size_t>(output->tensor.elements())) {
            missing.unjudged = allowed ? "its shape is another one" : allowed.error().message;
            out.push_back(std::move(missing));
            continue;
        }
        // By the declared dtype: values on a coarser grid are another arithmetic, not a wider interval.
        out.push_back(scored(name, output->tensor, op.slots.storage, *allowed));
    }
    return out;
}

} // namespace divdet::local
