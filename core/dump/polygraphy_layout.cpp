#include "dump/polygraphy_layout.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

using Kind = JsonNode::Kind;
constexpr std::string_view kOldMarker = "__polygraphy_encoded_";

class LayoutReader {
public:
    LayoutReader(const JsonOutline& outline, const std::string& path)
        : m_json(outline)
        , m_path(path) {}

    PolygraphyLayout out;

    Status root() {
        const JsonNode& root = m_json.root();
        if (root.kind == Kind::array) return feedDicts(root);
        const std::string type = polygraphyClass(m_json, root);
        if (type != "RunResults")
            return Error{ErrorCode::unsupported,
                         type.empty() ? "a JSON file that is no result of Polygraphy"
                                      : "a Polygraphy file of " + inQuotes(type) + ", which holds no tensors",
                         m_path, "polygraphy run --save-outputs writes what this reads", root.text.offset};
        const JsonNode* list = m_json.member(root, "lst");
        if (!list || list->kind != Kind::array) return fail(root, "the list of runners is missing");
        for (const JsonNode* entry : m_json.children(*list))
            if (auto ok = runner(*entry); !ok) return ok;
        return Done{};
    }

private:
    Error fail(const JsonNode& at, const std::string& what) const {
        return {ErrorCode::malformed, what, m_path, "save the results again", at.text.offset};
    }

    /// `[name, [iteration, …]]`
    Status runner(const JsonNode& entry) {
        const auto parts = m_json.children(entry);
        if (entry.kind != Kind::array || parts.size() != 2 || parts[0]->kind != Kind::string ||
            parts[1]->kind != Kind::array)
            return fail(entry, "this is no pair of a runner's name and its iterations");
        std::string name = m_json.text(*parts[0]);
        if (const int n = ++m_named[name]; n > 1) name += fmt::format("#{}", n);
        out.runners.push_back({std::move(name), parts[1]->children});
        std::size_t iteration = 0;
        for (const JsonNode* one : m_json.children(*parts[1])) {
            const std::string type = polygraphyClass(m_json, *one);
            if (type != "IterationResult")
                return fail(*one, "an iteration is of class " + inQuotes(type) + ", not IterationResult");
            const JsonNode* outputs = m_json.member(*one, "outputs");
            for (const char* field : {"outputs", "runtime", "runner_name"})
                if (!m_json.member(*one, field)) return fail(*one, "an iteration has no " + inQuotes(field));
            if (outputs->kind != Kind::object) return fail(*outputs, "the outputs are no object");
            tensors(*outputs, out.runners.size() - 1, iteration++);
        }
        return Done{};
    }

    Status feedDicts(const JsonNode& list) {
        for (const JsonNode* dict : m_json.children(list)) {
            if (dict->kind != Kind::object || !polygraphyClass(m_json, *dict).empty())
                return Error{ErrorCode::unsupported, "a list in JSON that holds no inputs by their names",
                             m_path, "polygraphy run --save-inputs writes such a list", dict->text.offset};
            tensors(*dict, 0, out.feedDicts++);
        }
        return Done{};
    }

    void tensors(const JsonNode& object, std::size_t runner, std::size_t iteration) {
        std::map<std::string, std::size_t> seen;
        for (const JsonNode* value : m_json.children(object)) {
            PolygraphyTensor t;
            t.name = m_json.key(*value);
            if (t.name == "polygraphy_class") continue;
            t.runner = runner;
            t.iteration = iteration;
            if (auto ok = array(*value, t, 0); !ok) t.error = ok.error();
            const auto [at, fresh] = seen.try_emplace(t.name, out.tensors.size());
            if (fresh) {
                out.tensors.push_back(std::move(t));
            } else {
                out.doubled.push_back(t.name);
                out.tensors[at->second] = std::move(t);
            }
        }
    }

    /// An array, in whatever it is wrapped.
    Status array(const JsonNode& value, PolygraphyTensor& t, int depth) {
        const std::string type = polygraphyClass(m_json, value);
        const bool lazy = type == "LazyArray" || type == "LazyNumpyArray",
                   formatted = type == "FormattedArray";
        if ((lazy || formatted) && depth < 3) {
            const JsonNode* inner = m_json.member(value, lazy ? "values" : "array");
            return inner ? array(*inner, t, depth + 1) : fail(value, "an array without values");
        }
        if (type != "ndarray" && type != "Tensor")
            return Error{ErrorCode::unsupported,
                         type.empty() ? "this is no array" : "the class " + inQuotes(type) + " is not read",
                         m_path, "arrays of numpy and tensors of torch are", value.text.offset};
        t.torch = type == "Tensor";
        t.payload = m_json.member(value, t.torch ? "tensor" : "array");
        if (t.payload && t.payload->kind == Kind::string) return Done{};
        t.payload = nullptr;
        return fail(value, fmt::format("the {} has no bytes", t.torch ? "tensor" : "array"));
    }

    const JsonOutline& m_json;
    const std::string& m_path;
    std::map<std::string, int> m_named;
};

} // namespace

std::string polygraphyClass(const JsonOutline& outline, const JsonNode& node) {
    if (node.kind != Kind::object) return "";
    const JsonNode* marker = outline.member(node, "polygraphy_class");
    if (marker && marker->kind == Kind::string && marker->text.size < 200) return outline.text(*marker);
    for (const JsonNode* m : outline.children(node)) {
        if (m->key.size > 200 || m->kind != Kind::string || m->text.size > 200) continue;
        const std::string key = outline.key(*m);
        if (key.starts_with(kOldMarker) && outline.text(*m) == "polygraphy_serialized_json_type") {
            // The old marker does not know the alias: Polygraphy takes such an object for a plain dict.
            std::string type = key.substr(kOldMarker.size());
            return type == "LazyNumpyArray" ? "LazyNumpyArray under the old marker" : type;
        }
    }
    return "";
}

Result<PolygraphyLayout> polygraphyLayout(const JsonOutline& outline, const std::string& path) {
    LayoutReader reader(outline, path);
    if (auto ok = reader.root(); !ok) return ok.error();
    return std::move(reader.out);
}

} // namespace divdet
