#include "cuda/module/op_call.h"

#include <algorithm>
#include <iterator>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/multiply.h"

namespace divdet::cuda {
namespace {

using Family = Floats (*)(const OpCall&);

struct Kind {
    const char* name;
    Family run;
};

constexpr Kind kKinds[] = {
    {"matmul", product},   {"conv2d", product},        {"rmsnorm", rowsOf},     {"layernorm", rowsOf},
    {"softmax", rowsOf},   {"reduce_sum", rowsOf},     {"add", pointwise},      {"mul", pointwise},
    {"scale", pointwise},  {"causal_mask", pointwise}, {"gelu", pointwise},     {"silu", pointwise},
    {"relu", pointwise},   {"transpose", dataOf},      {"split_heads", dataOf}, {"merge_heads", dataOf},
    {"embedding", dataOf}, {"quantize", dataOf},       {"dequantize", dataOf},  {"scatter_add", dataOf},
};

const Kind& kindOf(const OpCall& call) {
    const auto* const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                           [&](const Kind& k) { return call.kind == k.name; });
    if (found == std::end(kKinds)) unsupported("this module has no op " + call.kind);
    return *found;
}

Kept keptAs(std::int32_t dtype) {
    switch (dtype) {
    case DIVDET_F64:
        return Kept::f64;
    case DIVDET_F32:
        return Kept::f32;
    case DIVDET_F16:
        return Kept::f16;
    case DIVDET_BF16:
        return Kept::bf16;
    case DIVDET_F8E4M3:
        return Kept::f8e4m3;
    case DIVDET_F8E5M2:
        return Kept::f8e5m2;
    case DIVDET_I8:
        return Kept::i8;
    case DIVDET_I32:
        return Kept::i32;
    default:
        unsupported("this module keeps no values of dtype " + std::to_string(dtype));
    }
}

bool isProduct(const OpCall& call) {
    return call.kind == "matmul" || call.kind == "conv2d";
}

} // namespace

std::size_t elementCount(const divdet_tensor_type& type) {
    if (type.rank > DIVDET_MAX_RANK) invalid("a tensor of rank " + std::to_string(type.rank));
    std::size_t n = 1;
    for (std::uint32_t i = 0; i < type.rank; ++i) {
        if (type.extent[i] < 0) invalid("a tensor with a negative extent");
        if (__builtin_mul_overflow(n, static_cast<std::size_t>(type.extent[i]), &n) || n >> 48)
            invalid("a tensor too large to count");
    }
    return n;
}

std::size_t byteCount(const divdet_tensor_type& type) {
    switch (keptAs(type.dtype)) {
    case Kept::f64:
        return elementCount(type) * 8;
    case Kept::f32:
    case Kept::i32:
        return elementCount(type) * 4;
    case Kept::f16:
    case Kept::bf16:
        return elementCount(type) * 2;
    default:
        return elementCount(type);
    }
}

InputFloats::InputFloats(const Queue& queue, const DeviceValue& value)
    : m_size(elementCount(value.type)) {
    if (value.type.dtype == DIVDET_F32) {
        m_inPlace = static_cast<const float*>(value.bytes.data());
        return;
    }
    m_owned = Floats(queue, m_size);
    widen(queue.stream(), keptAs(value.type.dtype), value.bytes.data(), m_size, m_owned.get());
    m_inPlace = m_owned.get();
}

const DeviceValue& OpCall::input(std::size_t i) const {
    if (i >= inputs.size()) invalid(kind + " lacks an input");
    return *inputs[i];
}

divdet_promise promiseOf(const OpCall& call) {
    kindOf(call);
    if (isProduct(call)) {
        checkProduct(call.slots, call.arch);
        const bool exact =
            !call.library || !libraryCan(call.slots) || call.slots.operand == Slots::Operand::int8;
        return exact ? DIVDET_EXACT : DIVDET_BOUNDED;
    }
    const bool arrival =
        call.kind == "scatter_add" && call.slots.order == Slots::Order::atomics && call.slots.hardwareAtomics;
    return arrival ? DIVDET_APPROXIMATE : DIVDET_EXACT;
}

DeviceValue runOp(const OpCall& call) {
    const Kept kept = keptAs(call.output.dtype);
    if (kept == Kept::f64 || kept == Kept::i8 || kept == Kept::i32)
        unsupported("results are kept in f32, f16, bf16 or an fp8 format");
    Floats result = kindOf(call).run(call);
    call.attributes.refuseRest();
    const std::size_t n = call.outputs();
    const cudaStream_t stream = call.queue.stream();
    if (call.slots.flushed && kept == Kept::f32) flushFloats(stream, result.get(), n);
    DeviceValue value{call.output, {}};
    if (kept == Kept::f32) {
        value.bytes = std::move(result);
    } else {
        value.bytes = Buffer(call.queue, byteCount(call.output));
        narrow(stream, kept, result.get(), n, value.bytes.data());
        if (call.slots.flushed && kept == Kept::bf16)
            flushBf16(stream, static_cast<std::uint16_t*>(value.bytes.data()), n);
    }
    checkLaunch("keeping a result");
    return value;
}

} // namespace divdet::cuda
