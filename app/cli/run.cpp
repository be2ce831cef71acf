#include <iostream>

#include <fmt/format.h>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/comparison_text.h"
#include "cli/metric_options.h"
#include "cli/report_option.h"
#include "cli/sane_text.h"
#include "report/json_comparison.h"
#include "report/json_metric.h"
#include "session/choose_gemm.h"
#include "session/lists.h"
#include "session/make_report.h"
#include "session/run_block.h"
#include "session/sane/sane_json.h"
#include "session/save_taps.h"

namespace divdet::cli {
namespace {

constexpr double kUsualP = 1e-6;

struct Options {
    Common common;
    ToleranceOptions tolerance;
    MetricOptions metric;
    BlockRequest request;
    std::vector<std::string> passes, declared, dims, reports;
    std::map<std::string, std::optional<std::int64_t>> namedDims;
    std::string judge, reference = "fp32", gemm, graphOut, inputs, saveDump, saveReference, saveInputs;
    std::optional<double> p;
    bool noPasses = false, sane = false;
    int top = 0;
};

/// `--preset derived` is no pair of numbers: it stands for each tap's own.
Status fillDerived(Options& o) {
    if (o.tolerance.preset != "derived") {
        if (!o.p) return Done{};
        return Error{ErrorCode::usage, "p belongs to the derived tolerances", "--p", "add --preset derived"};
    }
    if (!o.tolerance.rtol.empty() || !o.tolerance.atol.empty())
        return Error{ErrorCode::usage, "every tap has its own derived tolerance", "--preset",
                     "leave out --rtol and --atol, or the preset"};
    if (!o.tolerance.rule.empty() && o.tolerance.rule != "allclose")
        return Error{ErrorCode::usage, "derived tolerances are of the rule allclose", "--rule",
                     "leave it out"};
    o.tolerance.preset.clear();
    o.request.derived = o.p.value_or(kUsualP);
    return Done{};
}

Status fill(Options& o) {
    if (auto s = fillDerived(o); !s) return s;
    for (const auto& text : o.passes) {
        auto choice = lower::parsePass(text);
        if (!choice) return choice.error();
        o.request.passes.push_back(std::move(*choice));
    }
    for (const auto& text : o.declared) {
        const auto choice = lower::parsePass(text);
        if (!choice) return choice.error();
        o.request.declared.push_back(choice->id);
    }
    for (const auto& [name, value] : o.namedDims)
        if (value) o.request.dims[name] = *value;
    for (const auto& text : o.dims) {
        const auto at = text.find('=');
        char* end = nullptr;
        const std::string digits = at == std::string::npos ? "" : text.substr(at + 1);
        const long long n = std::strtoll(digits.c_str(), &end, 10);
        if (at == 0 || digits.empty() || *end)
            return Error{ErrorCode::usage, fmt::format("'{}' is no dimension", text), "--dim",
                         "write tokens=64"};
        o.request.dims[text.substr(0, at)] = n;
    }
    if (o.reference == "fp64")
        o.request.reference = ReferenceKind::fp64;
    else if (o.reference != "fp32")
        return Error{ErrorCode::usage, fmt::format("'{}' is no reference", o.reference), "--reference",
                     "references are fp32, fp64"};
    // A graph from a file states the kinds of its inputs; --inputs overrides them.
    if (!o.inputs.empty())
        o.request.inputs = o.inputs;
    else if (o.request.block.starts_with("json:"))
        o.request.inputs.clear();
    o.request.judge = parseJudgeSelection(o.judge);
    if (auto s = o.metric.apply(o.request.metric); !s) return s;
    // No --pass at all is the block as the workbench opens it.
    if (o.passes.empty() && !o.noPasses) o.request.passes = startPasses(o.request.block);
    o.request.eachAlone = false;
    return Done{};
}

std::string headLine(const LiveResult& r) {
    std::string out = r.request.block;
    for (const auto& [name, value] : r.request.dims) out += fmt::format("  {} {}", name, value);
    out += fmt::format("  seed {}", r.request.seed);
    if (r.request.runNumber != 0) out += fmt::format("  run number {}", r.request.runNumber);
    out += fmt::format("  {}  reference {}\npasses:", r.request.device,
                       r.request.reference == ReferenceKind::fp64 ? "fp64" : "fp32");
    for (const auto& p : r.request.passes) out += " " + toString(p);
    if (r.request.passes.empty()) out += " none";
    if (r.request.derived)
        out +=
            fmt::format("\nderived tolerances: up to {} sigma, an honest run fails a tap with probability {}",
                        shortNumber(r.derivedK), shortNumber(*r.request.derived));
    return out + "\n\n";
}

Json document(const Options& o, const LiveResult& r, const Judgement& j, const MetricAnswer& metric) {
    Json out = toJson(*r.together, j, {"run", r.request.device, workerThreads(o.common), r.seconds});
    Json passes = Json::array();
    for (const auto& p : r.request.passes) passes.push_back(toString(p));
    out["block"] = {{"id", r.request.block},
                    {"dims", r.request.dims},
                    {"inputs", r.request.inputs.empty() ? Json(nullptr) : Json(r.request.inputs)},
                    {"input_file", r.request.inputFile.empty() ? Json(nullptr) : Json(r.request.inputFile)},
                    {"norm", r.request.norm.empty() ? Json(nullptr) : Json(r.request.norm)},
                    {"activation", r.request.activation.empty() ? Json(nullptr) : Json(r.request.activation)},
                    {"seed", r.request.seed},
                    {"run_number", r.request.runNumber},
                    {"reference", r.request.reference == ReferenceKind::fp64 ? "fp64" : "fp32"},
                    {"passes", passes}};
    if (r.request.derived) {
        out["derived"] = {{"p", *r.request.derived}, {"k", r.derivedK}, {"taps", Json::object()}};
        for (const auto& pair : r.together->pairs)
            if (pair.own)
                out["derived"]["taps"][pair.name] = {{"rtol", number(pair.own->rtol)},
                                                     {"atol", number(pair.own->atol)}};
    }
    for (const auto& n : r.notes) out["notes"].push_back(n);
    out["metric"] = toJson(metric, j);
    return out;
}

struct Sane {
    std::shared_ptr<const SaneRuns> runs;
    SaneTolerance tolerance;
};

Result<std::optional<Sane>> findSane(const Options& o, Session& session) {
    if (!o.sane) return std::optional<Sane>();
    auto runs = runSaneRuns(session, o.request, terminalProgress());
    endProgress();
    if (!runs) return runs.error();
    SaneTolerance tolerance = saneTolerance(**runs, o.request.tolerance);
    return std::optional<Sane>(Sane{std::move(*runs), std::move(tolerance)});
}

Status saveDumps(const Options& o, const LiveResult& r) {
    if (!o.saveDump.empty())
        if (auto s = saveTaps(*r.candidate, o.saveDump); !s) return s;
    return o.saveReference.empty() ? Status(Done{}) : saveTaps(*r.reference, o.saveReference);
}

int run(Options& o) {
    if (auto s = fill(o); !s) return fail(s.error());
    if (auto s = checkReports(o.reports); !s) return fail(s.error());
    for (const std::string& file : {o.saveDump, o.saveReference, o.saveInputs})
        if (auto s = checkDumpEnding(file); !file.empty() && !s) return fail(s.error());
    auto overrides = o.tolerance.parse();
    if (!overrides) return fail(overrides.error());
    o.request.tolerance = overrides->over({}); // a live block starts at the preset bf16
    const auto session = makeSession();
    auto device = chooseGemm(*session, o.request.device, o.gemm);
    if (!device) return fail(device.error());
    o.request.device = std::move(*device);
    if (!o.graphOut.empty())
        if (auto s = writeBlockGraph(*session, o.request, o.graphOut); !s) return fail(s.error());
    if (!o.saveInputs.empty())
        if (auto s = writeBlockInputs(*session, o.request, o.saveInputs); !s) return fail(s.error());
    auto result = runBlock(*session, o.request, terminalProgress());
    endProgress();
    if (!result) return fail(result.error());
    const LiveResult& r = **result;
    const Judgement j = judge(*r.together, o.request.tolerance);
    if (auto s = saveDumps(o, r); !s) return fail(s.error());
    MetricAnswer metric = metricAnswer(r);
    if (auto s = o.metric.runCommand(
            metric, {{"DIVDET_REFERENCE", o.saveReference}, {"DIVDET_CANDIDATE", o.saveDump}});
        !s)
        return fail(s.error());
    const auto sane = findSane(o, *session);
    if (!sane) return fail(sane.error());
    Json json = document(o, r, j, metric);
    json["sane_tolerance"] = *sane ? toJson(*(*sane)->runs, (*sane)->tolerance) : Json(nullptr);
    if (!writeJson(o.common, json)) return 2;
    if (!o.reports.empty()) {
        Report report{{reportSubject(r, j)}, text(json) + '\n'};
        report.subjects[0].metric = metric;
        if (!writeReports(o.reports, report)) return 2;
    }
    if (!o.common.jsonOnStdout()) {
        const Paint paint(o.common.noColour);
        std::cout << headLine(r) << comparisonText(*r.together, j, paint, o.top)
                  << metricText(metric, j, paint);
        for (const auto& n : r.notes) std::cout << "note: " << shown(n) << '\n';
        if (*sane) std::cout << '\n' << saneText(*(*sane)->runs, (*sane)->tolerance, paint);
    }
    return exitCode(metric.missed() ? worse(j.verdict, Verdict::outside) : j.verdict);
}

} // namespace

void addRun(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("run", "Run a block twice, as a reference and with passes on, and compare");
    verb->footer("Without --pass the block runs as the workbench opens it; --no-passes runs it plain.\n"
                 "Exit code: 0 within, 1 outside or a metric limit missed, 2 usage error, 3 no answer.\n"
                 "Example: divdet run mlp --pass reassociate=splitk:8 --pass tf32 --rtol 1e-5 --atol 1e-8");
    verb->add_option("block", o->request.block, "Which block: see divdet blocks; stack:N, json:FILE")
        ->required();
    verb->add_option("--pass", o->passes,
                     "A pass that is on: ID[=VARIANT][@OP,…] (repeat); see divdet passes")
        ->type_name("PASS");
    verb->add_option("--declare", o->declared,
                     "Bugs that count as drift here, because the backend is documented to do them: ID,…")
        ->delimiter(',')
        ->type_name("ID,…");
    verb->add_flag("--no-passes", o->noPasses, "No pass at all");
    addTolerance(*verb, o->tolerance);
    addRuleOptions(*verb, o->tolerance);
    verb->add_option("--p", o->p, "With --preset derived: how often an honest run may fail a tap (1e-6)")
        ->type_name("P");
    verb->add_flag("--sane-tolerance", o->sane,
                   "Also runs every drift pass and every bug that fits, each alone, and names the tolerance "
                   "in the middle between them; the exit code stays that of the run");
    verb->add_option("--device", o->request.device, "Where to run: see divdet devices")->type_name("ID");
    verb->add_option("--gemm", o->gemm,
                     "Matrix products on a GPU: own kernels, with the CPU twin's bits (default), or cublas; "
                     "with --device cuda:0 that is the device cuda:0/cublas")
        ->type_name("own|cublas");
    verb->add_option("--reference", o->reference, "fp32 in the published order (default), or fp64")
        ->type_name("fp32|fp64");
    for (const char* dim : {"tokens", "width", "hidden", "layers", "vocab", "heads", "k"})
        verb->add_option(std::string("--") + dim, o->namedDims[dim],
                         std::string("Size of the dimension ") + dim)
            ->type_name("N");
    verb->add_option("--dim", o->dims, "Size of any dimension (repeat)")->type_name("NAME=N");
    verb->add_option("--inputs", o->inputs,
                     "Kind of inputs: normal, positive, outlier-channel, large-mean, near-cancel, file")
        ->type_name("KIND");
    verb->add_option("--input-file", o->request.inputFile,
                     "Inputs and weights by name (npz, safetensors …); those not in it are drawn")
        ->type_name("FILE");
    verb->add_option("--norm", o->request.norm, "Norm of a block that has one: rms, layer")
        ->type_name("NORM");
    verb->add_option("--activation", o->request.activation,
                     "Activation of a block that has one: gelu, silu, relu")
        ->type_name("NAME");
    verb->add_option("--graph-out", o->graphOut, "Writes the block's graph as JSON, to be run as json:FILE")
        ->type_name("FILE");
    verb->add_option("--save-dump", o->saveDump,
                     "Writes the candidate's taps as .safetensors or .npz (there bf16 is void, as in numpy)")
        ->type_name("FILE");
    verb->add_option("--save-reference-dump", o->saveReference, "The same for the reference's taps")
        ->type_name("FILE");
    verb->add_option("--save-inputs", o->saveInputs,
                     "Inputs and weights by name, for compare --graph FILE --inputs FILE")
        ->type_name("FILE");
    verb->add_option("--seed", o->request.seed, "Seed of inputs and weights")->type_name("N");
    verb->add_option("--run-number", o->request.runNumber,
                     "Seed of passes that vary from run to run (atomics, race) and name none")
        ->type_name("N");
    verb->add_option("--judge", o->judge, "Taps that decide: outputs (default), all, or names with commas")
        ->type_name("outputs|all|TAP,…");
    verb->add_option("--top", o->top, "Show only the N taps that need most")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    addMetric(*verb, o->metric);
    addReport(*verb, o->reports);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
