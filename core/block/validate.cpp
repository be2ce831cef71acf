#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "block/graph.h"

namespace divdet::block {
namespace {

Error malformed(std::string message, std::string where) {
    return {ErrorCode::malformed, std::move(message), std::move(where), ""};
}

Status checkNames(const Graph& g) {
    std::set<std::string> seen;
    for (const Value& v : g.values) {
        if (v.name.empty()) return malformed("a value of the block has no name", g.name);
        if (!seen.insert(v.name).second) return malformed("two values of the block have one name", v.name);
    }
    return Done{};
}

Status checkSymbols(const Graph& g) {
    const auto known = [&](const Dim& d) {
        return d.symbol.empty() || std::any_of(g.dims.begin(), g.dims.end(), [&](const DimDefault& given) {
                   return given.name == d.symbol;
               });
    };
    for (const Value& v : g.values)
        for (const DimList* list : {&v.dims, &v.filling.areaDims})
            for (const Dim& d : *list)
                if (!known(d)) return malformed(fmt::format("dimension {} has no value", d.symbol), v.name);
    return Done{};
}

Status checkOp(const Graph& g, const Op& op, const std::vector<bool>& ready) {
    if (op.output >= g.values.size()) return malformed("an op writes a value that does not exist", g.name);
    const std::string& where = g.opName(op);
    const OpDef& def = opDef(op.kind);
    if (op.inputs.size() < def.minInputs || op.inputs.size() > def.maxInputs)
        return malformed(fmt::format("{} takes {} to {} inputs, not {}", def.name, def.minInputs,
                                     def.maxInputs, op.inputs.size()),
                         where);
    for (ValueIndex in : op.inputs) {
        if (in >= g.values.size()) return malformed("an op reads a value that does not exist", where);
        if (!ready[in])
            return malformed(fmt::format("{} is read before it is computed", g.values[in].name), where);
    }
    for (const auto& [attribute, value] : op.attributes)
        if (std::find(def.attributes.begin(), def.attributes.end(), attribute) == def.attributes.end())
            return malformed(fmt::format("{} has no attribute {}", def.name, attribute), where);
    if (ready[op.output]) return malformed("a value is computed twice", where);
    return Done{};
}

} // namespace

Status Graph::validate() const {
    if (auto s = checkNames(*this); !s) return s;
    if (auto s = checkSymbols(*this); !s) return s;
    if (ops.empty()) return malformed("the block has no op", name);
    std::vector<bool> ready(values.size());
    for (ValueIndex i = 0; i < values.size(); ++i) ready[i] = values[i].role != Role::intermediate;
    for (const Op& op : ops) {
        if (auto s = checkOp(*this, op, ready); !s) return s;
        ready[op.output] = true;
    }
    for (ValueIndex i = 0; i < values.size(); ++i)
        if (!ready[i]) return malformed("nothing computes this value", values[i].name);
    if (outputs().empty()) return malformed("the block has no output", name);
    return Done{};
}

} // namespace divdet::block
