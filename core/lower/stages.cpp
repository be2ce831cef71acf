#include "lower/stages.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "lower/pass_def.h"
#include "lower/passes/seed.h"

namespace divdet::lower {
namespace {

Stage stageOf(const PassChoice& choice) {
    return findPass(choice.id)->stage;
}

/// Applies the rewrites of one stage, each pass once to an op however often it is chosen. Which ops a choice
/// acts on is settled before the first rewrite.
block::BoundGraph rewritten(block::BoundGraph graph, Stage stage, const std::vector<PassChoice>& choices) {
    const block::BoundGraph before = graph;
    std::set<std::pair<std::string, std::size_t>> done;
    for (const PassChoice& choice : choices) {
        const PassDef& def = *passDef(choice.id);
        if (!def.rewrite || stageOf(choice) != stage) continue;
        const auto acting = actingOps(before, choice);
        for (std::size_t i = 0; i < graph.graph.ops.size(); ++i)
            if (std::count(acting.begin(), acting.end(), graph.graph.opName(graph.graph.ops[i])) &&
                done.emplace(choice.id, i).second)
                def.rewrite(graph, i, choice.variant);
    }
    return graph;
}

} // namespace

std::vector<PassChoice> forRun(std::vector<PassChoice> choices, std::uint64_t runNumber) {
    for (PassChoice& choice : choices)
        if (choice.variant.empty() && passDef(choice.id)->varies) choice.variant = seedVariant(runNumber);
    return choices;
}

std::vector<PassChoice> upTo(Stage last, const std::vector<PassChoice>& choices) {
    std::vector<PassChoice> kept;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(kept),
                 [last](const PassChoice& c) { return stageOf(c) <= last; });
    return kept;
}

block::BoundGraph captured(const block::BoundGraph& written, const std::vector<PassChoice>& choices) {
    return rewritten(written, Stage::capture, choices);
}

block::BoundGraph decomposed(const block::BoundGraph& graph, const std::vector<PassChoice>& choices) {
    return rewritten(graph, Stage::decompose, choices);
}

Result<LoweredGraph> programAfter(Stage last, const block::BoundGraph& written,
                                  const std::vector<PassChoice>& choices, std::uint64_t runNumber) {
    for (const PassChoice& choice : choices)
        if (auto s = checkFit(written, choice); !s) return s.error();
    const auto acting = forRun(upTo(last, choices), runNumber);
    return lowered(decomposed(captured(written, acting), acting), acting);
}

Result<LoweredGraph> lower(const block::BoundGraph& written, const std::vector<PassChoice>& choices,
                           std::uint64_t runNumber) {
    return programAfter(Stage::replay, written, choices, runNumber);
}

} // namespace divdet::lower
