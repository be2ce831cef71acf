#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "block/bind.h"
#include "lower/pass_choice.h"
#include "run/inputs.h"
#include "run/taps.h"

namespace divdet::hunt {

/// A live block cut loose from its preset: every input and weight carries its numbers and every extent and
/// attribute is a constant, so that each part can be made smaller on its own.
struct Case {
    block::Graph graph;
    std::vector<lower::PassChoice> passes;
};

/// The same block with the numbers it would start from. Errors: those of bind.
Result<Case> caseOf(const block::BoundGraph& block, const run::Inputs& inputs,
                    std::vector<lower::PassChoice> passes);

/// Only the ops with `keep`: what they read of the others becomes an input (a weight where it is made of
/// weights alone) with the recorded value, what nobody reads any more is dropped, and what nobody reads but
/// was read by a dropped op is an output. Inputs that no op read before stay. Error: internal when a value
/// that is needed was not recorded.
Result<Case> withOps(const Case& from, const std::vector<bool>& keep, const run::Taps& recorded);

/// Without the passes, and the ops named by passes, that no longer fit. Errors: those of bind.
Result<Case> withFittingPasses(Case from);

/// Equal text means equal cases: name of the structure, passes, and hashes of the numbers.
std::string identityOf(const Case& from);

/// How much there is to look at.
struct CaseSize {
    std::size_t ops = 0, passes = 0;
    std::int64_t numbers = 0; ///< elements of all inputs and weights
    std::int64_t outputs = 0; ///< elements of all outputs
    std::vector<Shape> outputShapes;

    bool operator==(const CaseSize&) const = default;
};
/// Precondition: the graph can be bound.
CaseSize sizeOf(const Case& from);
std::string toString(const CaseSize& size); ///< `1 op, 1 pass, 24 numbers in, 8 x 8 out`

} // namespace divdet::hunt
