#include "judge/local/carried.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "block/ops/support.h"
#include "judge/local/pointwise_bound.h"
#include "tensor/float_format.h"

namespace divdet::local {
namespace {

using block::OpKind;
using block::ops::doubles;
using block::ops::rowWidth;
using block::ops::tensorOfDoubles;
using Numbers = std::vector<double>;

constexpr double kSpare = 1.05; ///< roundings of what is uncertain, products of small terms

Error unsure(const lower::LoweredOp& op, std::string_view why) {
    return {ErrorCode::unsupported, fmt::format("{} reads what was not recorded, and {}", op.name, why),
            op.name, "record what it reads as a tap"};
}

Numbers boundOf(const Operand& x) {
    return x.certain() ? Numbers(static_cast<std::size_t>(x.value.elements())) : x.bound;
}

/// |a| + its bound: the largest that the operand can be.
Numbers sizes(const Operand& x) {
    auto v = doubles(x.value);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::abs(v[i]) + (x.certain() ? 0 : x.bound[i]);
    return v;
}

Operand uncertainTo(const Operand& x, double unit) {
    Operand out = x;
    if (x.certain() || unit == 0) return out;
    const auto size = sizes(x);
    for (std::size_t i = 0; i < out.bound.size(); ++i) out.bound[i] += 2 * unit * size[i];
    return out;
}

double operandUnit(lower::Operand operand) {
    switch (operand) {
    case lower::Operand::tf32:
    case lower::Operand::fp16:
        return 0x1p-11;
    case lower::Operand::bf16:
        return 0x1p-8;
    default:
        return 0;
    }
}

/// |a|·Eb + Ea·(|b| + Eb), with Ea and Eb what the operands may be off.
Result<Numbers> productMoves(const lower::LoweredOp& op, std::span<const Operand> in,
                             const Progress& progress) {
    const auto operand = op.slots.operand;
    if (operand == lower::Operand::int8 || operand == lower::Operand::int4 || operand == lower::Operand::fp8)
        return unsure(op, "it is quantised here");
    const Operand a = uncertainTo(in[0], operandUnit(operand)), b = uncertainTo(in[1], operandUnit(operand));
    const auto& def = block::opDef(op.kind);
    Numbers out;
    const auto add = [&](const Numbers& x, const Numbers& y) -> Status {
        const std::vector<Tensor> both{tensorOfDoubles(a.value.shape(), x),
                                       tensorOfDoubles(b.value.shape(), y)};
        const auto moved = def.reference64(both, op.attributes, progress);
        if (!moved) return moved.error();
        const auto v = doubles(*moved);
        if (out.empty()) out.assign(v.size(), 0);
        for (std::size_t i = 0; i < v.size(); ++i) out[i] += v[i];
        return Done{};
    };
    auto sizeOfA = doubles(a.value);
    for (double& x : sizeOfA) x = std::abs(x);
    if (!b.certain())
        if (auto s = add(sizeOfA, b.bound); !s) return s.error();
    if (!a.certain())
        if (auto s = add(a.bound, sizes(b)); !s) return s.error();
    return out;
}

/// exp(s_i + d_i) over its sum: both parts of the quotient move by what the scores may.
Numbers softmaxMoves(const Operand& in) {
    const auto s = doubles(in.value);
    const std::size_t n = rowWidth(in.value.shape());
    Numbers out(s.size());
    for (std::size_t row = 0; n && row + n <= s.size(); row += n) {
        double highest = -INFINITY, sum = 0, moved = 0;
        for (std::size_t i = 0; i < n; ++i) highest = std::max(highest, s[row + i]);
        if (!std::isfinite(highest)) continue;
        for (std::size_t i = 0; i < n; ++i) {
            const double p = std::exp(s[row + i] - highest);
            sum += p;
            if (p > 0) moved += p * std::exp(in.bound[row + i]);
        }
        const double ofSum = std::log(moved / sum);
        for (std::size_t i = 0; i < n; ++i) {
            const double p = std::exp(s[row + i] - highest) / sum;
            if (p > 0) out[row + i] = p * std::expm1(in.bound[row + i] + ofSum);
        }
    }
    return out;
}

/// x·g / root: the root of the mean square moves by at most the rms of what x may be off; a mean, which is
/// taken away first, by at most the mean of it.
Numbers normMoves(const lower::LoweredOp& op, std::span<const Operand> in) {
    const auto x = doubles(in[0].value), gain = doubles(in[1].value);
    const Numbers& e = in[0].bound;
    const std::size_t n = gain.size();
    const double eps = block::numberOr(op.attributes, "eps", 0);
    const bool centred = op.kind == OpKind::layernorm;
    Numbers out(x.size());
    for (std::size_t row = 0; n && row + n <= x.size(); row += n) {
        double mean = 0, off = 0, squares = 0, offSquares = 0;
        const auto count = static_cast<double>(n);
        for (std::size_t i = 0; centred && i < n; ++i) mean += x[row + i] / count, off += e[row + i] / count;
        for (std::size_t i = 0; i < n; ++i) {
            squares += (x[row + i] - mean) * (x[row + i] - mean) / count;
            offSquares += (e[row + i] + off) * (e[row + i] + off) / count;
        }
        const double root = std::sqrt(squares + eps), moves = std::sqrt(offSquares);
        const double least = root - moves;
        for (std::size_t i = 0; i < n; ++i) {
            const double y = std::abs((x[row + i] - mean) / root * gain[i]);
            out[row + i] =
                least > 0 ? (std::abs(gain[i]) * (e[row + i] + off) + y * moves) / least : INFINITY;
        }
    }
    return out;
}

/// Ops whose result is linear in their last operand with factors 0 and 1: its bound goes the same way.
Result<Numbers> sameWay(const lower::LoweredOp& op, std::span<const Operand> in, const Progress& progress) {
    const auto& def = block::opDef(op.kind);
    std::vector<Tensor> bounds;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const bool index = static_cast<int>(i) == def.traits.indexInput;
        if (index && !in[i].certain()) return unsure(op, "it holds row numbers");
        bounds.push_back(index ? in[i].value : tensorOfDoubles(in[i].value.shape(), boundOf(in[i])));
    }
    const auto out = def.reference64(bounds, op.attributes, progress);
    if (!out) return out.error();
    return doubles(*out);
}

Result<Allowed> pointwise(const lower::LoweredOp& op, std::span<const Operand> in) {
    Allowed out{doubles(in[0].value), boundOf(in[0])};
    Numbers operand, extra;
    if (in.size() > 1) operand = doubles(in[1].value);
    if (in.size() > 1 && !in[1].certain()) {
        const Numbers& e = in[1].bound;
        extra.resize(out.exact.size());
        for (std::size_t i = 0; i < extra.size(); ++i)
            extra[i] = e[i % e.size()] * (op.kind == OpKind::mul ? std::abs(out.exact[i]) + out.bound[i] : 1);
    }
    const bool rounds = op.slots.storage != DType::f32;
    if (!pointwiseBound(op.kind, op.attributes, op.slots, in[0].value.shape(), operand, rounds, out.exact,
                        out.bound))
        return Error{ErrorCode::unsupported, fmt::format("there is no bound for {}", block::name(op.kind)),
                     op.name, ""};
    for (std::size_t i = 0; i < extra.size(); ++i) out.bound[i] += kSpare * extra[i];
    if (op.slots.subnormals == lower::Subnormals::flushed)
        for (double& b : out.bound) b += op.slots.storage == DType::f16 ? 0x1p-14 : 0x1p-126;
    return out;
}

Result<Numbers> movesOf(const lower::LoweredOp& op, std::span<const Operand> in, const Progress& progress) {
    for (std::size_t i = 1; i < in.size(); ++i)
        if ((op.kind == OpKind::rmsnorm || op.kind == OpKind::layernorm) && !in[i].certain())
            return unsure(op, "it is a gain or a bias");
    switch (op.kind) {
    case OpKind::matmul:
    case OpKind::conv2d: {
        auto out = productMoves(op, in, progress);
        if (out && out->empty()) // only a bias is uncertain
            return unsure(op, "it is a bias");
        if (out && in.size() == 3 && !in[2].certain()) return unsure(op, "it is a bias");
        return out;
    }
    case OpKind::softmax:
        return softmaxMoves(in[0]);
    case OpKind::rmsnorm:
    case OpKind::layernorm:
        return normMoves(op, in);
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::embedding:
    case OpKind::reduce_sum:
    case OpKind::scatter_add:
        return sameWay(op, in, progress);
    default:
        return unsure(op, "nothing is known of how its result moves");
    }
}

} // namespace

