#pragma once
#include <optional>

#include "lower/pass_info.h"
#include "session/compare_dumps.h"
#include "session/hunt/bad_when.h"
#include "session/run_block.h"

namespace divdet {

/// One stage against the reference.
struct StageReading {
    std::string name;
    hunt::Outcome outcome;
    std::optional<Verdict> verdict; ///< none: it crashed or cannot be read
    std::optional<PairClass> pairClass;
    std::string firstBad; ///< the tap where the trouble starts; empty: none
    bool changed = true;  ///< false: no pass is on at this stage, it is the one before it
};

struct StagesResult {
    std::vector<StageReading> stages; ///< in the order of the stages
    BadWhen bad;                      ///< settled
    std::optional<std::size_t> first; ///< the first that is bad
    bool sure = true;                 ///< false: a stage before it is unresolved, so it may have begun there
    std::string meaning;              ///< whose business it is, one sentence
    std::vector<std::string> notes;
    double seconds = 0;
};

/// The stages of a live block, each with the passes up to it, against the reference. Errors: those of running
/// it; usage when no pass is on.
Result<StagesResult> findStage(Session& session, const BlockRequest& request, const BadWhen& bad,
                               const Progress& progress = {});

struct StageDump {
    std::string
        name; ///< capture, decompose, lower, replay; torch's eager, aot_eager, inductor, cudagraphs; any
    std::filesystem::path file;
};

/// The same for dumps of the stages, in the order given; `compare` says how (its candidate is not used).
/// Errors: usage; those of comparing that are no fault of one dump.
Result<StagesResult> findStage(Session& session, const CompareRequest& compare,
                               const std::vector<StageDump>& stages, const BadWhen& bad,
                               const Progress& progress = {});

/// The stage that a name stands for; nullopt for a name of the user's own.
std::optional<lower::Stage> stageNamed(const std::string& name);

} // namespace divdet
