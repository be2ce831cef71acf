#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "block/bind.h"
#include "block/graph_json.h"
#include "block/json/fields.h"

namespace divdet::block {
namespace {

using json::Field;
using json::Json;

// A Result's value or its error returned from the calling function.
#define DIVDET_TAKE(variable, expression)                                                                    \
    auto variable##Result = (expression);                                                                    \
    if (!variable##Result) return variable##Result.error();                                                  \
    auto& variable = *variable##Result

constexpr std::size_t kMaxRank = 8;

Result<Dim> readDim(const Field& f) {
    if (f.json().is_string()) {
        DIVDET_TAKE(symbol, f.text());
        return Dim(std::move(symbol));
    }
    DIVDET_TAKE(extent, f.whole());
    if (extent < 1 || extent > kMaxExtent)
        return f.wrong(fmt::format("an extent of {}", extent),
                       fmt::format("extents are 1 to {}, or the name of a dimension", kMaxExtent));
    return Dim(extent);
}

Result<DimList> readDims(const Field& f) {
    if (auto s = f.array(); !s) return s.error();
    if (f.size() > kMaxRank) return f.wrong("there are more than eight dimensions");
    DimList dims;
    for (std::size_t i = 0; i < f.size(); ++i) {
        DIVDET_TAKE(d, readDim(f[i]));
        dims.push_back(std::move(d));
    }
    return dims;
}

Result<float> readDatum(const Field& f) {
    if (f.json().is_number()) {
        DIVDET_TAKE(x, f.number());
        const auto value = static_cast<float>(x);
        if (static_cast<double>(value) != x) return f.wrong("the number is none of fp32");
        return value;
    }
    constexpr float kInf = std::numeric_limits<float>::infinity();
    if (f.json() == "nan") return std::numeric_limits<float>::quiet_NaN();
    if (f.json() == "inf") return kInf;
    if (f.json() == "-inf") return -kInf;
    return f.wrong("a number is due here");
}

class Reader {
public:
    Result<Graph> operator()(const Field& root) {
        if (!root.json().is_object() || !root.has("divdet_graph"))
            return root.wrong("this is no graph of divdet", "its first field is \"divdet_graph\": 1");
        DIVDET_TAKE(versionField, root.at("divdet_graph"));
        DIVDET_TAKE(version, versionField.whole());
        if (version != kGraphVersion)
            return Error{ErrorCode::unsupported, fmt::format("graph version {}", version), "divdet_graph",
                         fmt::format("this program reads version {}", kGraphVersion)};
        if (auto s = root.object({"divdet_graph", "name", "dims", "fixed", "made", "steps"}); !s)
            return s.error();
        DIVDET_TAKE(nameField, root.at("name"));
        DIVDET_TAKE(graphName, nameField.text());
        m_graph.name = graphName;
        if (auto s = readSizes(root); !s) return s.error();
        if (auto s = readMade(root); !s) return s.error();
        DIVDET_TAKE(steps, root.at("steps"));
        if (auto s = steps.array(); !s) return s.error();
        if (steps.size() > kMaxSteps)
            return Error{ErrorCode::refused, fmt::format("the graph has {} steps", steps.size()), "steps",
                         fmt::format("at most {} are read", kMaxSteps)};
        noteLaterNames(steps);
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (auto s = readStep(steps[i]); !s) return s.error();
        if (auto s = m_graph.validate(); !s) return s.error();
        return std::move(m_graph);
    }

private:
    Status readSizes(const Field& root) {
        if (!root.has("dims")) return Done{};
        DIVDET_TAKE(dims, root.at("dims"));
        if (!dims.json().is_object()) return dims.wrong("an object is due here");
        for (const auto& item : dims.json().items()) {
            const Field f(item.value(), "dims." + item.key());
            DIVDET_TAKE(value, f.whole());
            if (value < 1 || value > kMaxExtent)
                return f.wrong(fmt::format("a size of {}", value),
                               fmt::format("sizes are 1 to {}", kMaxExtent));
            m_graph.dims.push_back({item.key(), value, false});
        }
        if (!root.has("fixed")) return Done{};
        DIVDET_TAKE(fixed, root.at("fixed"));
        if (auto s = fixed.array(); !s) return s;
        for (std::size_t i = 0; i < fixed.size(); ++i) {
            DIVDET_TAKE(symbol, fixed[i].text());
            const auto d = std::find_if(m_graph.dims.begin(), m_graph.dims.end(),
                                        [&](const DimDefault& known) { return known.name == symbol; });
            if (d == m_graph.dims.end()) return fixed[i].wrong(fmt::format("{} is no dimension", symbol));
            d->fixed = true;
        }
        return Done{};
    }

    Status readMade(const Field& root) {
        if (!root.has("made")) return Done{};
        DIVDET_TAKE(made, root.at("made"));
        if (auto s = made.object({"device", "passes"}); !s) return s;
        DIVDET_TAKE(deviceField, made.at("device"));
        DIVDET_TAKE(device, deviceField.text());
        DIVDET_TAKE(passes, made.at("passes"));
        if (auto s = passes.array(); !s) return s;
        m_graph.made = Made{device, {}};
        for (std::size_t i = 0; i < passes.size(); ++i) {
            DIVDET_TAKE(pass, passes[i].text());
            m_graph.made->passes.push_back(pass);
        }
        return Done{};
    }

    /// What ops make, wherever they stand: only to tell a name that comes too late from one that never comes.
    void noteLaterNames(const Field& steps) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Json& step = steps[i].json();
            for (const char* key : {"name", "input", "weight"})
                if (step.is_object() && step.contains(key) && step[key].is_string())
                    m_anywhere.insert(step[key].get<std::string>());
        }
    }

