#include <iostream>

#include <fmt/format.h>

#include "base/number_text.h"
#include "cli/block_options.h"
#include "cli/cli.h"
#include "cli/comparison_text.h"
#include "cli/report_option.h"
#include "cli/sane_text.h"
#include "report/json_comparison.h"
#include "report/json_metric.h"
#include "session/make_report.h"
#include "session/run_block.h"
#include "session/sane/sane_json.h"
#include "session/save_taps.h"

namespace divdet::cli {
namespace {

struct Options {
    Common common;
    BlockOptions block;
    std::vector<std::string> reports;
    std::string graphOut, saveDump, saveReference, saveInputs;
    bool sane = false;
    int top = 0;
};

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

Result<std::optional<Sane>> findSane(const Options& o, const BlockRequest& request, Session& session) {
    if (!o.sane) return std::optional<Sane>();
    auto runs = runSaneRuns(session, request, terminalProgress());
    endProgress();
    if (!runs) return runs.error();
    SaneTolerance tolerance = saneTolerance(**runs, request.tolerance);
    return std::optional<Sane>(Sane{std::move(*runs), std::move(tolerance)});
}

Status saveDumps(const Options& o, const LiveResult& r) {
    if (!o.saveDump.empty())
        if (auto s = saveTaps(*r.candidate, o.saveDump); !s) return s;
    return o.saveReference.empty() ? Status(Done{}) : saveTaps(*r.reference, o.saveReference);
}

int run(Options& o) {
    if (auto s = checkReports(o.reports); !s) return fail(s.error());
    for (const std::string& file : {o.saveDump, o.saveReference, o.saveInputs})
        if (auto s = checkDumpEnding(file); !file.empty() && !s) return fail(s.error());
    const auto session = makeSession();
    auto asked = o.block.request(*session);
    if (!asked) return fail(asked.error());
    const BlockRequest& request = *asked;
    if (!o.graphOut.empty())
        if (auto s = writeBlockGraph(*session, request, o.graphOut); !s) return fail(s.error());
    if (!o.saveInputs.empty())
        if (auto s = writeBlockInputs(*session, request, o.saveInputs); !s) return fail(s.error());
    auto result = runBlock(*session, request, terminalProgress());
    endProgress();
    if (!result) return fail(result.error());
    const LiveResult& r = **result;
    const Judgement j = judge(*r.together, request.tolerance);
    if (auto s = saveDumps(o, r); !s) return fail(s.error());
    MetricAnswer metric = metricAnswer(r);
    if (auto s = o.block.metric.runCommand(
            metric, {{"DIVDET_REFERENCE", o.saveReference}, {"DIVDET_CANDIDATE", o.saveDump}});
        !s)
        return fail(s.error());
    const auto sane = findSane(o, request, *session);
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
    verb->add_option("block", o->block.base.block, "Which block: see divdet blocks; stack:N, json:FILE")
        ->required();
    addBlock(*verb, o->block);
    verb->add_flag("--sane-tolerance", o->sane,
                   "Also runs every drift pass and every bug that fits, each alone, and names the tolerance "
                   "in the middle between them; the exit code stays that of the run");
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
    verb->add_option("--top", o->top, "Show only the N taps that need most")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    addReport(*verb, o->reports);
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
