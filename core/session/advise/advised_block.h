#pragma once
#include <string>
#include <vector>

#include "block/bind.h"
#include "lower/lowered.h"
#include "session/advise/advise.h"

namespace divdet {

/// A block with the arithmetic that the request declares.
struct AdvisedBlock {
    block::BoundGraph block;
    std::vector<lower::PassChoice> declared; ///< drift alone
    DType output = DType::f32;
    std::string operands;    ///< as AdviseRequest::dtype
    std::string accumulator; ///< as AdviseRequest::accumulator
    bool single = false;     ///< one op: its hard bound holds for the whole block
    bool quantised() const { return operands == "int8" || operands == "fp8"; }
    std::int64_t outputElements() const;
    std::int64_t products() const; ///< multiplications of one run, roughly
};

/// Errors: usage or notFound, naming the option.
Result<AdvisedBlock> advisedBlock(const AdviseRequest& request);

/// The program with further faults; `runNumber` seeds those that vary.
Result<lower::LoweredGraph> advisedProgram(const AdvisedBlock& block,
                                           const std::vector<lower::PassChoice>& faults,
                                           std::uint64_t runNumber);

} // namespace divdet
