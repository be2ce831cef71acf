#pragma once
#include <vector>

#include "judge/honest/honest_errors.h"
#include "numerics/tensor_core_spec.h"
#include "run/execute.h"
#include "session/advise/advised_block.h"

namespace divdet {

/// Where the runs of an advice happen.
struct AdviseTarget {
    run::Backend& backend;
    run::DeviceId device;
    numerics::Arch arch;
};

/// One draw of the data, already rounded to the dtype of the operands, and the number that is right for each
/// element of the outputs, one output after the other.
struct Draw {
    std::uint64_t seed = 0;
    run::Inputs inputs;
    std::vector<double> reference;
};

/// The reference is the fp64 graph on the rounded inputs; of a single quantised product, on its codes scaled
/// back.
Result<Draw> drawData(const AdvisedBlock& block, std::uint64_t seed, const AdviseTarget& target,
                      const Progress& progress);
std::string referenceText(const AdvisedBlock& block);

/// What theory expects of an honest run on it. Error: unsupported, where an op has no envelope.
Result<std::vector<honest::ExpectedElement>> expectedOf(const AdvisedBlock& block, const Draw& draw,
                                                        const AdviseTarget& target, const Progress& progress);

/// The outputs of a run with these faults (none: an honest run), one after the other.
Result<std::vector<double>> outputsOf(const AdvisedBlock& block, const Draw& draw,
                                      const std::vector<lower::PassChoice>& faults,
                                      const AdviseTarget& target, const Progress& progress);

} // namespace divdet
