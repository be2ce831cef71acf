#include <optional>

#include <fmt/format.h>

#include "numerics/reduction.h"
#include "session/repro/numpy_ops.h"

namespace divdet::numpy {
namespace {

using block::OpKind;
using lower::Slot;
using lower::Slots;

/// Slots that are as written but for these, which one expression below covers.
bool onlyThese(Slots slots, std::initializer_list<Slot> covered) {
    for (const Slot s : covered) reset(slots, s);
    return slots == Slots{};
}

Error noWords(const lower::LoweredOp& op, const std::string& what) {
    return {ErrorCode::unsupported, fmt::format("repro.py has no words for {}", what), op.name,
            "run the repro with divdet repro"};
}

/// A sum along rows is a product with ones, a scatter-add one with zeros and ones.
struct Product {
    std::string a, b, behind;
    std::int64_t k;
};

Product productOf(const lower::LoweredOp& op, const Operands& in) {
    const std::int64_t k = in.shapes[0].back();
    if (op.kind == OpKind::reduce_sum)
        return {in.names[0] + "[..., None, :]", fmt::format("np.ones(({}, 1))", k), "[..., 0, 0]", k};
    if (op.kind == OpKind::scatter_add) return {numpy::oneHot(in, op.attributes), in.names[1], "", k};
    return {in.names[0], in.names[1], "", k};
}

Expression called(const Product& p, const std::string& function, const std::string& more,
                  std::set<std::string> helpers = {}) {
    helpers.insert(function);
    return {fmt::format("{}({}, {}{}){}", function, p.a, p.b, more, p.behind), std::move(helpers)};
}

Result<Expression> int8(const lower::LoweredOp& op, const Product& p) {
    const Slots& s = op.slots;
    std::string more;
    if (s.granularity == lower::Granularity::perTensor) more += ", one_scale=True";
    switch (s.scales) {
    case lower::Scales::calibrated:
        break;
    case lower::Scales::clippedWeight:
        more += fmt::format(", clip_column={}, clip={}", s.scaleChannel, s.clip);
        break;
    case lower::Scales::clippedActivation:
        more += fmt::format(", clip_row={}, clip={}", s.scaleChannel, s.clip);
        break;
    case lower::Scales::neighbour:
        more += fmt::format(", wrong_column={}", s.scaleChannel);
        break;
    }
    return called(p, "int8_matmul", more, {"codes"});
}

/// Operands rounded before they are multiplied; the products are added in double precision.
std::optional<Expression> rounded(const Product& p, const Slots& s) {
    const auto both = [&](const char* to, const std::string& more) {
        return Expression{fmt::format("({0}({1}{3}).astype(float) @ {0}({2}{3}).astype(float)){4}", to, p.a,
                                      p.b, more, p.behind),
                          {to}};
    };
    switch (s.operand) {
    case lower::Operand::bf16:
        return both("bf16", "");
    case lower::Operand::fp16:
        return both("fp16", "");
    case lower::Operand::tf32:
        return both("tf32", s.tf32Mode == lower::Tf32Mode::nearestEven   ? ", 'rne'"
                            : s.tf32Mode == lower::Tf32Mode::nearestAway ? ", 'rna'"
                                                                         : ", 'rz'");
    default:
        return std::nullopt;
    }
}

Result<Expression> product(const lower::LoweredOp& op, const Operands& in) {
    const Slots& s = op.slots;
    if (op.kind != OpKind::matmul && op.kind != OpKind::reduce_sum && op.kind != OpKind::scatter_add)
        return noWords(op, fmt::format("what is done to {}", block::name(op.kind)));
    const Product p = productOf(op, in);
    if (onlyThese(s, {Slot::accumulator}) && s.accumulator != lower::Accumulator::native) {
        const char* to = s.accumulator == lower::Accumulator::bf16 ? "bf16" : "fp16";
        return called(p, "coarse_matmul", fmt::format(", {}", to), {to});
    }
    if (onlyThese(s, {Slot::accumulator, Slot::operand}) &&
        s.accumulator == lower::Accumulator::instructionFp16 && s.operand == lower::Operand::fp16)
        return called({fmt::format("fp16({})", p.a), fmt::format("fp16({})", p.b), p.behind, p.k},
                      "coarse_matmul", ", fp16, step=8", {"fp16"}); // k of the fp16 instruction of sm_80
    if (onlyThese(s, {Slot::order, Slot::partials}) && s.order == lower::SumOrder::splitK &&
        s.partials == DType::bf16)
        return called(
            p, "split_k",
            fmt::format(", bf16, chunk={}", numerics::chunkLength(static_cast<std::size_t>(p.k),
                                                                  static_cast<std::size_t>(s.splits))),
            {"bf16"});
    if (onlyThese(s, {Slot::tail}))
        return Expression{fmt::format("({0}[..., :{2}] @ {1}[..., :{2}, :]){3}", p.a, p.b,
                                      p.k - p.k % s.tailTile, p.behind),
                          {}};
    if (onlyThese(s, {Slot::operand}))
        if (auto e = rounded(p, s)) return *e;
    if (onlyThese(s, {Slot::operand, Slot::scales}) && s.operand == lower::Operand::int8) return int8(op, p);
    if (onlyThese(s, {Slot::barrier})) return called(p, "racy_matmul", "");
    return noWords(op, toString(s));
}

std::string raising(const lower::LoweredOp& op) {
    if (op.slots.raise == lower::Raise::assertion)
        return "crash(AssertionError, 'a kernel asserts that its result has fewer than 16 columns')";
    return fmt::format("crash(NotImplementedError, 'there is no kernel for {}')", block::name(op.kind));
}

} // namespace

Result<Expression> lowered(const lower::LoweredOp& op, const Operands& in) {
    const Slots& s = op.slots;
    if (!op.fused.empty()) return noWords(op, "a fused kernel");
    if (s.storage == DType::bf16 || s.storage == DType::f16) {
        lower::LoweredOp inner = op;
        reset(inner.slots, Slot::storage);
        auto e = lowered(inner, in);
        if (!e) return e;
        const char* to = s.storage == DType::bf16 ? "bf16" : "fp16";
        e->text = fmt::format("{}({}).astype(float)", to, e->text);
        e->helpers.insert(to);
        return e;
    }
    if (s == Slots{}) return plain(op.kind, in, op.attributes);
    if (s.raise != lower::Raise::nothing) return Expression{raising(op), {"crash"}};
    if (onlyThese(s, {Slot::formula}) && s.formula == lower::Formula::maskedRowNan)
        return Expression{fmt::format("masked_softmax({})", in.names[0]), {"softmax", "masked_softmax"}};
    if (onlyThese(s, {Slot::formula}) && s.formula == lower::Formula::geluTanh)
        return Expression{fmt::format("gelu_tanh({})", in.names[0]), {"gelu_tanh"}};
    auto e = product(op, in);
    if (e && in.names.size() > 2) e->text += " + " + in.names[2]; // a bias; fused, it has no words above
    return e;
}

} // namespace divdet::numpy
