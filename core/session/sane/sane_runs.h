#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "session/run_block.h"

namespace divdet {

enum class SaneKind {
    drift,    ///< a drift pass alone, or a bug that is declared
    together, ///< all drift that is on, at once: a sum may need more than each
    fault,    ///< a bug alone
};

/// One run of the block against the reference. Only judged taps are compared, and their elements are let go.
struct SaneRun {
    SaneKind kind = SaneKind::drift;
    bool on = false;                              ///< as the request has it; of `together` always
    std::vector<lower::PassChoice> passes;        ///< one; of `together` several
    std::shared_ptr<const Comparison> comparison; ///< null in a plan
};

std::string nameOf(const SaneRun& run); ///< "int8=per-token", "all together"

/// What a sane tolerance is found from: every drift pass and every bug that fits the block, each alone.
struct SaneRuns {
    BlockRequest request;      ///< device and dims filled in
    std::vector<SaneRun> runs; ///< drift, together, faults; each in the order of the pass list
    std::vector<std::string>
        notes; ///< runs left out, with the reason: they failed, or no judged tap is left of them
    double seconds = 0;
    std::int64_t opsRun = 0, opsCached = 0;
};

/// The runs, not yet made: of each drift pass the variants that are on and, where it fits, its default one;
/// all drift that is on together, if it is several; of each bug every listed variant that fits and those that
/// are on. A crash needs no tolerance and is left out. Bugs in `request.declared` are drift.
std::vector<SaneRun> planSaneRuns(const BlockRequest& request, const block::BoundGraph& graph);

/// Makes them against one reference. A judged tap that a run fuses away is not judged in that run. Ops that
/// an earlier request ran come from the session's cache. Errors: those of runBlock; cancelled.
Result<std::shared_ptr<const SaneRuns>> runSaneRuns(Session& session, const BlockRequest& request,
                                                    const Progress& progress = {});

} // namespace divdet
