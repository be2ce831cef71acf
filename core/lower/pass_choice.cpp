#include "lower/pass_choice.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "lower/pass_def.h"

namespace divdet::lower {
namespace {

Error unknownPass(const std::string& id) {
    std::vector<std::string> ids;
    for (const PassInfo& info : passList()) ids.push_back(info.id);
    const std::string near = nearestName(id, ids);
    return {ErrorCode::usage, fmt::format("there is no pass named {}", id), id,
            near.empty() ? fmt::format("the passes are {}", fmt::join(ids, ", "))
                         : fmt::format("did you mean {}?", near)};
}

Result<std::string> canonicalVariant(const std::string& id, const PassDef& def, const std::string& text,
                                     bool given) {
    if (!given) return def.variants.empty() ? std::string() : std::string(def.variants.front());
    if (std::find(def.variants.begin(), def.variants.end(), text) != def.variants.end()) return text;
    if (def.otherVariant)
        if (auto other = def.otherVariant(text)) return *other;
    return Error{ErrorCode::usage,
                 fmt::format("{} has no variant {}", id, text.empty() ? "with an empty name" : text), id,
                 def.variants.empty()
                     ? "it has none: leave out the part after ="
                     : fmt::format("it has {}{}{}", fmt::join(def.variants, ", "),
                                   def.otherVariants.empty() ? "" : " and ", def.otherVariants)};
}

Result<std::vector<std::string>> splitOps(std::string_view text) {
    std::vector<std::string> ops;
    while (true) {
        const auto comma = text.find(',');
        ops.emplace_back(text.substr(0, comma));
        if (ops.back().empty())
            return Error{ErrorCode::usage, "an op name after @ is empty", std::string(text),
                         "write PASS@OP,OP"};
        if (comma == std::string_view::npos) return ops;
        text.remove_prefix(comma + 1);
    }
}

const block::Op* findOp(const block::BoundGraph& block, const std::string& opName) {
    for (const block::Op& op : block.graph.ops)
        if (block.graph.opName(op) == opName) return &op;
    return nullptr;
}

} // namespace

Result<PassChoice> parsePass(std::string_view text) {
    const auto at = text.find('@');
    const std::string_view head = text.substr(0, at);
    const auto equals = head.find('=');
    PassChoice choice;
    choice.id = head.substr(0, equals);
    const PassDef* def = passDef(choice.id);
    if (!def) return unknownPass(choice.id);
    const bool given = equals != std::string_view::npos;
    auto variant =
        canonicalVariant(choice.id, *def, given ? std::string(head.substr(equals + 1)) : "", given);
    if (!variant) return variant.error();
    choice.variant = std::move(*variant);
    if (at != std::string_view::npos) {
        auto ops = splitOps(text.substr(at + 1));
        if (!ops) return ops.error();
        choice.ops = std::move(*ops);
    }
    return choice;
}

std::string toString(const PassChoice& choice) {
    std::string text = choice.id;
    if (!choice.variant.empty()) text += '=' + choice.variant;
    if (!choice.ops.empty()) text += fmt::format("@{}", fmt::join(choice.ops, ","));
    return text;
}

std::vector<std::string> fittingOps(const block::BoundGraph& block, std::string_view passId,
                                    std::string_view variant) {
    std::vector<std::string> names;
    const PassDef* def = passDef(passId);
    if (!def) return names;
    if (variant.empty() && !def->variants.empty()) variant = def->variants.front();
    for (const block::Op& op : block.graph.ops)
        if (def->whyNot(block, op, variant).empty()) names.push_back(block.graph.opName(op));
    return names;
}

std::vector<std::string> actingOps(const block::BoundGraph& block, const PassChoice& choice) {
    if (!choice.ops.empty()) return choice.ops;
    auto names = fittingOps(block, choice.id, choice.variant);
    if (passDef(choice.id)->single && names.size() > 1) names.resize(1);
    return names;
}

Status checkFit(const block::BoundGraph& block, const PassChoice& choice) {
    const PassDef* def = passDef(choice.id);
    if (!def) return unknownPass(choice.id);
    auto variant =
        canonicalVariant(choice.id, *def, choice.variant, !def->variants.empty() || !choice.variant.empty());
    if (!variant) return variant.error();
    const auto fitting = fittingOps(block, choice.id, *variant);
    if (fitting.empty())
        return Error{ErrorCode::usage, fmt::format("{} does not fit: {}", choice.id, def->whyNoOp),
                     block.graph.name, def->elsewhere ? def->elsewhere(block) : ""};
    for (const std::string& name : choice.ops) {
        const block::Op* op = findOp(block, name);
        std::string hint = fmt::format("it fits {}", fmt::join(fitting, ", "));
        if (!op)
            return Error{ErrorCode::notFound, fmt::format("{} has no op named {}", block.graph.name, name),
                         name, hint};
        if (const std::string why = def->whyNot(block, *op, *variant); !why.empty())
            return Error{ErrorCode::usage, fmt::format("{} does not fit: {}", choice.id, why), name, hint};
    }
    return Done{};
}

std::vector<PassChoice> defaultPasses(const block::BoundGraph& block) {
    std::vector<PassChoice> choices;
    for (const char* id : {"reassociate", "tf32", "int8"}) {
        auto choice = parsePass(id);
        if (choice && checkFit(block, *choice)) choices.push_back(std::move(*choice));
    }
    return choices;
}

} // namespace divdet::lower
