#pragma once
#include "hunt/minimise.h"
#include "session/hunt/bad_when.h"
#include "session/run_block.h"

namespace divdet {

struct MinifyRequest {
    BlockRequest block; ///< with the passes that make it fail
    BadWhen bad;        ///< automatic: the bug that the judge explains or else finds first, else as of a hunt
    hunt::MinimiseOptions options;
};

/// What a case must go on showing.
struct Symptom {
    BadWhen bad; ///< settled
    /// Of a finding that names the pass whose bits they are (same-bits-as): the pass it has to go on naming,
    /// so that a coarse sum does not shrink to a coarse product. Empty: none.
    std::string explainedBy;

    friend bool operator==(const Symptom& a, const Symptom& b) {
        return toString(a.bad) == toString(b.bad) && a.explainedBy == b.explainedBy;
    }
};

struct Minified {
    MinifyRequest request; ///< `bad` is settled, device filled in, seeds of passes that vary pinned
    Symptom symptom;
    hunt::MinimiseResult result;
};

/// Runs cases as live blocks. A case is bad by its symptom; where that is a finding of class bug, the class
/// has to be bug too.
class LiveCaseOracle : public hunt::CaseOracle {
public:
    /// `request` says how to run: all but the block, its sizes and inputs.
    LiveCaseOracle(Session& session, BlockRequest request, Symptom symptom);

    Result<hunt::Outcome> ask(const hunt::Case& candidate, const Progress& progress) override;
    Result<run::Taps> record(const hunt::Case& candidate, const Progress& progress) override;

private:
    Session& m_session;
    BlockRequest m_request;
    Symptom m_symptom;
};

/// The largest error of a tap that is judged, in the units of the data; NaN and infinities are left out.
double largestError(const Comparison& comparison);

/// The run of a case under the conditions of `request`.
BlockRequest requestOf(const hunt::Case& candidate, const BlockRequest& request);

/// Makes a live block that fails as small as it goes while it fails in the same way. What varies from run to
/// run is pinned to the run that was asked for; on a device that promises no bits each case has to fail three
/// times. Errors: those of running the block, of minimise(); usage when no pass is on; unsupported where the
/// task metric makes it bad: its rows are the task.
Result<Minified> minifyBlock(Session& session, const MinifyRequest& request, const Progress& progress = {},
                             const hunt::MinimiseEvents& events = {});

} // namespace divdet
