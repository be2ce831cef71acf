#include "session/advise/fault_runs.h"

#include <algorithm>
#include <cmath>

#include "lower/pass_info.h"

namespace divdet {

double FaultRuns::caught(const Tolerance& t) const {
    if (runs.empty()) return 0;
    const auto n = std::count_if(runs.begin(), runs.end(), [&](const FaultRun& r) { return r.caughtBy(t); });
    return static_cast<double>(n) / static_cast<double>(runs.size());
}

double FaultRuns::acting() const {
    if (runs.empty()) return 0;
    const auto n = std::count_if(runs.begin(), runs.end(), [](const FaultRun& r) { return r.differs; });
    return static_cast<double>(n) / static_cast<double>(runs.size());
}

std::vector<FaultRuns> fittingFaults(const AdvisedBlock& block) {
    std::vector<FaultRuns> out;
    for (const lower::PassInfo& info : lower::passList()) {
        if (info.kind != lower::PassKind::bug || info.id == "crash") continue;
        const bool needsInt8 = info.id == "clip-calibration" || info.id == "wrong-scale";
        if (needsInt8 && block.operands != "int8") continue;
        auto variants = info.variants;
        if (variants.empty()) variants.emplace_back();
        for (const auto& variant : variants) {
            lower::PassChoice choice{info.id, variant, {}};
            if (!lower::checkFit(block.block, choice)) continue;
            if (std::count(block.declared.begin(), block.declared.end(), choice)) continue;
            out.push_back({std::move(choice), info.title, {}});
        }
    }
    return out;
}

Status addRun(FaultRuns& fault, const AdvisedBlock& block, const Draw& draw,
              const std::vector<double>& honest, const AdviseTarget& target, const Progress& progress) {
    const auto c = outputsOf(block, draw, {fault.choice}, target, progress);
    if (!c) return c.error();
    FrontierBuilder builder;
    FaultRun run;
    for (std::size_t i = 0; i < c->size(); ++i) {
        const double r = draw.reference[i], x = (*c)[i];
        run.differs = run.differs || !(x == honest[i] || (std::isnan(x) && std::isnan(honest[i])));
        if (!std::isfinite(r)) continue;
        if (!std::isfinite(x))
            run.spoilt = true;
        else if (x != r)
            builder.add(std::abs(r), std::abs(x - r));
    }
    run.frontier = builder.finish();
    fault.runs.push_back(std::move(run));
    return Done{};
}

} // namespace divdet
