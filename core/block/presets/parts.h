#pragma once
#include "block/presets.h"

/// Pieces that several presets are made of. Names get the prefix; weights are `<op>.weight`, gains
/// `<op>.gain`. Dimensions: tokens, width, heads, hidden, vocab.
namespace divdet::block::presets {

/// rmsnorm (the default) or layernorm (a gain of ones, a bias of zeros), eps 1e-6.
ValueIndex addNorm(Graph& g, const PresetOptions& options, const std::string& name, ValueIndex x);

/// gelu (the default), silu or relu.
ValueIndex addActivation(Graph& g, const PresetOptions& options, const std::string& name, ValueIndex x);

/// x times a weight [rows, columns] with numbers N(0, 1/rows): outputs as large as inputs.
ValueIndex addLinear(Graph& g, const std::string& name, ValueIndex x, const char* rows, const char* columns);

/// norm → q, k, v → heads → softmax(mask(q kᵀ / √(width/heads))) v → merged → projection; without the
/// residual. Where the graph has a dimension `context`, tokens see only those of their own window of that
/// many.
ValueIndex addAttention(Graph& g, const PresetOptions& options, const std::string& prefix, ValueIndex x);

/// Attention and its residual, then norm → linear → activation → linear and its residual.
ValueIndex addLayer(Graph& g, const PresetOptions& options, const std::string& prefix, ValueIndex x);

/// norm → linear over vocab, the graph's output `logits`.
void addLogits(Graph& g, const PresetOptions& options, ValueIndex x);

} // namespace divdet::block::presets
