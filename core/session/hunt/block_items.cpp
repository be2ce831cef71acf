#include "session/hunt/block_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "block/bind.h"
#include "block/graph.h"
#include "lower/pass_info.h"

namespace divdet {
namespace {

constexpr Over kAll[] = {Over::passes, Over::ops, Over::pairs, Over::layers, Over::stages};

std::string itemName(Over over, const lower::PassChoice& pass, const std::string& op) {
    switch (over) {
    case Over::passes:
        return toString(pass);
    case Over::ops:
        return op;
    case Over::pairs: {
        lower::PassChoice one = pass;
        one.ops = {op};
        return toString(one);
    }
    case Over::layers:
        return op.substr(0, op.find('.'));
    case Over::stages:
        break;
    }
    return std::string(name(lower::findPass(pass.id)->stage));
}

} // namespace

Result<Over> parseOver(const std::string& text) {
    for (const Over over : kAll)
        if (text == toString(over)) return over;
    return Error{ErrorCode::usage, fmt::format("'{}' cannot be switched", text), "--over",
                 "choose passes, ops, pairs, layers or stages"};
}

std::string toString(Over over) {
    switch (over) {
    case Over::passes:
        return "passes";
    case Over::ops:
        return "ops";
    case Over::pairs:
        return "pairs";
    case Over::layers:
        return "layers";
    case Over::stages:
        break;
    }
    return "stages";
}

Result<BlockItems> BlockItems::of(const BlockRequest& request, Over over) {
    const auto graph = blockGraph(request);
    if (!graph) return graph.error();
    const auto bound = block::bind(*graph);
    if (!bound) return bound.error();
    if (request.passes.empty())
        return Error{ErrorCode::usage, "no pass is on, so none can be to blame", "--pass",
                     "give the passes that are under suspicion"};
    BlockItems out;
    out.m_over = over;
    out.m_passes = request.passes;
    // Where they stand: ops in the order of the graph, passes in the user's, stages in their own.
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, Acting>> placed;
    for (std::size_t p = 0; p < request.passes.size(); ++p) {
        const lower::PassChoice& pass = request.passes[p];
        if (auto s = lower::checkFit(*bound, pass); !s) return s.error();
        const auto stage = static_cast<std::size_t>(lower::findPass(pass.id)->stage);
        for (const std::string& op : lower::actingOps(*bound, pass)) {
            const auto& ops = bound->graph.ops;
            const auto at = static_cast<std::size_t>(
                std::find_if(ops.begin(), ops.end(),
                             [&](const block::Op& o) { return bound->graph.opName(o) == op; }) -
                ops.begin());
            const bool byOp = over == Over::ops || over == Over::layers || over == Over::pairs;
            placed.push_back({{over == Over::stages ? stage : byOp ? at : p, p}, {p, op, 0}});
        }
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, acting] : placed) {
        std::string item = itemName(over, request.passes[acting.pass], acting.op);
        // The same pass may be given twice; each is its own item.
        const bool own =
            over == Over::passes && std::none_of(out.m_acting.begin(), out.m_acting.end(),
                                                 [&](const Acting& a) { return a.pass == acting.pass; });
        const auto known = std::find(out.m_names.begin(), out.m_names.end(), item);
        acting.item = static_cast<std::size_t>(known - out.m_names.begin());
        if (own) acting.item = out.m_names.size();
        if (acting.item == out.m_names.size()) out.m_names.push_back(std::move(item));
        out.m_acting.push_back(acting);
    }
    return out;
}

std::vector<lower::PassChoice> BlockItems::passes(const hunt::ItemSet& on) const {
    std::vector<lower::PassChoice> out;
    for (std::size_t p = 0; p < m_passes.size(); ++p) {
        lower::PassChoice left = m_passes[p];
        std::vector<std::string> ops;
        bool all = true;
        for (const Acting& a : m_acting)
            if (a.pass == p) {
                if (on[a.item]) ops.push_back(a.op);
                all = all && on[a.item];
            }
        if (ops.empty()) continue;
        if (!all) left.ops = std::move(ops);
        out.push_back(std::move(left));
    }
    return out;
}

} // namespace divdet
