#include "cli/block_options.h"

#include <fmt/format.h>

#include "session/choose_gemm.h"
#include "session/lists.h"

namespace divdet::cli {
namespace {

constexpr double kUsualP = 1e-6;

} // namespace

/// `--preset derived` is no pair of numbers: it stands for each tap's own.
Status BlockOptions::fillDerived(BlockRequest& request, ToleranceOptions& asked) const {
    if (asked.preset != "derived") {
        if (!p) return Done{};
        return Error{ErrorCode::usage, "p belongs to the derived tolerances", "--p", "add --preset derived"};
    }
    if (!asked.rtol.empty() || !asked.atol.empty())
        return Error{ErrorCode::usage, "every tap has its own derived tolerance", "--preset",
                     "leave out --rtol and --atol, or the preset"};
    if (!asked.rule.empty() && asked.rule != "allclose")
        return Error{ErrorCode::usage, "derived tolerances are of the rule allclose", "--rule",
                     "leave it out"};
    asked.preset.clear();
    request.derived = p.value_or(kUsualP);
    return Done{};
}

Status BlockOptions::fillPasses(BlockRequest& request) const {
    for (const auto& text : passes) {
        auto choice = lower::parsePass(text);
        if (!choice) return choice.error();
        request.passes.push_back(std::move(*choice));
    }
    for (const auto& text : declared) {
        const auto choice = lower::parsePass(text);
        if (!choice) return choice.error();
        request.declared.push_back(choice->id);
    }
    if (passes.empty() && !noPasses) request.passes = startPasses(request.block);
    return Done{};
}

Status BlockOptions::fillDims(BlockRequest& request) const {
    for (const auto& [name, value] : namedDims)
        if (value) request.dims[name] = *value;
    for (const auto& text : dims) {
        const auto at = text.find('=');
        char* end = nullptr;
        const std::string digits = at == std::string::npos ? "" : text.substr(at + 1);
        const long long n = std::strtoll(digits.c_str(), &end, 10);
        if (at == 0 || digits.empty() || *end)
            return Error{ErrorCode::usage, fmt::format("'{}' is no dimension", text), "--dim",
                         "write tokens=64"};
        request.dims[text.substr(0, at)] = n;
    }
    return Done{};
}

Result<BlockRequest> BlockOptions::request(const Session& session) const {
    BlockRequest out = base;
    ToleranceOptions asked = tolerance;
    if (auto s = fillDerived(out, asked); !s) return s.error();
    if (auto s = fillPasses(out); !s) return s.error();
    if (auto s = fillDims(out); !s) return s.error();
    if (reference == "fp64")
        out.reference = ReferenceKind::fp64;
    else if (reference != "fp32")
        return Error{ErrorCode::usage, fmt::format("'{}' is no reference", reference), "--reference",
                     "references are fp32, fp64"};
    // A graph from a file states the kinds of its inputs; --inputs overrides them.
    if (!inputs.empty())
        out.inputs = inputs;
    else if (out.block.starts_with("json:"))
        out.inputs.clear();
    out.judge = parseJudgeSelection(judge);
    if (auto s = metric.apply(out.metric); !s) return s.error();
    out.eachAlone = false;
    auto overrides = asked.parse();
    if (!overrides) return overrides.error();
    out.tolerance = overrides->over({}); // a live block starts at the preset bf16
    auto device = chooseGemm(session, out.device, gemm);
    if (!device) return device.error();
    out.device = std::move(*device);
    return out;
}

void addBlockRun(CLI::App& verb, BlockOptions& o) {
    verb.add_option("--pass", o.passes, "A pass that is on: ID[=VARIANT][@OP,…] (repeat); see divdet passes")
        ->type_name("PASS");
    verb.add_option("--device", o.base.device, "Where to run: see divdet devices")->type_name("ID");
    verb.add_option("--gemm", o.gemm,
                    "Matrix products on a GPU: own kernels, with the CPU twin's bits (default), or cublas; "
                    "with --device cuda:0 that is the device cuda:0/cublas")
        ->type_name("own|cublas");
    for (const char* dim : {"tokens", "width", "hidden", "layers", "vocab", "heads", "k"})
        verb.add_option(std::string("--") + dim, o.namedDims[dim],
                        std::string("Size of the dimension ") + dim)
            ->type_name("N");
    verb.add_option("--dim", o.dims, "Size of any dimension (repeat)")->type_name("NAME=N");
    verb.add_option("--inputs", o.inputs,
                    "Kind of inputs: normal, positive, outlier-channel, large-mean, near-cancel, file")
        ->type_name("KIND");
    verb.add_option("--input-file", o.base.inputFile,
                    "Inputs and weights by name (npz, safetensors …); those not in it are drawn")
        ->type_name("FILE");
    verb.add_option("--norm", o.base.norm, "Norm of a block that has one: rms, layer")->type_name("NORM");
    verb.add_option("--activation", o.base.activation, "Activation of a block that has one: gelu, silu, relu")
        ->type_name("NAME");
    verb.add_option("--seed", o.base.seed, "Seed of inputs and weights")->type_name("N");
    verb.add_option("--run-number", o.base.runNumber,
                    "Seed of passes that vary from run to run (atomics, race) and name none")
        ->type_name("N");
}

void addBlock(CLI::App& verb, BlockOptions& o) {
    addBlockRun(verb, o);
    verb.add_flag("--no-passes", o.noPasses, "No pass at all");
    verb.add_option("--declare", o.declared,
                    "Bugs that count as drift here, because the backend is documented to do them: ID,…")
        ->delimiter(',')
        ->type_name("ID,…");
    addTolerance(verb, o.tolerance);
    addRuleOptions(verb, o.tolerance);
    verb.add_option("--p", o.p, "With --preset derived: how often an honest run may fail a tap (1e-6)")
        ->type_name("P");
    verb.add_option("--reference", o.reference, "fp32 in the published order (default), or fp64")
        ->type_name("fp32|fp64");
    verb.add_option("--judge", o.judge, "Taps that decide: outputs (default), all, or names with commas")
        ->type_name("outputs|all|TAP,…");
    addMetric(verb, o.metric);
}

} // namespace divdet::cli
