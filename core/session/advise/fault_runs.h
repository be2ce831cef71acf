#pragma once
#include <string>
#include <vector>

#include "compare/frontier.h"
#include "session/advise/draw.h"

namespace divdet {

/// What one run with a fault needs in order to pass.
struct FaultRun {
    Frontier frontier;
    bool spoilt = false;  ///< an infinity or NaN where the reference has a number: no tolerance passes
    bool differs = false; ///< some bit differs from the honest run

    bool caughtBy(const Tolerance& t) const { return spoilt || frontier.answer(t) == FrontierAnswer::fails; }
};

/// A bug of the table at these sizes, run on one draw after another.
struct FaultRuns {
    lower::PassChoice choice;
    std::string title;
    std::vector<FaultRun> runs;

    double caught(const Tolerance& t) const; ///< share of the runs
    double acting() const;                   ///< share of the runs in which it changes a bit
    bool acts() const { return acting() > 0; }
};

/// Every bug that fits the block, in each listed form; not those whose quantisation is not declared, nor what
/// is declared itself, nor crashes, which need no tolerance.
std::vector<FaultRuns> fittingFaults(const AdvisedBlock& block);

/// Runs the fault on a draw and keeps what decides.
Status addRun(FaultRuns& fault, const AdvisedBlock& block, const Draw& draw,
              const std::vector<double>& honest, const AdviseTarget& target, const Progress& progress);

} // namespace divdet
