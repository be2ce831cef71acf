#include "session/graph_of_dump.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "block/graph_json.h"
#include "dump/open.h"
#include "judge/live/judge_run.h"
#include "judge/local/allowed_at.h"
#include "judge/recorded/arithmetics.h"
#include "lower/pass_choice.h"
#include "run/architecture.h"
#include "session/graph_taps.h"

namespace divdet {
namespace {

using block::Role;
using block::ValueIndex;

constexpr std::size_t kMostNamed = 6;

/// In a note: the first few names.
std::string some(const std::vector<std::string>& names) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamed, names.size()));
    std::string out = fmt::format("{}", fmt::join(names.begin(), end, ", "));
    if (names.size() > kMostNamed) out += fmt::format(" and {} more", names.size() - kMostNamed);
    return out;
}

Error inGraph(Error e, const std::filesystem::path& file, const std::string& place) {
    e.path = file.string() + ": " + place;
    return e;
}

Result<block::BoundGraph> readBound(const std::filesystem::path& file) {
    if (file.extension() == ".onnx")
        return Error{
            ErrorCode::unsupported, "graphs are read as JSON for now, not as ONNX", file.string(),
            "write one op a line with the names of its taps; divdet run mlp --graph-out FILE shows how"};
    const auto graph = block::readGraph(file);
    if (!graph) return graph.error();
    auto bound = block::bind(*graph);
    if (!bound) return inGraph(bound.error(), file, bound.error().path);
    return bound;
}

std::string kindOf(const block::Graph& graph, ValueIndex i) {
    const block::Op* op = graph.producer(i);
    return op ? std::string(block::name(op->kind)) : "input";
}

/// Puts tensors of files in the places of a graph's values.
class Filler {
public:
    Filler(const std::filesystem::path& file, const block::BoundGraph& block)
        : m_file(file)
        , m_block(block) {}

    std::string place(ValueIndex i) const {
        const block::Value& v = m_block.graph.values[i];
        const char* what = v.role == Role::input ? "input" : v.role == Role::weight ? "weight" : "op";
        return fmt::format("{} {}{}", what, v.name, v.tap.empty() ? "" : fmt::format(" (tap {})", v.tap));
    }

    /// No tensor where the dump has none. Error: mismatch, and those of load.
    Result<Tensor> load(const Dump& dump, const GraphTaps& names, const LoadOptions& options,
                        ValueIndex i) const {
        const auto at = names.find(m_block.graph.values[i]);
        if (!at) return Tensor();
        const auto stored = dump.load(*at, options);
        if (!stored) return inGraph(stored.error(), m_file, place(i));
        auto t = asGraphValue(*stored, m_block.shapes[i]);
        if (!t) {
            Error e = inGraph(t.error(), m_file, place(i));
            e.message = fmt::format("{} in {}", e.message, dump.path().string());
            return e;
        }
        return t;
    }

    Error statedTapMissing(const Dump& dump, ValueIndex i) const {
        std::vector<std::string> names;
        for (const TapEntry& t : dump.taps()) names.push_back(t.name);
        const std::string near = nearestName(m_block.graph.values[i].tap, names);
        return Error{ErrorCode::notFound,
                     fmt::format("the dump {} has no tap of that name", dump.path().string()),
                     m_file.string() + ": " + place(i),
                     near.empty() ? "divdet inspect lists its taps" : fmt::format("did you mean {}?", near)};
    }

private:
    const std::filesystem::path& m_file;
    const block::BoundGraph& m_block;
};

} // namespace

Result<GraphOfDump> GraphOfDump::open(const std::filesystem::path& file, const Sources& from) {
    GraphOfDump out;
    out.m_file = file;
    auto bound = readBound(file);
    if (!bound) return bound.error();
    out.m_block = std::move(*bound);
    const auto& values = out.m_block.graph.values;
    const Filler filler(out.m_file, out.m_block);

    GraphTaps names(from.candidate);
    std::map<std::size_t, std::size_t> pairOf; // tap of the candidate → pair
    for (std::size_t i = 0; i < from.pairing.pairs.size(); ++i) {
        const Pair& p = from.pairing.pairs[i];
        names.alias(from.reference.taps()[p.reference].name, p.candidate);
        pairOf[p.candidate] = i;
    }
    std::shared_ptr<const Dump>& given = out.m_given;
    std::optional<GraphTaps> givenNames;
    if (!from.inputs.empty()) {
        auto dump = openDump(from.inputs);
        if (!dump) return dump.error();
        given = *dump;
        givenNames.emplace(*given);
    }

    out.m_inputs.resize(values.size());
    bool anyOp = false;
    std::vector<std::string> missing;
    for (ValueIndex i = 0; i < values.size(); ++i) {
        auto tap = filler.load(from.candidate, names, from.load, i);
        if (!tap) return tap.error();
        const bool recorded = local::isThere(*tap);
        if (values[i].role != Role::intermediate) {
            Tensor fromFile;
            if (given) {
                auto t = filler.load(*given, *givenNames, {}, i);
                if (!t) return t.error();
                fromFile = std::move(*t);
            }
            if (!values[i].tap.empty() && !recorded && !local::isThere(fromFile))
                return filler.statedTapMissing(given ? *given : from.candidate, i);
            out.m_inputs[i] = local::isThere(fromFile) ? fromFile : *tap;
            if (!local::isThere(out.m_inputs[i]) && values[i].data) out.m_inputs[i] = *values[i].data;
            if (!local::isThere(out.m_inputs[i])) missing.push_back(values[i].name);
            if (values[i].role == Role::weight) continue;
        } else if (!recorded && !values[i].tap.empty()) {
            return filler.statedTapMissing(from.candidate, i);
        }
        if (!recorded) continue;
        anyOp = anyOp || values[i].role == Role::intermediate;
        out.m_taps.taps.push_back({values[i].name, kindOf(out.m_block.graph, i), std::move(*tap)});
        if (const auto pair = pairOf.find(*names.find(values[i])); pair != pairOf.end())
            out.m_pairs[values[i].name] = pair->second;
    }
    if (!anyOp)
        return Error{ErrorCode::notFound,
                     fmt::format("no op of the graph has a tap in {}", from.candidate.path().string()),
                     file.string(), "give ops the names of taps, or a field \"tap\" with that name"};
    if (!missing.empty())
        out.m_notes.push_back(
            fmt::format("inputs or weights of the graph that are nowhere: {}; give them with "
                        "--inputs, or the ops that read them are not judged",
                        some(missing)));
    return out;
}

