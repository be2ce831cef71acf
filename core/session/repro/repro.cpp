#include "session/repro/repro.h"

#include <chrono>

#include "report/version.h"

namespace divdet {
namespace {

/// Verdict, class and size; nothing for a run that ends in an error.
Status describe(Session& session, const Repro& repro, const std::string& device, ReproRun& out,
                const Progress& progress) {
    BlockRequest request = requestOf(repro.theCase, repro.request);
    if (!device.empty()) request.device = device;
    request.eachAlone = false;
    request.classify = true;
    const auto run = runBlock(session, request, progress);
    if (!run) return run.error().code == ErrorCode::cancelled ? Status(run.error()) : Status(Done{});
    const Comparison& comparison = *(*run)->together;
    out.verdict = toString(judge(comparison, request.tolerance).verdict);
    if (const auto all = overallClass(comparison)) out.pairClass = toString(*all);
    out.largestError = largestError(comparison);
    return Done{};
}

} // namespace

Result<ReproRun> runRepro(Session& session, const Repro& repro, const std::string& device,
                          const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    BlockRequest request = repro.request;
    if (!device.empty()) request.device = device;
    if (const auto found = session.backends().find(request.device); !found) return found.error();
    LiveCaseOracle oracle(session, request, repro.symptom);
    auto outcome = oracle.ask(repro.theCase, progress);
    if (!outcome) return outcome.error();
    ReproRun out;
    if (auto s = describe(session, repro, device, out, progress); !s) return s.error();
    out.reproduced = outcome->answer == hunt::Answer::bad && outcome->failure == repro.failure;
    out.outcome = std::move(*outcome);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

Result<Repro> reproOf(Session& session, const Minified& m, const Progress& progress) {
    Repro out{m.result.smallest,
              m.request.block,
              m.symptom,
              m.result.after.failure,
              m.result.after.text,
              "",
              "",
              std::string(version())};
    const auto run = runRepro(session, out, "", progress);
    if (!run) return run.error();
    if (!run->reproduced)
        return Error{ErrorCode::mismatch, "the smallest case does not fail once more: " + run->outcome.text,
                     out.request.device, "the runs vary; name a seed, as in --pass race=seed:3"};
    out.verdict = run->verdict;
    out.pairClass = run->pairClass;
    return out;
}

} // namespace divdet
