#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_text.h"
#include "report/escape.h"
#include "session/repro/repro.h"
#include "session/repro/repro_folder.h"

namespace divdet {
namespace {

std::string passesOf(const Repro& repro) {
    std::vector<std::string> out;
    for (const auto& pass : repro.theCase.passes) out.push_back(markdownCode(toString(pass)));
    return fmt::format("{}", fmt::join(out, ", "));
}

std::string opLines(const hunt::Case& c) {
    const auto bound = block::bind(c.graph);
    if (!bound) return {};
    std::string out;
    for (const block::Op& op : bound->graph.ops) {
        std::vector<std::string> shapes;
        for (const block::ValueIndex in : op.inputs) shapes.push_back(toString(bound->shapes[in]));
        out += fmt::format("- {}: {} of {} gives {}\n", markdownCode(bound->graph.opName(op)),
                           block::name(op.kind), fmt::join(shapes, ", "), toString(bound->shapes[op.output]));
    }
    return out;
}

/// As far as verdict and class go: numbers within the tolerance are not wrong because a bug made them.
std::string whatItDoes(const Repro& r) {
    if (r.symptom.bad.kind == BadWhen::Kind::crash) return "ends in an error";
    if (r.verdict == toString(Verdict::outside)) return "gives a wrong result";
    if (r.pairClass == toString(PairClass::bug)) return "does not do the declared arithmetic";
    if (r.symptom.bad.kind == BadWhen::Kind::finding)
        return fmt::format("gives a result with the finding {}", markdownCode(r.symptom.bad.finding));
    return "gives another result";
}

std::string minimisedLines(const hunt::MinimiseResult& m) {
    std::string out = fmt::format("\n## How it became small\n\nFrom {} to {} in {} runs{}.\n\n",
                                  toString(m.sizeBefore), toString(m.sizeAfter), m.runs,
                                  m.complete    ? ""
                                  : m.cancelled ? ", then it was cancelled: it may become smaller still"
                                                : ", which was the limit: it may become smaller still");
    for (const std::string& line : m.story) out += fmt::format("- {}\n", markdownText(line, 2000));
    return out;
}

} // namespace

std::string reproMarkdown(const Repro& r, const ReproRun& run, const hunt::MinimiseResult* minimised,
                          const std::string& noScript) {
    std::string out = fmt::format("# {} {}\n\n{} {}.\n\n", passesOf(r), whatItDoes(r), kReproMark,
                                  markdownText(r.toolVersion));
    out += opLines(r.theCase);
    out += fmt::format("\nSeen: {}\n\n", markdownText(r.seen, 2000));
    const auto row = [&out](const char* name, const std::string& value) {
        out += fmt::format("| {} | {} |\n", name, value.empty() ? "-" : value);
    };
    const Tolerance& t = r.request.tolerance;
    out += "| | |\n|---|---|\n";
    row("guilty", passesOf(r));
    row("verdict", r.verdict);
    row("class", r.pairClass);
    row("failure", r.failure);
    row("bad when", markdownCode(toString(r.symptom.bad)));
    row("largest error", run.verdict.empty() ? "" : shortNumber(run.largestError));
    row("tolerance",
        fmt::format("{}, rtol {}, atol {}", toString(t.rule), toleranceText(t.rtol), toleranceText(t.atol)));
    row("device", markdownText(r.request.device));
    row("reference", r.request.reference == ReferenceKind::fp64 ? "fp64" : "fp32");
    row("cut from", markdownText(r.request.block));
    row("divdet", markdownText(r.toolVersion));
    out += "\n## Run it\n\n    divdet repro repro.json\n";
    out += noScript.empty() ? "    python3 repro.py\n\n`repro.py` needs numpy alone; it ends in a failed "
                              "assertion while the pass is in it.\n"
                            : fmt::format("\nThere is no repro.py: {}.\n", markdownText(noScript, 400));
    return minimised ? out + minimisedLines(*minimised) : out;
}

} // namespace divdet
