#include "cli/dump_options.h"

#include <fstream>

#include <fmt/format.h>

#include "base/split.h"

namespace divdet::cli {
namespace {

/// `REF=CAND`; names may hold a `=` only on the right.
Result<std::pair<std::string, std::string>> pairOf(const std::string& text, const std::string& where) {
    const auto at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        return Error{ErrorCode::usage, fmt::format("'{}' is no pair", text), where,
                     "write reference-name=candidate-name"};
    return std::pair{text.substr(0, at), text.substr(at + 1)};
}

/// A pair a line; empty lines and lines that start with # are skipped.
Status readMap(const std::string& path, CompareRequest& request) {
    std::ifstream in(path);
    if (!in)
        return Error{ErrorCode::io, "the pairing file cannot be opened", path,
                     "--map takes a text file with reference=candidate lines"};
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        auto p = pairOf(line, fmt::format("{}, line {}", path, number));
        if (!p) return p.error();
        request.pairing.explicitPairs.push_back(std::move(*p));
    }
    return Done{};
}

Status parseInto(const std::string& text, const char* option, std::optional<DType>& out) {
    if (text.empty()) return Done{};
    out = parseDType(text);
    if (out) return Done{};
    return Error{ErrorCode::usage, fmt::format("'{}' is no dtype", text), option,
                 "dtypes are f64 f32 f16 bf16 f8e4m3 f8e5m2 i8…i64 u8…u64 bool c64 c128"};
}

/// A shape makes the file a raw one; the dtype that otherwise is for void data is then that of the file.
Status rawInto(const std::string& text, const char* option, LoadOptions& load, OpenOptions& open) {
    if (text.empty()) return Done{};
    const auto shape = parseShape(text);
    if (!shape)
        return Error{ErrorCode::usage, fmt::format("'{}' is no shape", text), option,
                     "write 3x4 or 3,4, or scalar"};
    if (!load.opaqueAs)
        return Error{ErrorCode::usage, "a raw file needs a dtype beside its shape", option,
                     "name it with --reference-dtype or --candidate-dtype"};
    open.raw = RawFormat{*load.opaqueAs, *shape};
    load.opaqueAs.reset();
    return Done{};
}

} // namespace

Status DumpOptions::apply(CompareRequest& request) const {
    request.reference = reference;
    for (const auto& text : pairs) {
        auto p = pairOf(text, "--pair");
        if (!p) return p.error();
        request.pairing.explicitPairs.push_back(std::move(*p));
    }
    if (!map.empty())
        if (auto s = readMap(map, request); !s) return s;
    if (!tolerances.empty()) {
        auto list = readTapTolerances(tolerances);
        if (!list) return list.error();
        request.tapTolerances = std::move(*list);
        request.tolerancesFile = tolerances;
    }
    request.mask = mask;
    request.fp64 = fp64;
    request.pairing.only = only;
    request.pairing.skip = skip;
    for (const auto& part : order)
        for (auto& n : split(part, ',')) request.pairing.order.push_back(std::move(n));
    request.shapes.squeeze = squeeze;
    request.shapes.reshape = reshape;
    request.shapes.transpose = transpose;
    for (const auto& text : splits) {
        auto p = pairOf(text, "--split");
        if (!p) return p.error();
        request.shapes.splits.emplace_back(split(p->first, ','), split(p->second, ','));
    }
    request.ignoreMissing = ignoreMissing;
    request.referenceLoad.field = referenceField;
    request.candidateLoad.field = candidateField;
    if (auto s = parseInto(referenceDType, "--reference-dtype", request.referenceLoad.opaqueAs); !s) return s;
    if (auto s = parseInto(candidateDType, "--candidate-dtype", request.candidateLoad.opaqueAs); !s) return s;
    if (auto s = applyKnowledge(request.knowledge); !s) return s;
    return applyOpening(request);
}

Status DumpOptions::applyKnowledge(JudgeOptions& o) const {
    o.declare = declare;
    o.context = context;
    o.k = k;
    o.inputs = inputs;
    o.graph = graph;
    o.runs.assign(runs.begin(), runs.end());
    for (const auto& text : roles) {
        auto role = parseRole(text);
        if (!role) return role.error();
        o.roles.push_back(std::move(*role));
    }
    for (const auto& part : axes)
        for (auto& n : split(part, ',')) o.axes.push_back(std::move(n));
    return Done{};
}

Status DumpOptions::applyOpening(CompareRequest& request) const {
    request.referenceOpen.runner = referenceRunner;
    request.candidateOpen.runner = candidateRunner;
    if (!ranks.empty()) {
        const auto join = parseRankJoin(ranks);
        if (!join)
            return Error{ErrorCode::usage, fmt::format("'{}' joins no ranks", ranks), "--ranks",
                         "write concat:AXIS, sum or replicas"};
        request.referenceOpen.ranks = request.candidateOpen.ranks = *join;
    }
    if (auto s = rawInto(referenceShape, "--reference-shape", request.referenceLoad, request.referenceOpen);
        !s)
        return s;
    return rawInto(candidateShape, "--candidate-shape", request.candidateLoad, request.candidateOpen);
}

