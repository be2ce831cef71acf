#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "block/bind.h"
#include "lower/pass_choice.h"
#include "lower/slots.h"

namespace divdet::lower {

/// An op that joined the kernel of the product before it. Computed in fp32, nothing rounded in between; a mul
/// or scale with an add behind it is one fma.
struct FusedStep {
    block::OpKind kind;
    block::Attributes attributes;
    std::optional<std::size_t>
        operand; ///< position in LoweredOp::inputs of the second operand, if it has one
    Slots slots; ///< maths and formula of that op; nothing else of it acts in a fused kernel
};

/// One kernel call. Self-contained: with the input tensors it is all that a backend needs.
struct LoweredOp {
    block::OpKind kind;
    std::string name; ///< of the op in the graph, for messages
    std::vector<block::ValueIndex> inputs;
    block::ValueIndex output; ///< of the last fused step
    block::Attributes attributes;
    std::size_t ownInputs = 0; ///< inputs of the op itself; the rest belongs to fused steps
    std::vector<FusedStep> fused;
    Slots slots;
    SetBy setBy;
};

/// A pass that another kept from setting a slot.
struct Overridden {
    std::string loser, winner; ///< pass ids
    Slot slot;
    std::vector<std::string> ops;
};

struct LoweredGraph {
    block::BoundGraph block;            ///< as decomposed: values are those of the graph as written
    std::vector<PassChoice> passes;     ///< seeds filled in
    std::vector<LoweredOp> ops;         ///< in topological order
    std::vector<DType> storage;         ///< by ValueIndex: the dtype that a value is kept in
    std::vector<std::string> fusedAway; ///< taps that no kernel writes
    std::vector<Overridden> overridden;

    /// Sentences for the user: "tf32 is overridden by int8 on up, down", "up is fused into act and has no
    /// tap".
    std::vector<std::string> notes;
};

/// Applies passes to a block as written: capture, decompose and lower (stages.h) in one. `runNumber` is the
/// seed of passes that vary from run to run and name none. Errors are those of checkFit.
Result<LoweredGraph> lower(const block::BoundGraph& written, const std::vector<PassChoice>& choices,
                           std::uint64_t runNumber = 0);

} // namespace divdet::lower
