#pragma once
#include <vector>

#include "block/graph.h"
#include "judge/declared.h"
#include "lower/lowered.h"
#include "numerics/tensor_core_spec.h"
#include "run/taps.h"

/// What the arithmetic of recorded taps may have been, from what is declared of it.
namespace divdet::recorded {

/// A foreign backend: programs for everything the declared steps allow. A step that is declared may be on in
/// one op and off in the next (backends choose per layer), so there is one program with all of them, one with
/// each, and one with none. Values are stored in the dtype of their tap (which may be bf16 or fp16 saved as
/// f32, where the output is declared so and every element is such a number), others in that of the tap they
/// lead to; operands of products whose result is a 16-bit type have that type. Weights and inputs are rounded
/// to the dtype of the results they go into, and, where that changes them, in further programs taken as they
/// are. `inputs` by ValueIndex; those without data are missing. Error: those of lower().
Result<std::vector<lower::LoweredGraph>> foreignArithmetics(const block::BoundGraph& block,
                                                            const Declared& declared, const run::Taps& taps,
                                                            const std::vector<Tensor>& inputs);

/// A run of divdet: the passes it says it was made with (none: those declared alone) and those declared that
/// are passes too, in their default variant. Errors: usage for a text that is no pass or does not fit.
Result<lower::LoweredGraph> ownArithmetic(const block::BoundGraph& block, const Declared& declared);

/// The loosest tensor core that a foreign backend may have multiplied on.
numerics::Arch foreignArch(const Declared& declared);

} // namespace divdet::recorded
