#include "session/judge_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/split.h"
#include "dump/open.h"
#include "dump/text_encoding.h"

namespace divdet {

struct JudgeKnowledge::Runs {
    std::vector<std::shared_ptr<const Dump>> dumps;
};

std::string_view toString(FailOn f) {
    return f == FailOn::bug ? "bug" : "verdict";
}

Result<std::pair<std::string, std::vector<std::string>>> parseRole(const std::string& text) {
    const auto at = text.find('=');
    auto names = at == std::string::npos ? std::vector<std::string>() : split(text.substr(at + 1), ',');
    if (at == 0 || names.empty())
        return Error{ErrorCode::usage, fmt::format("'{}' gives no tap a role", text), "--role",
                     "write role=tap or role=tap,tap, as input=x or param=w1,w2"};
    return std::pair{text.substr(0, at), std::move(names)};
}

Result<JudgeKnowledge> JudgeKnowledge::open(const JudgeOptions& options) {
    JudgeKnowledge out;
    auto declared = Declared::parse(options.declare);
    if (!declared) return declared.error();
    auto op = parseOperatorContext(options.context);
    if (!op) return op.error();
    out.m_common.declared = std::move(*declared);
    out.m_common.op = std::move(*op);
    if (options.k) out.m_common.op.k = options.k;
    out.m_common.axes = options.axes;
    out.m_roles = options.roles;
    if (!options.inputs.empty() && options.graph.empty()) { // else they are the graph's, not one operator's
        auto dump = openDump(options.inputs);
        if (!dump) return dump.error();
        for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
            auto t = (*dump)->load(i, {});
            if (!t) return t.error();
            out.m_common.inputs.emplace_back((*dump)->taps()[i].name, std::move(*t));
        }
    }
    auto runs = std::make_shared<Runs>();
    for (const auto& path : options.runs) {
        auto dump = openDump(path);
        if (!dump) return dump.error();
        runs->dumps.push_back(std::move(*dump));
    }
    out.m_runs = std::move(runs);
    return out;
}

JudgeContext JudgeKnowledge::of(const std::string& referenceName, const std::string& candidateName,
                                const Shape& shape, std::vector<std::string>& notes) const {
    JudgeContext out = m_common;
    for (const auto& [role, names] : m_roles)
        if (std::find(names.begin(), names.end(), referenceName) != names.end()) out.role = role;
    for (const auto& dump : m_runs->dumps) {
        const bool only = dump->taps().size() == 1;
        const auto at = only ? std::optional<std::size_t>(0) : dump->find(candidateName);
        const auto skip = [&](std::string_view why) {
            notes.push_back(fmt::format("the run {} is left out for {}: {}", dump->path().string(),
                                        inQuotes(candidateName), why));
        };
        if (!at) {
            skip("it has no such tap");
            continue;
        }
        auto t = dump->load(*at, {});
        if (!t)
            skip(t.error().message);
        else if (t->shape() != shape)
            skip(fmt::format("there it is {}, here {}", toString(t->shape()), toString(shape)));
        else
            out.runs.push_back(std::move(*t));
    }
    return out;
}

std::vector<std::string> JudgeKnowledge::notes() const {
    std::vector<std::string> out;
    if (!m_common.op.unknown.empty())
        out.push_back(
            fmt::format("of the context the judge does not use: {}", fmt::join(m_common.op.unknown, ", ")));
    return out;
}

} // namespace divdet
