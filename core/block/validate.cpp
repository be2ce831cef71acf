#include <algorithm>
#include <cmath>
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
    seen.clear();
    for (const DimDefault& d : g.dims)
        if (d.name.empty() || !seen.insert(d.name).second)
            return malformed("a dimension of the block has no name of its own", d.name);
    return Done{};
}

bool declared(const Graph& g, std::string_view symbol) {
    return std::any_of(g.dims.begin(), g.dims.end(),
                       [&](const DimDefault& given) { return given.name == symbol; });
}

Status checkSymbols(const Graph& g) {
    const auto known = [&](const Dim& d) { return d.symbol.empty() || declared(g, d.symbol); };
    for (const Value& v : g.values)
        for (const DimList* list : {&v.dims, &v.filling.areaDims})
            for (const Dim& d : *list)
                if (!known(d)) return malformed(fmt::format("dimension {} has no value", d.symbol), v.name);
    for (const Value& v : g.values) {
        if (!known(v.filling.limit))
            return malformed(fmt::format("dimension {} has no value", v.filling.limit.symbol), v.name);
        if (!std::isfinite(v.filling.sigma) || !std::isfinite(v.filling.area) || v.filling.area < 0)
            return malformed("sigma or area of a filling is no finite number", v.name);
    }
    return Done{};
}

/// A string in place of a number names a dimension.
Status checkAttribute(const Graph& g, const OpDef& def, const std::string& attribute,
                      const AttributeValue& value) {
    const AttributeSpec* spec = findAttribute(def, attribute);
    if (!spec) return malformed(fmt::format("{} has no attribute {}", def.name, attribute), "");
    const auto* text = std::get_if<std::string>(&value);
    if (spec->type == AttributeType::text && !text)
        return malformed(fmt::format("attribute {} of {} is no text", attribute, def.name), "");
    if (spec->type != AttributeType::text && text && !declared(g, *text))
        return malformed(fmt::format("attribute {} names {}, which is no dimension", attribute, *text), "");
    if (const auto* x = std::get_if<double>(&value); x && !std::isfinite(*x))
        return malformed(fmt::format("attribute {} of {} is not finite", attribute, def.name), "");
    if (spec->type == AttributeType::integer && std::holds_alternative<double>(value))
        return malformed(fmt::format("attribute {} of {} is no whole number", attribute, def.name), "");
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
        if (auto s = checkAttribute(g, def, attribute, value); !s) return malformed(s.error().message, where);
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