void addPairing(CLI::App& verb, DumpOptions& o) {
    const char* group = "Pairing";
    verb.add_option("--pair", o.pairs, "Compare this reference tap with that candidate tap (repeat)")
        ->type_name("REF=CAND")
        ->group(group);
    verb.add_option("--map", o.map, "A file with REF=CAND lines")->type_name("FILE")->group(group);
    verb.add_option("--only", o.only, "Only taps whose name matches (repeat)")
        ->type_name("GLOB")
        ->group(group);
    verb.add_option("--skip", o.skip, "Not the taps whose name matches (repeat)")
        ->type_name("GLOB")
        ->group(group);
    verb.add_option("--order", o.order, "Order of execution, names with commas")
        ->type_name("A,B,…")
        ->group(group);
    verb.add_flag("--squeeze", o.squeeze, "Compare without dims of size 1")->group(group);
    verb.add_flag("--reshape", o.reshape,
                  "Compare shapes of equally many elements in row-major order, as [B,T,D] with [B*T,D]")
        ->group(group);
    verb.add_option("--transpose", o.transpose, "Compare the transpose of this candidate tap (repeat)")
        ->type_name("TAP")
        ->group(group);
    verb.add_option("--split", o.splits, "One tap against several, as qkv=q,k,v or q,k,v=qkv (repeat)")
        ->type_name("REF=CAND")
        ->group(group);
    verb.add_option("--ranks", o.ranks,
                    "Join the taps of a folder of ranks: end to end along an axis, added, or each compared")
        ->type_name("concat:AXIS|sum|replicas")
        ->group(group);
    verb.add_option("--reference-runner", o.referenceRunner, "Runner in a Polygraphy file with several")
        ->type_name("NAME")
        ->group(group);
    verb.add_option("--candidate-runner", o.candidateRunner, "Runner in a Polygraphy file with several")
        ->type_name("NAME")
        ->group(group);
    verb.add_option("--reference-shape", o.referenceShape,
                    "The reference is a raw file of this shape and --reference-dtype")
        ->type_name("3x4")
        ->group(group);
    verb.add_option("--candidate-shape", o.candidateShape,
                    "The candidate is a raw file of this shape and --candidate-dtype")
        ->type_name("3x4")
        ->group(group);
    verb.add_flag("--ignore-missing", o.ignoreMissing, "Taps on one side only do not count")->group(group);
    verb.add_option("--reference-dtype", o.referenceDType, "What untyped (void) data of the reference is")
        ->type_name("DTYPE")
        ->group(group);
    verb.add_option("--candidate-dtype", o.candidateDType, "What untyped (void) data of the candidate is")
        ->type_name("DTYPE")
        ->group(group);
    verb.add_option("--reference-field", o.referenceField, "Field of structured data")
        ->type_name("NAME")
        ->group(group);
    verb.add_option("--candidate-field", o.candidateField, "Field of structured data")
        ->type_name("NAME")
        ->group(group);
}

void addSideFiles(CLI::App& verb, DumpOptions& o) {
    verb.add_option("--tolerances", o.tolerances,
                    "Tolerances per tap: lines GLOB RTOL ATOL [RULE], or JSON; the first match counts")
        ->type_name("FILE")
        ->group("Rules");
    verb.add_option("--mask", o.mask,
                    "Which elements to compare: bool, true = compare; one tensor, or one per tap by name")
        ->type_name("FILE")
        ->group("Rules");
    verb.add_option("--fp64", o.fp64, "The reference in double, for the rule eager-rmse")
        ->type_name("FILE")
        ->group("Rules");
}

void addKnowledge(CLI::App& verb, DumpOptions& o) {
    const char* group = "Knowledge for the judge (divdet help declare)";
    verb.add_option("--declare", o.declare,
                    "Lossy steps that are there on purpose, or the profile of a backend: tf32, bf16-output, "
                    "torch-cuda-default …")
        ->type_name("LOSSY,…")
        ->group(group);
    verb.add_option("--context", o.context, R"(What is known of the operator: {"op":"matmul","K":256})")
        ->type_name("JSON")
        ->group(group);
    verb.add_option("--k", o.k, "Length of the sums in the operator")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->group(group);
    verb.add_option(
            "--graph", o.graph,
            "What the candidate computed, as JSON with its taps' names (divdet help graph): every op is "
            "judged on what it read")
        ->type_name("FILE")
        ->group(group);
    verb.add_option("--inputs", o.inputs,
                    "The operator's inputs, as the reference read them; with --graph its inputs and weights")
        ->type_name("FILE")
        ->group(group);
    verb.add_option("--run", o.runs, "A further run of the candidate (repeat)")
        ->type_name("FILE")
        ->group(group);
    verb.add_option("--role", o.roles, "What taps are: input, param, grad … (repeat)")
        ->type_name("ROLE=TAP,…")
        ->group(group);
    verb.add_option("--axes", o.axes, "Names of the axes, outermost first")->type_name("A,B,…")->group(group);
}

} // namespace divdet::cli
