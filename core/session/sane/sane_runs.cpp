#include "session/sane/sane_runs.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "lower/pass_info.h"
#include "session/block_setup.h"
#include "session/tap_pairs.h"

namespace divdet {
namespace {

using lower::PassChoice;
using lower::PassInfo;

bool contains(const std::vector<PassChoice>& list, const PassChoice& choice) {
    return std::find(list.begin(), list.end(), choice) != list.end();
}

/// What of a pass is run: what is on, then the listed variants that fit; of drift only the default one.
std::vector<PassChoice> variantsOf(const PassInfo& info, bool onlyDefault, const BlockRequest& request,
                                   const block::BoundGraph& graph) {
    std::vector<PassChoice> out;
    for (const PassChoice& p : request.passes)
        if (p.id == info.id && !contains(out, p)) out.push_back(p);
    std::vector<std::string> listed = info.variants;
    if (listed.empty()) listed.emplace_back();
    if (onlyDefault) listed.resize(1);
    for (const std::string& variant : listed) {
        PassChoice choice{info.id, variant, {}};
        if (!contains(out, choice) && lower::checkFit(graph, choice)) out.push_back(std::move(choice));
    }
    return out;
}

/// Judged alone: a tap that is fused away needs no tolerance.
std::shared_ptr<const Comparison> withoutMissing(const Comparison& comparison) {
    auto out = withoutElements(comparison);
    out->missingJudged = false;
    return out;
}

} // namespace

std::string nameOf(const SaneRun& run) {
    if (run.kind == SaneKind::together || run.passes.empty()) return "all together";
    return lower::toString(run.passes.front());
}

std::vector<SaneRun> planSaneRuns(const BlockRequest& request, const block::BoundGraph& graph) {
    std::vector<SaneRun> drift, faults;
    std::vector<PassChoice> together;
    for (const PassInfo& info : lower::passList()) {
        if (info.id == "crash") continue;
        const bool isDriftKind = info.kind == lower::PassKind::drift;
        for (PassChoice& choice : variantsOf(info, isDriftKind, request, graph)) {
            const bool on = contains(request.passes, choice);
            if (isDrift(choice, request)) {
                if (on) together.push_back(choice);
                drift.push_back({SaneKind::drift, on, {std::move(choice)}, nullptr});
            } else {
                faults.push_back({SaneKind::fault, on, {std::move(choice)}, nullptr});
            }
        }
    }
    if (together.size() > 1) drift.push_back({SaneKind::together, true, std::move(together), nullptr});
    drift.insert(drift.end(), std::make_move_iterator(faults.begin()), std::make_move_iterator(faults.end()));
    return drift;
}

Result<std::shared_ptr<const SaneRuns>> runSaneRuns(Session& session, const BlockRequest& request,
                                                    const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    // What is said of the single ops of a run would drown what is said of the runs.
    const Progress quiet{nullptr, progress.token};
    progress(0, 0, "reference");
    auto setup = prepareBlock(session, request, quiet);
    if (!setup) return setup.error();
    auto out = std::make_shared<SaneRuns>();
    out->request = request;
    out->request.device = setup->device.device.id;
    for (const auto& [name, value] : setup->graph.dims) out->request.dims[name] = value;
    out->opsRun = setup->reference.opsRun;
    out->opsCached = setup->reference.opsCached;
    out->runs = planSaneRuns(request, setup->graph);
    const auto outputs = setup->graph.graph.outputs();
    for (std::size_t i = 0; i < out->runs.size(); ++i) {
        SaneRun& run = out->runs[i];
        progress(i, out->runs.size(), nameOf(run));
        auto taps = runWithPasses(session, *setup, run.passes, request, nullptr, quiet);
        if (!taps && taps.error().code == ErrorCode::cancelled) return taps.error();
        if (!taps) { // the others still say where the window lies
            out->notes.push_back(fmt::format("{} is left out: {}", nameOf(run), taps.error().message));
            continue;
        }
        out->opsRun += taps->opsRun;
        out->opsCached += taps->opsCached;
        auto comparison =
            compareTaps(setup->reference, *taps, outputs, request.judge, request.tolerance, true, quiet);
        if (!comparison) return comparison.error();
        run.comparison = withoutMissing(**comparison);
    }
    std::erase_if(out->runs, [&](const SaneRun& run) {
        if (!run.comparison) return true; // said already
        if (!run.comparison->pairs.empty()) return false;
        out->notes.push_back(nameOf(run) + " is left out: it fuses every judged tap away");
        return true;
    });
    progress(out->runs.size(), out->runs.size());
    out->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::shared_ptr<const SaneRuns>(std::move(out));
}

} // namespace divdet
