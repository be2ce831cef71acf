#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "block/graph_json.h"

namespace divdet::block {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Dim& d) {
    return d.symbol.empty() ? Json(d.value) : Json(d.symbol);
}

Json toJson(const DimList& dims) {
    Json list = Json::array();
    for (const Dim& d : dims) list.push_back(toJson(d));
    return list;
}

Json numbers(const Tensor& data) {
    Json list = Json::array();
    for (const float x : data.as<float>()) {
        if (std::isnan(x))
            list.push_back("nan");
        else if (std::isinf(x))
            list.push_back(x > 0 ? "inf" : "-inf");
        else
            list.push_back(static_cast<double>(x));
    }
    return list;
}

Json filled(const Value& v, std::uint64_t nextStream) {
    Json step;
    step[v.role == Role::input ? "input" : "weight"] = v.name;
    step["dims"] = toJson(v.dims);
    const Filling plain, &f = v.filling;
    if (f.kind != plain.kind) step["fill"] = name(f.kind);
    if (f.sigma != plain.sigma) step["sigma"] = f.sigma;
    if (f.stream != nextStream) step["stream"] = f.stream;
    if (f.area != plain.area) step["area"] = f.area;
    if (!f.areaDims.empty()) step["area_dims"] = toJson(f.areaDims);
    if (f.limit != plain.limit) step["limit"] = toJson(f.limit);
    if (v.output) step["output"] = true;
    if (v.firstRows) step["first_rows"] = true;
    if (!v.tap.empty()) step["tap"] = v.tap;
    if (v.data) step["data"] = numbers(*v.data);
    return step;
}

Json computed(const Graph& g, const Op& op) {
    Json step;
    step["op"] = name(op.kind);
    step["name"] = g.opName(op);
    step["inputs"] = Json::array();
    for (ValueIndex in : op.inputs) step["inputs"].push_back(g.values[in].name);
    for (const auto& [attribute, value] : op.attributes)
        step["attributes"][attribute] = std::visit([](const auto& x) { return Json(x); }, value);
    if (g.values[op.output].output) step["output"] = true;
    if (!g.values[op.output].tap.empty()) step["tap"] = g.values[op.output].tap;
    return step;
}

std::string line(const Json& j) {
    return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string graphText(const Graph& g) {
    Json dims = Json::object(), fixed = Json::array();
    for (const DimDefault& d : g.dims) {
        dims[d.name] = d.value;
        if (d.fixed) fixed.push_back(d.name);
    }
    std::string out = fmt::format("{{\"divdet_graph\": {},\n \"name\": {},\n \"dims\": {},\n", kGraphVersion,
                                  line(g.name), line(dims));
    if (!fixed.empty()) out += fmt::format(" \"fixed\": {},\n", line(fixed));
    if (g.made)
        out += fmt::format(" \"made\": {},\n",
                           line(Json{{"device", g.made->device}, {"passes", g.made->passes}}));
    out += " \"steps\": [";
    std::uint64_t streams = 0;
    for (ValueIndex i = 0; i < g.values.size(); ++i) {
        const Op* op = g.producer(i);
        out +=
            fmt::format("{}\n  {}", i ? "," : "", line(op ? computed(g, *op) : filled(g.values[i], streams)));
        streams += op ? 0 : 1;
    }
    return out + "\n ]}\n";
}

} // namespace divdet::block
