#include <fmt/format.h>

#include "block/ops/scale/scale.h"
#include "session/repro/numpy_ops.h"

namespace divdet::numpy {
namespace {

using block::OpKind;

Error noWords(block::OpKind kind) {
    return {ErrorCode::unsupported, fmt::format("repro.py has no words for the op {}", block::name(kind)), "",
            "run the repro with divdet repro"};
}

} // namespace

std::string oneHot(const Operands& in, const block::Attributes& attributes) {
    return fmt::format("(np.arange({})[:, None] == {}).astype(float)",
                       block::integerOr(attributes, "rows", 0), in.names[0]);
}

Result<Expression> plain(OpKind kind, const Operands& in, const block::Attributes& attributes) {
    const auto name = [&](std::size_t i) { return in.names[i]; };
    const auto call = [&](const char* function, const std::string& more = "") {
        std::string text = std::string(function) + "(";
        for (std::size_t i = 0; i < in.names.size(); ++i) text += (i ? ", " : "") + name(i);
        return Expression{text + more + ")", {function}};
    };
    const std::string eps = fmt::format(", eps={}", block::numberOr(attributes, "eps", 0));
    switch (kind) {
    case OpKind::matmul:
        return Expression{name(0) + " @ " + name(1) + (in.names.size() > 2 ? " + " + name(2) : ""), {}};
    case OpKind::add:
        return Expression{name(0) + " + " + name(1), {}};
    case OpKind::mul:
        return Expression{name(0) + " * " + name(1), {}};
    case OpKind::scale:
        return Expression{fmt::format("{} * {}", name(0), block::ops::scaleFactor(attributes)), {}};
    case OpKind::reduce_sum:
        return Expression{name(0) + ".sum(axis=-1)", {}};
    case OpKind::relu:
        return Expression{fmt::format("np.maximum({}, 0)", name(0)), {}};
    case OpKind::gelu:
        return call("gelu");
    case OpKind::silu:
        return Expression{fmt::format("{0} / (1 + np.exp(-{0}))", name(0)), {}};
    case OpKind::softmax:
        return call("softmax");
    case OpKind::causal_mask:
        return call("causal_mask", fmt::format(", offset={}", block::integerOr(attributes, "offset", 0)));
    case OpKind::rmsnorm:
        return call("rmsnorm", eps);
    case OpKind::layernorm:
        return call("layernorm", eps);
    case OpKind::transpose:
        if (const auto perm = attributes.find("perm"); perm != attributes.end())
            return Expression{fmt::format("{}.transpose({})", name(0), std::get<std::string>(perm->second)),
                              {}};
        return Expression{fmt::format("{}.swapaxes(-1, -2)", name(0)), {}};
    case OpKind::scatter_add:
        return Expression{fmt::format("{} @ {}", oneHot(in, attributes), name(1)), {}};
    case OpKind::split_heads:
        if (attributes.contains("window")) return noWords(kind);
        return Expression{fmt::format("{}.reshape({}, {}, -1).swapaxes(0, 1)", name(0), in.shapes[0][0],
                                      block::integerOr(attributes, "heads", 1)),
                          {}};
    case OpKind::merge_heads:
        if (in.shapes[0].size() != 3) return noWords(kind);
        return Expression{fmt::format("{}.swapaxes(0, 1).reshape({}, -1)", name(0), in.shapes[0][1]), {}};
    case OpKind::embedding:
        return Expression{fmt::format("{}[{}.astype(int)]", name(1), name(0)), {}};
    default:
        return noWords(kind);
    }
}

} // namespace divdet::numpy
