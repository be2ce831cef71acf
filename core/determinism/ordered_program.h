#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "lower/lowered.h"
#include "run/backend.h"

namespace divdet {

/// A program under the switch: what could differ from run to run, or from device to device by a setting, is
/// fixed.
struct OrderedProgram {
    lower::LoweredGraph program;
    std::vector<std::string> changes; ///< one sentence for each op that changed
};

/// The switch. Sums by atomic additions become sums of the same chunks in a fixed order, scatter-add adds the
/// rows of each target in increasing order, TF32 products become fp32 ones; everything else stays. Error
/// unsupported, with the op as path: tiles that are read while they are written, and products of a
/// device that makes no statement of its bits, have no ordered variant.
Result<OrderedProgram> orderedProgram(lower::LoweredGraph program, const run::DeviceInfo& device);

/// Ops of the program whose sums are left to chance, by name.
std::vector<std::string> opsLeftToChance(const lower::LoweredGraph& program);

} // namespace divdet
