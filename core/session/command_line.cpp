#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_text.h"
#include "base/shell_word.h"
#include "block/open_block.h"
#include "session/advise/advise.h"
#include "session/compare_dumps.h"
#include "session/run_block.h"

namespace divdet {
namespace {

std::string toleranceOptions(const Tolerance& t) {
    std::string out = fmt::format(" --rtol {} --atol {}", toleranceText(t.rtol), toleranceText(t.atol));
    if (t.rule != Rule::allclose) out += fmt::format(" --rule {}", toString(t.rule));
    if (t.equalNan) out += " --equal-nan";
    const RuleOptions plain, &o = t.options;
    if (o.infinitiesEqual) out += " --infinities-equal";
    if (o.errorQuantile != plain.errorQuantile) out += fmt::format(" --error-quantile {}", o.errorQuantile);
    if (o.rmseTol != plain.rmseTol) out += fmt::format(" --rmse-tol {}", toleranceText(o.rmseTol));
    if (o.rmseK) out += fmt::format(" --rmse-k {}", *o.rmseK);
    if (o.maxMismatchFraction > 0) out += fmt::format(" --max-mismatch-fraction {}", o.maxMismatchFraction);
    return out;
}

std::string judgeOption(const JudgeSelection& judge) {
    const std::string text = toString(judge);
    return text.empty() ? text : " --judge " + shellWord(text);
}

std::string metricOptions(const MetricRequest& metric) {
    std::string out;
    if (!metric.logits.empty()) out += " --logits " + shellWord(metric.logits);
    if (!metric.targets.empty()) out += " --targets " + shellWord(metric.targets);
    const auto add = [&out](const char* option, const std::optional<double>& limit) {
        if (limit) out += fmt::format(" {} {}", option, *limit);
    };
    add("--min-top1", metric.limits.minTop1);
    add("--min-accuracy", metric.limits.minAccuracy);
    add("--max-kl", metric.limits.maxKl);
    add("--max-ppl-delta", metric.limits.maxPplDelta);
    return out;
}

} // namespace

std::string blockWords(const BlockRequest& request) {
    std::string out = shellWord(request.block);
    if (auto graph = block::openBlock(request.block))
        for (const auto& d : graph->dims)
            if (const auto it = request.dims.find(d.name); it != request.dims.end() && it->second != d.value)
                out += fmt::format(" --dim {}={}", d.name, it->second);
    if (!request.norm.empty()) out += " --norm " + request.norm;
    if (!request.activation.empty()) out += " --activation " + request.activation;
    for (const auto& p : request.passes) out += " --pass " + shellWord(toString(p));
    if (request.inputs != "normal" && !request.inputs.empty()) out += " --inputs " + request.inputs;
    if (!request.inputFile.empty()) out += " --input-file " + shellWord(request.inputFile);
    if (request.seed != 0) out += fmt::format(" --seed {}", request.seed);
    for (const auto& id : request.declared) out += " --declare " + id;
    if (request.runNumber != 0) out += fmt::format(" --run-number {}", request.runNumber);
    if (!request.device.empty()) out += " --device " + request.device;
    return out;
}

std::string commandLine(const BlockRequest& request, const Tolerance& tolerance) {
    std::string out = "divdet run " + blockWords(request);
    if (request.reference == ReferenceKind::fp64) out += " --reference fp64";
    out += judgeOption(request.judge) + metricOptions(request.metric);
    if (request.derived)
        return out + fmt::format(" --preset derived --p {}", toleranceText(*request.derived));
    return out + toleranceOptions(tolerance);
}

namespace {

std::string openingOptions(const CompareRequest& request) {
    std::string out;
    const auto add = [&out](const char* option, const std::string& value) {
        if (!value.empty()) out += fmt::format(" {} {}", option, shellWord(value));
    };
    const auto side = [&](const std::string& name, const OpenOptions& open, const LoadOptions& load) {
        add(("--" + name + "-runner").c_str(), open.runner);
        add(("--" + name + "-field").c_str(), load.field);
        if (load.opaqueAs) add(("--" + name + "-dtype").c_str(), std::string(divdet::name(*load.opaqueAs)));
        if (!open.raw) return;
        add(("--" + name + "-dtype").c_str(), std::string(divdet::name(open.raw->dtype)));
        add(("--" + name + "-shape").c_str(),
            open.raw->shape.empty() ? "scalar" : fmt::format("{}", fmt::join(open.raw->shape, "x")));
    };
    side("reference", request.referenceOpen, request.referenceLoad);
    side("candidate", request.candidateOpen, request.candidateLoad);
    add("--ranks", toString(request.candidateOpen.ranks));
    add("--order", fmt::format("{}", fmt::join(request.pairing.order, ",")));
    if (request.shapes.squeeze) out += " --squeeze";
    if (request.shapes.reshape) out += " --reshape";
    for (const auto& tap : request.shapes.transpose) add("--transpose", tap);
    for (const auto& [r, c] : request.shapes.splits)
        add("--split", fmt::format("{}={}", fmt::join(r, ","), fmt::join(c, ",")));
    return out;
}

std::string knowledgeOptions(const JudgeOptions& o) {
    std::string out;
    if (!o.declare.empty()) out += " --declare " + shellWord(o.declare);
    if (!o.context.empty()) out += " --context " + shellWord(o.context);
    if (o.k) out += fmt::format(" --k {}", *o.k);
    if (!o.graph.empty()) out += " --graph " + shellWord(o.graph.string());
    if (!o.inputs.empty()) out += " --inputs " + shellWord(o.inputs.string());
    for (const auto& run : o.runs) out += " --run " + shellWord(run.string());
    for (const auto& [role, taps] : o.roles)
        out += " --role " + shellWord(fmt::format("{}={}", role, fmt::join(taps, ",")));
    if (!o.axes.empty()) out += " --axes " + shellWord(fmt::format("{}", fmt::join(o.axes, ",")));
    if (o.failOn == FailOn::bug) out += " --fail-on bug";
    return out;
}

} // namespace

std::string commandLine(const CompareRequest& request, const Tolerance& tolerance) {
    std::string out = "divdet compare " + shellWord(request.reference.string()) + " " +
                      shellWord(request.candidate.string());
    for (const auto& [r, c] : request.pairing.explicitPairs) out += " --pair " + shellWord(r + "=" + c);
    for (const auto& g : request.pairing.only) out += " --only " + shellWord(g);
    for (const auto& g : request.pairing.skip) out += " --skip " + shellWord(g);
    out += openingOptions(request);
    if (request.ignoreMissing) out += " --ignore-missing";
    if (!request.tolerancesFile.empty()) out += " --tolerances " + shellWord(request.tolerancesFile.string());
    if (!request.mask.empty()) out += " --mask " + shellWord(request.mask.string());
    if (!request.fp64.empty()) out += " --fp64 " + shellWord(request.fp64.string());
    out += knowledgeOptions(request.knowledge);
    return out + judgeOption(request.judge) + metricOptions(request.metric) + toleranceOptions(tolerance);
}

std::string commandLine(const AdviseRequest& request) {
    const AdviseRequest plain;
    std::string out = "divdet advise " + shellWord(request.op);
    for (const auto& [name, value] : request.sizes) out += fmt::format(" --{} {}", name, value);
    const auto add = [&out](const char* option, const std::string& value, const std::string& usual) {
        if (value != usual) out += fmt::format(" {} {}", option, shellWord(value));
    };
    add("--dtype", request.dtype, plain.dtype);
    add("--acc", request.accumulator, plain.accumulator);
    add("--out", request.output, plain.output);
    add("--inputs", request.inputs, plain.inputs);
    if (request.elements != 0) out += fmt::format(" --elements {}", request.elements);
    if (request.p != plain.p) out += fmt::format(" --p {}", toleranceText(request.p));
    if (request.rtol) out += fmt::format(" --rtol {}", toleranceText(*request.rtol));
    if (request.atol) out += fmt::format(" --atol {}", toleranceText(*request.atol));
    if (request.seed != 0) out += fmt::format(" --seed {}", request.seed);
    add("--device", request.device, plain.device);
    return out;
}

} // namespace divdet
