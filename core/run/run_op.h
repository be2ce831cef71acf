#pragma once
#include <span>

#include "run/execute.h"

namespace divdet::run {

/// Runs one op and checks that the result is what the op promises: shape, dtype, contiguous. Errors: the
/// backend's, with the op's name as path where it gave none; internal when it breaks its contract;
/// unsupported or assertion for an op whose slots say that it raises.
Result<Tensor> runOp(const lower::LoweredGraph& graph, const lower::LoweredOp& op,
                     std::span<const Tensor> inputs, const OpKeys& keys, const Target& target,
                     const Progress& progress);

/// Whether an input or weight is kept in another dtype than the fp32 it is given in.
bool storedOtherwise(const lower::LoweredGraph& graph, block::ValueIndex value);

/// Of an input or weight with this key, kept in that dtype.
Key keyStoredAs(DType dtype, const Key& key);

/// The taps of a run from its values, in depth order. `values` is by ValueIndex.
Taps tapsOf(const lower::LoweredGraph& graph, std::span<const Tensor> values);

} // namespace divdet::run