bool GraphOfDump::damaged() const {
    for (std::size_t i = 0; m_given && i < m_given->taps().size(); ++i)
        if (m_given->damage(i)) return true;
    return false;
}

std::string GraphOfDump::withDeclared(std::string text) const {
    if (m_block.graph.made)
        for (const std::string& pass : m_block.graph.made->passes) {
            const auto choice = lower::parsePass(pass);
            if (!choice || !Declared::parse(choice->id)) continue;
            text += (text.empty() ? "" : ",") + choice->id;
        }
    return text;
}

Result<std::shared_ptr<const Comparison>> GraphOfDump::judge(Session& session, const Comparison& comparison,
                                                             const Declared& declared,
                                                             const JudgeContext& context,
                                                             const Progress& progress) const {
    std::vector<lower::LoweredGraph> programs;
    RecordedTaps recorded;
    recorded.pairs = m_pairs;
    recorded.unknownScales =
        declared.has(LossyStep::int8PerTensor) || declared.has(LossyStep::int8PerChannelWeights);
    numerics::Arch arch = recorded::foreignArch(declared);
    local::Order order = local::Order::likely;
    std::optional<run::BackendRegistry::Found> device;
    const std::string id = m_block.graph.made ? m_block.graph.made->device : "cpu:sm_80";
    const auto own = run::parseArchitecture(id.starts_with("cpu:") ? id.substr(4) : "");
    if (m_block.graph.made) {
        if (!own)
            return inGraph({ErrorCode::usage, fmt::format("'{}' is no device with known bits", id), "",
                            "name the twin of the architecture, such as cpu:sm_80"},
                           m_file, "made.device");
        if (auto found = session.backends().find(id)) device = std::move(*found);
    }
    const bool ours = own && (m_block.graph.made || declared.has(LossyStep::divdetOrder));
    if (ours) {
        auto program = recorded::ownArithmetic(m_block, declared);
        if (!program) return inGraph(program.error(), m_file, "made.passes");
        programs.push_back(std::move(*program));
        arch = *own;
        order = local::Order::known;
    } else {
        auto all = recorded::foreignArithmetics(m_block, declared, m_taps, m_inputs);
        if (!all) return all.error();
        programs = std::move(*all);
    }
    for (const auto& program : programs) recorded.runs.push_back({program, m_inputs, m_taps, arch, order});
    std::optional<run::Target> target;
    if (ours && device) {
        target.emplace(run::Target{*device->backend, device->device.id, &session.cache()});
        recorded.target = &*target;
        recorded.written = &m_block;
    }
    auto judged = judgeRecorded(comparison, recorded, context, progress);
    if (!judged) return judged.error();
    Comparison out = **judged;
    std::size_t count = 0, ops = 0;
    std::vector<std::string> unrecorded;
    for (const lower::LoweredOp& op : programs[0].ops) {
        const std::string& name = m_block.graph.values[op.output].name;
        const auto pair = m_pairs.find(name);
        ++ops;
        if (pair != m_pairs.end() && out.pairs[pair->second].bound) ++count;
        if (!m_taps.find(name)) unrecorded.push_back(name);
    }
    out.notes.push_back(fmt::format("graph {}: {} of {} ops judged on what they read, as {}",
                                    m_block.graph.name, count, ops,
                                    ours ? "divdet computes them" : "any backend may compute them"));
    if (!unrecorded.empty())
        out.notes.push_back(
            fmt::format("not recorded, and judged as one with the ops that read them: {}", some(unrecorded)));
    out.notes.insert(out.notes.end(), m_notes.begin(), m_notes.end());
    return std::make_shared<const Comparison>(std::move(out));
}

} // namespace divdet
