#pragma once
#include <QString>
#include <vector>

#include "session/advise/advise.h"
#include "views/notes.h"
#include "views/widgets/verdict_block.h"

namespace divdet {

class AdvisorSide;

/// "9.98e-7", "0.21": how often an honest run fails.
QString rateText(double probability);
/// "matmul · m 64 · n 64 · k 4096 · operands bf16 · …"
QString adviceSubject(const Advice& advice);

/// FLAKY, FINE or BLIND of the given tolerance; RECOMMENDED where none was given.
VerdictContent adviceVerdict(const Advice& advice);
/// While there is no answer: what is asked, why it failed, or that it was stopped.
VerdictContent pendingAdvice(const AdvisorSide& side);

/// Faults that pass, what the given tolerance is blind to, and what the advisor remarks.
std::vector<Note> adviceNotes(const Advice& advice);

/// One line of the table of tolerances.
struct AdvisedTolerance {
    QString name, rtol, atol;
    QString fails; ///< how often an honest run; a dash where that was not asked
    QString text;
};
std::vector<AdvisedTolerance> advisedTolerances(const Advice& advice);

} // namespace divdet
