#include "cuda/loader/abi_graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "block/op_def.h"

namespace divdet::cuda {
namespace {

using block::OpKind;
using block::Role;

/// Dtypes the two sides share; -1 for others.
std::int32_t abiType(DType t) {
    switch (t) {
    case DType::f64:
        return DIVDET_F64;
    case DType::f32:
        return DIVDET_F32;
    case DType::f16:
        return DIVDET_F16;
    case DType::bf16:
        return DIVDET_BF16;
    case DType::f8e4m3:
        return DIVDET_F8E4M3;
    case DType::f8e5m2:
        return DIVDET_F8E5M2;
    case DType::i8:
        return DIVDET_I8;
    case DType::i32:
        return DIVDET_I32;
    default:
        return -1;
    }
}

/// A tensor without elements may have no bytes; the module must still see an input.
const void* bytesOf(const Tensor& t) {
    static constexpr std::byte kNothing{};
    return t.view().data ? t.view().data : &kNothing;
}

/// Row numbers decide where a kernel reads.
bool readsRows(OpKind kind) {
    return kind == OpKind::embedding || kind == OpKind::scatter_add;
}

} // namespace

Result<divdet_tensor_type> abiTensor(DType dtype, const Shape& shape, const std::string& op) {
    divdet_tensor_type type{};
    type.dtype = abiType(dtype);
    if (type.dtype < 0 || shape.size() > DIVDET_MAX_RANK)
        return Error{ErrorCode::unsupported,
                     fmt::format("a GPU keeps no values of dtype {} and rank {}", name(dtype), shape.size()),
                     op, ""};
    type.rank = static_cast<std::uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), type.extent);
    return type;
}

Result<std::optional<AbiGraph>> AbiGraph::of(const lower::LoweredGraph& program,
                                             const run::ReplayInputs& inputs) {
    const auto& values = program.block.graph.values;
    for (const lower::LoweredOp& op : program.ops)
        if (readsRows(op.kind) && values[op.inputs[0]].role == Role::intermediate)
            return std::optional<AbiGraph>();
    AbiGraph out;
    if (auto s = out.addValues(program, inputs); !s) return s.error();
    out.m_described.reserve(program.ops.size()); // the ops point into its elements
    for (const lower::LoweredOp& op : program.ops)
        if (auto s = out.addOp(program, inputs, op); !s) return s.error();
    return std::optional<AbiGraph>(std::move(out));
}

Status AbiGraph::addValues(const lower::LoweredGraph& program, const run::ReplayInputs& inputs) {
    const auto& values = program.block.graph.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto type = abiTensor(program.storage[i], program.block.shapes[i], values[i].name);
        if (!type) return type.error();
        const bool leaf = values[i].role != Role::intermediate, input = values[i].role == Role::input;
        // What is rewritten has no key.
        m_values.push_back({*type, values[i].name.c_str(), leaf ? bytesOf(inputs.now[i]) : nullptr,
                            leaf && !input ? shortened(inputs.keys[i]) : 0});
        m_previous.push_back(input ? bytesOf(inputs.previous[i]) : nullptr);
    }
    return Done{};
}

Status AbiGraph::addOp(const lower::LoweredGraph& program, const run::ReplayInputs& inputs,
                       const lower::LoweredOp& op) {
    std::vector<Tensor> now, previous;
    for (const auto i : op.inputs) {
        const bool leaf = program.block.graph.values[i].role != Role::intermediate;
        const auto blank = [&] {
            return TensorBuilder(program.storage[i], program.block.shapes[i]).finish();
        };
        now.push_back(leaf ? inputs.now[i] : blank()); // of an intermediate only the shape is looked at
        previous.push_back(leaf ? inputs.previous[i] : now.back());
    }
    auto text = describe(op, now);
    if (!text) return text.error();
    if (readsRows(op.kind))
        if (const auto before = describe(op, previous); !before) return before.error();
    m_described.push_back(
        {std::string(block::name(op.kind)), std::move(*text), {}, {}, static_cast<std::uint32_t>(op.output)});
    Op& o = m_described.back();
    for (const auto& [key, value] : o.text.attributes) o.attributes.push_back({key.c_str(), value.c_str()});
    for (const auto i : op.inputs) o.inputs.push_back(static_cast<std::uint32_t>(i));
    m_ops.push_back({o.kind.c_str(), o.inputs.data(), &o.output, o.attributes.data(),
                     static_cast<std::uint32_t>(o.inputs.size()), 1,
                     static_cast<std::uint32_t>(o.attributes.size())});
    m_taps.push_back(o.output);
    if (op.slots.buffer == lower::Buffer::stale)
        m_stale.push_back(static_cast<std::uint32_t>(m_ops.size() - 1));
    return Done{};
}

divdet_graph AbiGraph::graph() const {
    return {sizeof(divdet_graph),
            static_cast<std::uint32_t>(m_values.size()),
            static_cast<std::uint32_t>(m_ops.size()),
            static_cast<std::uint32_t>(m_taps.size()),
            m_values.data(),
            m_ops.data(),
            m_taps.data()};
}

} // namespace divdet::cuda
