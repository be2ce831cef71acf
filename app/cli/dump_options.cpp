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
    request.squeeze = squeeze;
    request.ignoreMissing = ignoreMissing;
    request.referenceLoad.field = referenceField;
    request.candidateLoad.field = candidateField;
    if (auto s = parseInto(referenceDType, "--reference-dtype", request.referenceLoad.opaqueAs); !s) return s;
    return parseInto(candidateDType, "--candidate-dtype", request.candidateLoad.opaqueAs);
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

} // namespace divdet::cli