void roundOnTheWay(DType storage, Allowed& x) {
    const FloatFormat format = floatFormat(storage);
    const double unit = format.unitRoundoff(), smallest = format.ulp(0) / 2;
    for (std::size_t i = 0; i < x.exact.size(); ++i)
        if (std::isfinite(x.exact[i])) x.bound[i] += unit * (std::abs(x.exact[i]) + x.bound[i]) + smallest;
}

bool movesOnly(block::OpKind kind) {
    switch (kind) {
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::embedding:
    case OpKind::causal_mask:
    case OpKind::relu:
        return true;
    default:
        return false;
    }
}

Result<Allowed> allowedFrom(const lower::LoweredOp& declared, std::span<const Operand> operands,
                            numerics::Arch arch, Order order, const Progress& progress) {
    std::vector<Tensor> values;
    bool certain = true;
    for (const Operand& x : operands) {
        values.push_back(x.value);
        certain = certain && x.certain();
    }
    if (certain) return allowedBy(declared, values, arch, order, progress);
    if (!declared.fused.empty() || declared.slots.fused) return unsure(declared, "its kernel is a fused one");
    if (block::opDef(declared.kind).traits.pointwise) return pointwise(declared, operands);
    auto out = allowedBy(declared, values, arch, order, progress);
    if (!out) return out;
    const auto moves = movesOf(declared, operands, progress);
    if (!moves) return moves.error();
    for (std::size_t i = 0; i < out->bound.size(); ++i) {
        out->bound[i] += kSpare * (*moves)[i];
        if (std::isnan(out->bound[i])) out->bound[i] = INFINITY;
    }
    return out;
}

} // namespace divdet::local
