#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/terminal.h"
#include "session/advise/advise.h"
#include "session/advise/advise_json.h"
#include "session/advise/advise_snippets.h"

namespace divdet::cli {
namespace {

constexpr const char* kTools[] = {"torch", "numpy", "polygraphy"};

struct Options {
    Common common;
    ToleranceOptions tolerance;
    AdviseRequest request;
    std::map<std::string, std::optional<std::int64_t>> sizes;
    std::string snippet;
};

std::string percent(double share) {
    return share > 0 && share < 0.01 ? shortNumber(share * 100) + " %" : fmt::format("{:.3g} %", share * 100);
}

std::string pairText(const Tolerance& t) {
    return fmt::format("rtol {}  atol {}", toleranceText(t.rtol), toleranceText(t.atol));
}

std::string powerText(const Advice& a) {
    if (a.power.empty()) return "no fault of the table fits this op\n";
    std::vector<Table::Column> columns{{"fault"}, {"caught", true}};
    if (a.given) columns.push_back({"by yours", true});
    columns.push_back({"runs", true});
    columns.push_back({""});
    Table t(columns);
    for (const FaultPower& p : a.power) {
        std::vector<std::string> row{p.fault, percent(p.recommended)};
        if (a.given) row.push_back(percent(*p.given));
        row.push_back(std::to_string(p.runs));
        row.push_back(p.text);
        t.row(std::move(row));
    }
    return t.text();
}

std::string givenText(const GivenTolerance& g) {
    std::string out = fmt::format("yours        {}  is {}: ", pairText(g.tolerance), toString(g.verdict));
    if (g.verdict == ToleranceVerdict::flaky)
        return out + fmt::format("an honest run fails with probability {}\n", shortNumber(g.falseAlarm));
    if (g.verdict == ToleranceVerdict::blind)
        return out +
               fmt::format("it misses {}, which the recommended one catches\n", fmt::join(g.blindTo, ", "));
    return out + fmt::format("an honest run fails with probability {}, and it catches what can be caught\n",
                             shortNumber(g.falseAlarm));
}

std::string adviceText(const Advice& a, const Options& o) {
    std::string out = a.what + fmt::format("\n{} elements compared with {}; {} draws on {}\n\n",
                                           countText(a.elements), a.reference, a.draws, a.request.device);
    out += fmt::format("recommended  {}  honest runs fail with probability {} (asked: {})\n",
                       pairText(a.recommended), shortNumber(a.falseAlarm), shortNumber(a.request.p));
    out += fmt::format("linked       {}  {}\n", pairText(a.linked), shortNumber(a.linkedAlarm));
    if (a.lossless)
        out += fmt::format("lossless     {}  beyond it {} is missed\n", pairText(*a.lossless), a.firstLost);
    if (a.loosest)
        out += fmt::format("loosest      {}  beyond it nothing of the table is caught, not even {}\n",
                           pairText(*a.loosest), a.loosestCatches);
    if (a.given) out += givenText(*a.given);
    out += '\n' + powerText(a);
    for (const auto& n : a.notes) out += "note: " + n + '\n';
    out += "\nto paste into a test:\n";
    for (const char* tool : kTools)
        if (o.snippet.empty() || o.snippet == tool) out += snippet(a, tool);
    return out;
}

Status fill(Options& o) {
    for (const auto& [name, value] : o.sizes)
        if (value) o.request.sizes[name] = *value;
    const auto t = o.tolerance.parse();
    if (!t) return t.error();
    o.request.rtol = t->rtol;
    o.request.atol = t->atol;
    if (!o.snippet.empty() && std::find(std::begin(kTools), std::end(kTools), o.snippet) == std::end(kTools))
        return Error{ErrorCode::usage, fmt::format("there is no snippet for '{}'", o.snippet), "--snippet",
                     fmt::format("choose one of {}", fmt::join(kTools, ", "))};
    return Done{};
}

int run(Options& o) {
    if (auto s = fill(o); !s) return fail(s.error());
    const auto session = makeSession();
    const auto result = advise(*session, o.request, terminalProgress());
    endProgress();
    if (!result) return fail(result.error());
    const Advice& a = **result;
    if (!writeJson(o.common, toJson(a))) return 2;
    if (!o.common.jsonOnStdout()) std::cout << adviceText(a, o);
    return a.given && a.given->verdict != ToleranceVerdict::fine ? 1 : 0;
}

} // namespace

void addAdvise(CLI::App& app, int& exitCode) {
    auto o = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("advise", "Which tolerance a test of an op should have, and what it would miss");
    verb->footer("Exit code: 0, or 1 when the tolerance given with --rtol and --atol is flaky or blind.\n"
                 "Example: divdet advise matmul --m 64 --n 64 --k 4096 --dtype bf16 --p 1e-6\n"
                 "What the words mean: divdet help advise");
    verb->add_option("op", o->request.op,
                     fmt::format("{}, or a block of divdet blocks", fmt::join(adviseOps(), ", ")))
        ->required();
    const std::pair<const char*, const char*> sizes[] = {
        {"m", "Rows of the result (attention: queries; conv: side of the image; a block: tokens)"},
        {"n", "Columns of the result (attention: keys; conv: output channels; a block: hidden)"},
        {"k", "Length of the sums or of a row (attention: head size; conv: channels, 3 x 3; a block: width)"},
        {"layers", "Layers of a stack"},
        {"heads", "Heads of a block that has them"},
        {"vocab", "Size of the vocabulary of a block that has one"}};
    for (const auto& [name, text] : sizes)
        verb->add_option(std::string("--") + name, o->sizes[name], text)->type_name("N");
    verb->add_option("--dtype", o->request.dtype, "Operands: f32 (default), tf32, bf16, fp16, int8, fp8")
        ->type_name("DTYPE");
    verb->add_option("--acc", o->request.accumulator, "Accumulator: f32 (default), fp16, bf16")
        ->type_name("DTYPE");
    verb->add_option("--out", o->request.output,
                     "Result: f32, bf16, fp16 (default: as the operands are stored)")
        ->type_name("DTYPE");
    verb->add_option("--inputs", o->request.inputs,
                     "Kind of inputs: normal (default), positive, outlier-channel, large-mean, near-cancel")
        ->type_name("KIND");
    verb->add_option("--elements", o->request.elements,
                     "Elements a run of the test compares (default: the whole result)")
        ->type_name("N");
    verb->add_option("--p", o->request.p, "How often an honest run may fail (default 1e-6)")->type_name("P");
    verb->add_option("--rtol", o->tolerance.rtol, "A tolerance to judge: flaky, fine or blind")
        ->type_name("X");
    verb->add_option("--atol", o->tolerance.atol, "With it")->type_name("X");
    verb->add_option("--snippet", o->snippet, "Only the lines of one tool: torch, numpy, polygraphy")
        ->type_name("TOOL");
    verb->add_option("--seed", o->request.seed, "Seed of the first draw")->type_name("N");
    verb->add_option("--device", o->request.device, "Whose arithmetic: see divdet devices")->type_name("ID");
    addCommon(*verb, o->common);
    verb->callback([o, &exitCode] { exitCode = run(*o); });
}

} // namespace divdet::cli
