#pragma once
#include <cstdint>
#include <vector>

#include "block/bind.h"
#include "lower/lowered.h"
#include "lower/pass_choice.h"
#include "lower/pass_info.h"

/// The stages a block goes through on its way to a device, each a function, so that the program can be run
/// and compared as any of them leaves it:
///
///   written graph --captured--> graph --decomposed--> graph --lowered--> program --replayed-->
///   (run/replay.h)
///
/// capture passes change which weight an op reads, decompose passes what an op computes (attributes and
/// formulas), lower passes how it is computed. No stage adds, drops or renames a value, so every stage has
/// the taps of the graph as written, except those that fusion takes away. Replay runs
/// the program of lower a second time in memory that its values share; its passes say which buffer is stale.
namespace divdet::lower {

/// Choices as one run takes them: what varies from run to run has the run's number for a seed.
std::vector<PassChoice> forRun(std::vector<PassChoice> choices, std::uint64_t runNumber);

/// The choices whose stage is `last` or before it.
std::vector<PassChoice> upTo(Stage last, const std::vector<PassChoice>& choices);

/// The graph after its capture passes. Choices of other stages do nothing here. Precondition: checkFit.
block::BoundGraph captured(const block::BoundGraph& written, const std::vector<PassChoice>& choices);

/// The graph after its decompose passes that rewrite it (formulas are slots, which `lowered` sets).
/// Precondition: checkFit of every choice on the graph as written.
block::BoundGraph decomposed(const block::BoundGraph& captured, const std::vector<PassChoice>& choices);

/// Ops with the slots that the choices set, fused where they say so; rewrites are done already.
LoweredGraph lowered(const block::BoundGraph& decomposed, const std::vector<PassChoice>& choices);

/// The program as stage `last` leaves it: the choices up to that stage, everything else plain fp32 in the
/// published order. Errors are those of checkFit, for every choice.
Result<LoweredGraph> programAfter(Stage last, const block::BoundGraph& written,
                                  const std::vector<PassChoice>& choices, std::uint64_t runNumber = 0);

} // namespace divdet::lower
