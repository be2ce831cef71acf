#include "session/task_metric.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "session/shape_options.h"

namespace divdet {
namespace {

constexpr std::array<std::string_view, 6> kTargetNames = {"targets", "labels",     "target",
                                                          "label",   "target_ids", "label_ids"};

/// `lm_head.logits` is logits.
std::string_view lastPart(std::string_view name) {
    const auto at = name.find_last_of("./:");
    return at == std::string_view::npos ? name : name.substr(at + 1);
}

bool isTargetName(std::string_view name) {
    return std::find(kTargetNames.begin(), kTargetNames.end(), lastPart(name)) != kTargetNames.end();
}

/// A tap that may hold targets, wherever it is.
struct Source {
    std::string name;
    Shape shape;
    const TapPair* pair = nullptr;
    const Dump* dump = nullptr;
    std::size_t tap = 0;

    Result<Tensor> load() const {
        if (dump) return dump->load(tap, {});
        auto data = pair->load();
        if (!data) return data.error();
        return std::move(data->reference);
    }
};

/// Pairs first, then taps of one file alone.
std::vector<Source> sourcesOf(const Comparison& c, DumpList dumps) {
    std::vector<Source> out;
    for (const TapPair& p : c.pairs)
        if (p.summary && p.load) out.push_back({p.name, p.referenceShape, &p, nullptr, 0});
    for (const auto& dump : dumps) {
        const auto& taps = dump->taps();
        for (std::size_t i = 0; i < taps.size(); ++i) {
            const auto& name = taps[i].name;
            const auto alone = [&](const std::vector<std::string>& names) {
                return std::find(names.begin(), names.end(), name) != names.end();
            };
            if (!taps[i].error && (alone(c.onlyInReference) || alone(c.onlyInCandidate)))
                out.push_back({name, taps[i].shape, nullptr, dump.get(), i});
        }
    }
    return out;
}

/// Logits as measureTask takes them.
bool couldBeLogits(const TapPair& p) {
    return p.summary && p.load && !p.referenceShape.empty() && p.referenceShape.back() > 1 &&
           kind(p.referenceDType) == DTypeKind::floating && kind(p.candidateDType) == DTypeKind::floating;
}

bool goesWith(const Shape& targets, const Shape& logits) {
    return withoutOnes(targets) == withoutOnes(Shape(logits.begin(), logits.end() - 1));
}

Error notThere(const std::string& name, const std::string& option, std::vector<std::string> names) {
    std::string hint = "divdet inspect lists the taps of a file";
    if (const auto near = nearestName(name, names); !near.empty())
        hint = fmt::format("did you mean '{}'?", near);
    return {ErrorCode::usage, fmt::format("there is no tap '{}' on both sides", name), option, hint};
}

Result<const TapPair*> namedLogits(const Comparison& c, const std::string& name) {
    std::vector<std::string> names;
    for (const TapPair& p : c.pairs) {
        names.push_back(p.name);
        if (p.name != name && p.candidateName != name) continue;
        if (p.summary && p.load) return &p;
        Error e = p.problem.value_or(Error{ErrorCode::unsupported, "its elements are not at hand", name, ""});
        e.message = "the logits cannot be used: " + e.message;
        return e;
    }
    return notThere(name, "--logits", std::move(names));
}

const TapPair* foundLogits(const Comparison& c, const std::vector<Source>& sources) {
    for (auto p = c.pairs.rbegin(); p != c.pairs.rend(); ++p)
        if (lastPart(p->name) == "logits" && couldBeLogits(*p)) return &*p;
    for (auto p = c.pairs.rbegin(); p != c.pairs.rend(); ++p) {
        if (!p->judged || p->referenceShape.size() < 2 || !couldBeLogits(*p)) continue;
        for (const Source& s : sources)
            if (isTargetName(s.name) && goesWith(s.shape, p->referenceShape)) return &*p;
    }
    return nullptr;
}

Result<const Source*> targetsFor(const TapPair& logits, const std::vector<Source>& sources,
                                 const std::string& name) {
    std::vector<std::string> names;
    for (const Source& s : sources) {
        names.push_back(s.name);
        if (name.empty() ? isTargetName(s.name) && goesWith(s.shape, logits.referenceShape) : s.name == name)
            return &s;
    }
    if (name.empty()) return static_cast<const Source*>(nullptr);
    Error e = notThere(name, "--targets", std::move(names));
    e.message = fmt::format("there is no tap '{}'", name);
    return e;
}

Error lacking(const MetricLimits& limits, bool targets) {
    const char* option = limits.minTop1 && !targets ? "--min-top1"
                         : limits.minAccuracy       ? "--min-accuracy"
                         : limits.maxKl && !targets ? "--max-kl"
                                                    : "--max-ppl-delta";
    if (targets)
        return {ErrorCode::usage, "this limit needs targets, and no tap was recognised as such", option,
                "name the tap with --targets TAP: one whole number per token; divdet inspect lists taps"};
    return {ErrorCode::usage, "this limit needs logits, and no tap was recognised as such", option,
            "name the tap with --logits TAP: [.., vocabulary]; divdet inspect lists taps"};
}

std::string namesText(const TapPair& p) {
    return p.name == p.candidateName ? p.name : p.name + " = " + p.candidateName;
}

/// Measures with the targets; where they were only guessed and do not fit, without.
Result<TaskMetric> measured(const TapPair& logits, const Source* targets, bool targetsNamed,
                            const Progress& progress) {
    auto data = logits.load();
    if (!data) return data.error();
    TaskTensors t{data->reference.view(), data->candidate.view(), {}, {}};
    if (data->mask) t.mask = data->mask->view();
    std::optional<Tensor> words;
    std::vector<std::string> notes;
    if (targets) {
        auto loaded = targets->load();
        if (!loaded && targetsNamed) return loaded.error();
        if (loaded) words = std::move(*loaded);
    }
    if (words) t.targets = words->view();
    auto out = measureTask(t, progress);
    if (!out && words && !targetsNamed && out.error().code == ErrorCode::mismatch) {
        notes.push_back(fmt::format("{} is not taken as targets: {}", targets->name, out.error().message));
        words.reset();
        t.targets.reset();
        out = measureTask(t, progress);
    }
    if (!out) {
        Error e = out.error();
        if (e.path.empty()) e.path = logits.name;
        return e;
    }
    out->logits = namesText(logits);
    if (words) {
        out->targets = targets->name;
        const TapPair* p = targets->pair;
        if (p && p->summary->equal != p->summary->elements)
            notes.push_back(fmt::format("{} differs between the sides; the reference's is used", p->name));
    }
    out->notes = std::move(notes);
    return out;
}

} // namespace

Result<std::shared_ptr<const TaskMetric>> taskMetric(const Comparison& c, const MetricRequest& request,
                                                     const Progress& progress, DumpList dumps) {
    const std::shared_ptr<const TaskMetric> none;
    const bool asked = request.limits.any() || !request.logits.empty() || !request.targets.empty();
    const std::vector<Source> sources = sourcesOf(c, dumps);
    const TapPair* logits = nullptr;
    if (request.logits.empty()) {
        logits = foundLogits(c, sources);
    } else {
        auto named = namedLogits(c, request.logits);
        if (!named) return named.error();
        logits = *named;
    }
    if (!logits && request.limits.any()) return lacking(request.limits, false);
    if (!logits && asked)
        return Error{ErrorCode::usage, "targets go with logits, and no tap was recognised as such",
                     "--targets", "name the tap with --logits TAP; divdet inspect lists taps"};
    if (!logits) return none;
    auto targets = targetsFor(*logits, sources, request.targets);
    if (!targets) return targets.error();
    auto out = measured(*logits, *targets, !request.targets.empty(), progress);
    if (!out && (asked || out.error().code == ErrorCode::cancelled)) return out.error();
    if (!out) return none;
    if (!out->scored && request.limits.needTargets()) return lacking(request.limits, true);
    return std::shared_ptr<const TaskMetric>(std::make_shared<TaskMetric>(std::move(*out)));
}

} // namespace divdet
