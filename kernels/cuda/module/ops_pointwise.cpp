#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/op_call.h"

/// Ops that need only the elements at one place, alone or behind a product.
namespace divdet::cuda {
namespace {

/// Maths and formula belong to the step: with a prefix they are attributes of their own.
Function functionOf(const OpCall& call, const std::string& kind, const std::string& prefix) {
    const bool own = prefix.empty();
    const bool fast =
        own ? call.slots.fast : call.attributes.oneOf<bool>(prefix + "maths", {"exact", "fast"});
    const bool tanh = own ? call.slots.formula == Slots::Formula::geluTanh
                          : call.attributes.oneOf<bool>(prefix + "formula", {"as-written", "gelu-tanh"});
    if (kind == "relu") return Function::relu;
    if (kind == "silu") return fast ? Function::fastSilu : Function::silu;
    if (tanh) return fast ? Function::fastGeluTanh : Function::geluTanh;
    return fast ? Function::fastGelu : Function::gelu;
}

void maskOf(const OpCall& call, const std::string& prefix, float* x, std::size_t n) {
    const std::int64_t queries = call.attributes.integer(prefix + "queries", 0);
    const std::int64_t keys = call.attributes.integer(prefix + "keys", 0);
    if (queries <= 0 || keys <= 0) {
        if (n) invalid("a causal mask needs queries and keys");
        return;
    }
    maskCausally(call.queue.stream(), x, call.attributes.integer(prefix + "offset", 0), n,
                 static_cast<std::size_t>(queries), static_cast<std::size_t>(keys), x);
}

} // namespace

void applyPointwise(const OpCall& call, const std::string& kind, const std::string& prefix,
                    const InputFloats* operand, float* x, std::size_t n) {
    const cudaStream_t stream = call.queue.stream();
    if (kind == "add" || kind == "mul") {
        if (!operand || (n && operand->size() == 0)) invalid(kind + " lacks its second input");
        const auto combine = kind == "add" ? addElements : mulElements;
        combine(stream, x, operand->get(), n, operand->size(), x);
    } else if (kind == "gelu" || kind == "silu" || kind == "relu") {
        applyFunction(stream, functionOf(call, kind, prefix), x, n, x);
    } else if (kind == "scale") {
        scaleElements(stream, x, call.attributes.number(prefix + "factor", 1.0f), n, x);
    } else if (kind == "causal_mask") {
        maskOf(call, prefix, x, n);
    } else {
        unsupported("no kernel for " + kind + " behind a product");
    }
}

Floats pointwise(const OpCall& call) {
    const InputFloats x(call.queue, call.input(0));
    if (x.size() != call.outputs()) invalid(call.kind + " changes no shape");
    Floats y(call.queue, x.size());
    scaleElements(call.queue.stream(), x.get(), 1.0f, x.size(), y.get());
    if (call.inputs.size() > 1) {
        const InputFloats operand(call.queue, call.input(1));
        applyPointwise(call, call.kind, "", &operand, y.get(), x.size());
    } else {
        applyPointwise(call, call.kind, "", nullptr, y.get(), x.size());
    }
    return y;
}

} // namespace divdet::cuda