    Status readStep(const Field& step) {
        if (!step.json().is_object()) return step.wrong("an object is due here");
        if (step.has("op")) return readOp(step);
        if (!step.has("input") && !step.has("weight"))
            return step.wrong("a step is an input, a weight or an op");
        return readFilled(step);
    }

    /// The new value under its name, or why it cannot have it.
    Status enter(const Field& f, const std::string& valueName) {
        if (m_byName.emplace(valueName, m_graph.values.size()).second) return Done{};
        return f.wrong(fmt::format("two values are named {}", valueName));
    }

    Status readFilled(const Field& step) {
        const char* const role = step.has("input") ? "input" : "weight";
        if (auto s = step.object({role, "dims", "fill", "sigma", "stream", "area", "area_dims", "limit",
                                  "output", "first_rows", "data", "tap"});
            !s)
            return s;
        DIVDET_TAKE(nameField, step.at(role));
        DIVDET_TAKE(valueName, nameField.text());
        DIVDET_TAKE(dimsField, step.at("dims"));
        DIVDET_TAKE(dims, readDims(dimsField));
        if (auto s = enter(nameField, valueName); !s) return s;
        const auto at =
            step.has("input") ? m_graph.addInput(valueName, dims) : m_graph.addWeight(valueName, dims, {});
        Value& v = m_graph.values[at];
        if (auto s = readFilling(step, v.filling); !s) return s;
        if (auto s = readTruth(step, "output", v.output); !s) return s;
        if (auto s = readTruth(step, "first_rows", v.firstRows); !s) return s;
        if (auto s = readTap(step, v); !s) return s;
        return step.has("data") ? readData(step, v) : Status(Done{});
    }

    Status readFilling(const Field& step, Filling& f) {
        if (step.has("fill")) {
            DIVDET_TAKE(field, step.at("fill"));
            DIVDET_TAKE(text, field.text());
            const auto kind = parseFillKind(text);
            if (!kind) return field.wrong(fmt::format("there is no filling named {}", text));
            f.kind = *kind;
        }
        for (auto [key, target] : {std::pair{"sigma", &f.sigma}, std::pair{"area", &f.area}})
            if (step.has(key)) {
                DIVDET_TAKE(field, step.at(key));
                DIVDET_TAKE(x, field.number());
                *target = x;
            }
        if (step.has("stream")) {
            DIVDET_TAKE(field, step.at("stream"));
            DIVDET_TAKE(n, field.whole());
            if (n < 0 || n > UINT32_MAX) return field.wrong("a stream is a number of 32 bits");
            f.stream = static_cast<std::uint64_t>(n);
        }
        if (step.has("area_dims")) {
            DIVDET_TAKE(field, step.at("area_dims"));
            DIVDET_TAKE(dims, readDims(field));
            f.areaDims = std::move(dims);
        }
        if (step.has("limit")) {
            DIVDET_TAKE(field, step.at("limit"));
            DIVDET_TAKE(limit, readDim(field));
            f.limit = std::move(limit);
        }
        return Done{};
    }

    static Status readTruth(const Field& step, const char* key, bool& target) {
        if (!step.has(key)) return Done{};
        DIVDET_TAKE(field, step.at(key));
        DIVDET_TAKE(truth, field.truth());
        target = truth;
        return Done{};
    }

    static Status readTap(const Field& step, Value& v) {
        if (!step.has("tap")) return Done{};
        DIVDET_TAKE(field, step.at("tap"));
        DIVDET_TAKE(tap, field.text());
        v.tap = tap;
        return Done{};
    }

