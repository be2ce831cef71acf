#include "judge/live/hypotheses.h"

#include <algorithm>
#include <cstring>

#include "lower/lower.h"
#include "lower/pass_info.h"
#include "run/replay.h"
#include "run/run_op.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

std::vector<lower::PassChoice> choicesFor(const block::BoundGraph& written, const std::string& op,
                                          const std::vector<lower::PassChoice>& declared) {
    std::vector<lower::PassChoice> out;
    for (const lower::PassKind kind : {lower::PassKind::bug, lower::PassKind::drift})
        for (const lower::PassInfo& info : lower::passList()) {
            if (info.kind != kind || info.varies || info.id == "crash") continue;
            const auto variants = info.variants.empty() ? std::vector<std::string>{""} : info.variants;
            for (const std::string& variant : variants) {
                lower::PassChoice choice{info.id, variant, {op}};
                const bool on = std::any_of(declared.begin(), declared.end(), [&](const auto& d) {
                    return d.id == choice.id && d.variant == choice.variant;
                });
                if (!on && lower::checkFit(written, choice)) out.push_back(std::move(choice));
            }
        }
    return out;
}

bool sameBits(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.elements() != b.elements()) return false;
    const Tensor x = compacted(a), y = compacted(b);
    const std::size_t bytes = static_cast<std::size_t>(x.elements()) * itemSize(x.dtype());
    return bytes == 0 || std::memcmp(x.view().data, y.view().data, bytes) == 0;
}

/// What the op gives under these passes; an error where it cannot be run.
Result<Tensor> tried(const local::RecordedRun& run, const block::BoundGraph& written, std::size_t at,
                     const std::vector<lower::PassChoice>& passes, const run::Target& target,
                     const RunProgram& whole, const Progress& progress) {
    const block::ValueIndex output = run.declared.ops[at].output;
    const auto lowered = lower::lower(written, passes);
    if (!lowered) return lowered.error();
    if (run::needsReplay(*lowered)) {
        if (!whole) return Error{ErrorCode::unsupported, "whole programs are not tried", "", ""};
        const auto taps = whole(*lowered);
        if (!taps) return taps.error();
        if (const run::Tap* tap = taps->find(written.graph.values[output].name)) return tap->tensor;
    }
    for (std::size_t i = 0; i < lowered->ops.size(); ++i) {
        if (lowered->ops[i].output != output) continue;
        const local::RecordedRun assumed{*lowered, run.inputs, run.candidate, run.arch, run.order};
        const auto read = local::inputsRead(assumed, i);
        if (!read) return read.error();
        return run::runOp(*lowered, lowered->ops[i], *read, {}, target, progress);
    }
    return Error{ErrorCode::notFound, "the op is fused away", "", ""};
}

} // namespace

Result<std::optional<lower::PassChoice>> passWithTheseBits(const local::RecordedRun& run,
                                                           const block::BoundGraph& written, std::size_t at,
                                                           const run::Target& target, const RunProgram& whole,
                                                           const Progress& progress) {
    const lower::LoweredOp& judged = run.declared.ops[at];
    const run::Tap* recorded = run.candidate.find(written.graph.values[judged.output].name);
    if (!recorded) return std::optional<lower::PassChoice>{};
    for (lower::PassChoice& choice : choicesFor(written, judged.name, run.declared.passes)) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        auto passes = run.declared.passes;
        passes.push_back(choice);
        const auto out = tried(run, written, at, passes, target, whole, progress);
        if (out && sameBits(*out, recorded->tensor))
            return std::optional<lower::PassChoice>(std::move(choice));
    }
    return std::optional<lower::PassChoice>{};
}

} // namespace divdet
