#pragma once
#include <functional>
#include <optional>

#include "judge/local/residual.h"
#include "lower/pass_choice.h"
#include "run/execute.h"

namespace divdet {

/// Runs a whole program on the inputs of the recorded run, as its slots ask (run::runProgram).
using RunProgram = std::function<Result<run::Taps>(const lower::LoweredGraph&)>;

/// The pass that, on top of what is declared, gives exactly the recorded bits of op number `op` on the inputs
/// it read: the backend runs that one op with each pass that fits it, and `whole` the program with those that
/// act only on replay (none with an empty `whole`). Bugs are tried before drift. nullopt: none does. Passes
/// that vary from run to run and those that raise errors are not tried. Error: cancelled.
Result<std::optional<lower::PassChoice>> passWithTheseBits(const local::RecordedRun& run,
                                                           const block::BoundGraph& written, std::size_t op,
                                                           const run::Target& target, const RunProgram& whole,
                                                           const Progress& progress = {});

} // namespace divdet