    Status readData(const Field& step, Value& v) {
        DIVDET_TAKE(field, step.at("data"));
        if (auto s = field.array(); !s) return s;
        Shape shape;
        for (const Dim& d : v.dims) {
            const auto known = std::find_if(m_graph.dims.begin(), m_graph.dims.end(),
                                            [&](const DimDefault& k) { return k.name == d.symbol; });
            if (!d.symbol.empty() && known == m_graph.dims.end())
                return step.wrong(fmt::format("dimension {} has no value", d.symbol));
            shape.push_back(d.symbol.empty() ? d.value : known->value);
        }
        const auto count = elementCount(shape);
        if (!count || *count != static_cast<std::int64_t>(field.size()))
            return field.wrong(
                fmt::format("{} numbers do not fill the shape {}", field.size(), divdet::toString(shape)));
        std::vector<float> numbers;
        for (std::size_t i = 0; i < field.size(); ++i) {
            DIVDET_TAKE(x, readDatum(field[i]));
            numbers.push_back(x);
        }
        v.data = tensorOf<float>(DType::f32, std::move(shape), numbers);
        return Done{};
    }

    Status readOp(const Field& step) {
        if (auto s = step.object({"op", "name", "inputs", "attributes", "output", "tap"}); !s) return s;
        DIVDET_TAKE(kindField, step.at("op"));
        DIVDET_TAKE(kindName, kindField.text());
        const auto kind = parseOpKind(kindName);
        if (!kind) return kindField.wrong(fmt::format("there is no op named {}", kindName), nearOp(kindName));
        DIVDET_TAKE(nameField, step.at("name"));
        DIVDET_TAKE(valueName, nameField.text());
        DIVDET_TAKE(inputs, readInputs(step, *kind));
        Attributes attributes;
        if (step.has("attributes")) {
            DIVDET_TAKE(field, step.at("attributes"));
            if (auto s = readAttributes(field, attributes); !s) return s;
        }
        if (auto s = enter(nameField, valueName); !s) return s;
        const auto at = m_graph.addOp(*kind, valueName, std::move(inputs), std::move(attributes));
        if (auto s = readTap(step, m_graph.values[at]); !s) return s;
        return readTruth(step, "output", m_graph.values[at].output);
    }

    static std::string nearOp(const std::string& wanted) {
        std::vector<std::string> names;
        for (OpKind kind : allOps()) names.emplace_back(name(kind));
        const std::string near = nearestName(wanted, names);
        return near.empty() ? fmt::format("the ops are {}", fmt::join(names, ", "))
                            : fmt::format("did you mean {}?", near);
    }

    Result<std::vector<ValueIndex>> readInputs(const Field& step, OpKind kind) {
        DIVDET_TAKE(field, step.at("inputs"));
        if (auto s = field.array(); !s) return s.error();
        const OpDef& def = opDef(kind);
        if (field.size() < def.minInputs || field.size() > def.maxInputs)
            return field.wrong(
                fmt::format("{} takes {} to {} inputs", def.name, def.minInputs, def.maxInputs));
        std::vector<ValueIndex> inputs;
        for (std::size_t i = 0; i < field.size(); ++i) {
            DIVDET_TAKE(in, field[i].text());
            const auto known = m_byName.find(in);
            if (known == m_byName.end())
                return m_anywhere.contains(in)
                           ? field[i].wrong(
                                 fmt::format("no step before this one makes {}: its own comes later", in),
                                 "a graph has no cycles: put every step behind those it reads")
                           : field[i].wrong(fmt::format("no step before this one makes {}", in),
                                            "add an input, a weight or an op of that name");
            inputs.push_back(known->second);
        }
        return inputs;
    }

    static Status readAttributes(const Field& field, Attributes& attributes) {
        if (!field.json().is_object()) return field.wrong("an object is due here");
        for (const auto& item : field.json().items()) {
            const Field f(item.value(), fmt::format("{}.{}", field.place(), item.key()));
            if (f.json().is_string()) {
                DIVDET_TAKE(text, f.text());
                attributes[item.key()] = text;
            } else if (f.json().is_number_integer()) {
                DIVDET_TAKE(n, f.whole());
                attributes[item.key()] = n;
            } else {
                DIVDET_TAKE(x, f.number());
                attributes[item.key()] = x;
            }
        }
        return Done{};
    }

    Graph m_graph;
    std::unordered_map<std::string, ValueIndex> m_byName;
    std::unordered_set<std::string> m_anywhere; ///< names of all steps
};

#undef DIVDET_TAKE

} // namespace

Result<Graph> parseGraph(std::string_view text) {
    const auto document = json::parseDocument(text, kMaxGraphText);
    if (!document) return document.error();
    return Reader()(Field(*document, ""));
}

} // namespace divdet::block
