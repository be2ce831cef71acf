#include "session/hunt/minify_block.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lower/stages.h"
#include "run/inputs.h"
#include "session/hunt/block_oracle.h"
#include "session/make_report.h"

namespace divdet {
namespace {

constexpr std::uint64_t kRepeatWhereRunsVary = 3;

/// The pass whose bits a finding says these are; empty: it names none.
std::string passOf(const Finding& f) {
    for (const auto& [key, value] : f.evidence)
        if (const auto* text = std::get_if<std::string>(&value); text && key == "pass") return *text;
    return "";
}

/// Of the first tap with a bug the finding that explains it, or else the strongest; null: no bug has a name.
const Finding* firstBug(const Comparison& comparison) {
    for (const TapPair& pair : comparison.pairs) {
        if (pair.pairClass != PairClass::bug) continue;
        const Finding* first = nullptr;
        for (const Finding& f : pair.findings) {
            if (f.kind != FindingClass::bug) continue;
            if (!passOf(f).empty()) return &f;
            if (!first) first = &f;
        }
        if (first) return first;
    }
    return nullptr;
}

/// As for a hunt, but a bug with a name is that bug and no other.
Result<Symptom> settle(Session& session, const BlockRequest& request, const Progress& progress) {
    BlockRequest whole = request;
    whole.eachAlone = false;
    whole.classify = true;
    const auto run = runBlock(session, whole, Progress{nullptr, progress.token});
    if (!run) {
        if (crashOutcome(run.error())) return Symptom{{BadWhen::Kind::crash}, ""};
        return run.error();
    }
    const Comparison& comparison = *(*run)->together;
    const BadWhen bad =
        settled({comparison, judge(comparison, whole.tolerance), metricAnswer(**run).missed()});
    const Finding* bug = bad.kind == BadWhen::Kind::bug ? firstBug(comparison) : nullptr;
    Symptom out{bad, ""};
    if (bug) {
        out.bad = {BadWhen::Kind::finding, bug->id};
        out.explainedBy = passOf(*bug);
    }
    return out;
}

/// Why a run that has the finding does not show the symptom; empty: it does.
std::string whyOther(const Comparison& comparison, const Symptom& symptom) {
    bool isBug = false, explained = symptom.explainedBy.empty();
    std::string otherwise;
    for (const TapPair& pair : comparison.pairs)
        for (const Finding& f : pair.findings) {
            if (f.id != symptom.bad.finding) continue;
            isBug = isBug || f.kind == FindingClass::bug;
            explained = explained || passOf(f) == symptom.explainedBy;
            if (passOf(f) != symptom.explainedBy) otherwise = passOf(f);
        }
    if (isBug && overallClass(comparison) != PairClass::bug) return "the tap of the bug decides nothing";
    return explained ? std::string() : fmt::format("now it looks like {}", otherwise);
}

/// The block with its numbers; device and sizes filled in.
Result<hunt::Case> startOf(Session& session, const BlockRequest& request, const Progress& progress) {
    const auto graph = blockGraph(request);
    if (!graph) return graph.error();
    const auto bound = block::bind(*graph);
    if (!bound) return bound.error();
    for (const auto& choice : request.passes)
        if (auto s = lower::checkFit(*bound, choice); !s) return s.error();
    const auto inputs = run::makeInputs(*bound, request.seed, &session.cache(), progress);
    if (!inputs) return inputs.error();
    return hunt::caseOf(*bound, *inputs, lower::forRun(request.passes, request.runNumber));
}

} // namespace

double largestError(const Comparison& comparison) {
    double out = 0;
    for (const TapPair& pair : comparison.pairs)
        if (pair.judged && pair.summary && std::isfinite(pair.summary->maxAbs.value))
            out = std::max(out, pair.summary->maxAbs.value);
    return out;
}

BlockRequest requestOf(const hunt::Case& candidate, const BlockRequest& request) {
    BlockRequest out = request;
    out.graph = std::make_shared<const block::Graph>(candidate.graph);
    out.dims.clear();
    out.norm.clear();
    out.activation.clear();
    out.inputs.clear();
    out.inputFile.clear();
    out.passes = candidate.passes;
    return out;
}

LiveCaseOracle::LiveCaseOracle(Session& session, BlockRequest request, Symptom symptom)
    : m_session(session)
    , m_request(std::move(request))
    , m_symptom(std::move(symptom)) {
    const BadWhen::Kind kind = m_symptom.bad.kind;
    m_request.eachAlone = false;
    m_request.classify = kind == BadWhen::Kind::bug || kind == BadWhen::Kind::finding;
}

Result<hunt::Outcome> LiveCaseOracle::ask(const hunt::Case& candidate, const Progress& progress) {
    const auto run = runBlock(m_session, requestOf(candidate, m_request), progress);
    if (!run) {
        if (run.error().code == ErrorCode::cancelled) return run.error();
        if (auto crash = crashOutcome(run.error())) return *crash;
        return hunt::Outcome{hunt::Answer::unresolved, "", run.error().text()};
    }
    const Comparison& comparison = *(*run)->together;
    const Judgement judgement = judge(comparison, m_request.tolerance);
    hunt::Outcome out = outcomeOf({comparison, judgement, metricAnswer(**run).missed()}, m_symptom.bad);
    out.size = largestError(comparison);
    if (m_symptom.bad.kind != BadWhen::Kind::finding || out.answer != hunt::Answer::bad) return out;
    std::string other = whyOther(comparison, m_symptom);
    return other.empty() ? out : hunt::Outcome{hunt::Answer::good, "", std::move(other)};
}

Result<run::Taps> LiveCaseOracle::record(const hunt::Case& candidate, const Progress& progress) {
    BlockRequest plain = requestOf({candidate.graph, {}}, m_request);
    plain.classify = false;
    const auto run = runBlock(m_session, plain, progress);
    if (!run) return run.error();
    return *(*run)->reference;
}

Result<Minified> minifyBlock(Session& session, const MinifyRequest& request, const Progress& progress,
                             const hunt::MinimiseEvents& events) {
    Minified out{request, {}, {}};
    BlockRequest& block = out.request.block;
    if (block.passes.empty())
        return Error{ErrorCode::usage, "no pass is on, so nothing can fail", "--pass",
                     "give the passes that make the block fail"};
    const auto device = session.backends().find(block.device);
    if (!device) return device.error();
    block.device = device->device.id;
    if (device->device.promise != run::Promise::exact)
        out.request.options.repeat = std::max(out.request.options.repeat, kRepeatWhereRunsVary);
    const auto start = startOf(session, block, progress);
    if (!start) return start.error();
    block.passes = start->passes;
    out.symptom.bad = request.bad;
    if (request.bad.kind == BadWhen::Kind::automatic) {
        auto symptom = settle(session, block, progress);
        if (!symptom) return symptom.error();
        out.symptom = std::move(*symptom);
        out.request.bad = out.symptom.bad;
    }
    if (out.symptom.bad.kind == BadWhen::Kind::metric)
        return Error{ErrorCode::unsupported, "a task metric cannot be made smaller: its rows are the task",
                     "--bad-when", "say verdict, bug or finding:ID"};
    LiveCaseOracle oracle(session, block, out.symptom);
    auto result = hunt::minimise(oracle, *start, out.request.options, progress, events);
    if (!result) return result.error();
    out.result = std::move(*result);
    return out;
}

} // namespace divdet
