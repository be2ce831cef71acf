#include "hunt/recipe.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/nearest_name.h"

namespace divdet::hunt {
namespace {

using Json = nlohmann::json;

/// The files of resources/recipes, read when the program is built.
constexpr const char* kTexts[] = {
#include "recipe_texts.inc"
};

constexpr std::string_view kInherited = "{inherited}";

/// Reads members and remembers the first complaint and every key that was asked for.
class Members {
public:
    explicit Members(const Json& object)
        : m_object(object) {}

    std::string text(const char* key, bool required = false) {
        m_known.insert(key);
        const auto it = m_object.find(key);
        if (it == m_object.end()) {
            if (required) complain(fmt::format("'{}' is missing", key));
            return {};
        }
        if (!it->is_string()) return complain(fmt::format("'{}' is no text", key)), std::string();
        return it->get<std::string>();
    }
    std::size_t count(const char* key) {
        m_known.insert(key);
        const auto it = m_object.find(key);
        if (it == m_object.end()) return 0;
        if (!it->is_number_unsigned()) return complain(fmt::format("'{}' is no count", key)), 0;
        return it->get<std::size_t>();
    }
    const Json& object(const char* key) {
        static const Json none = Json::object();
        m_known.insert(key);
        const auto it = m_object.find(key);
        if (it == m_object.end()) return none;
        if (!it->is_object()) return complain(fmt::format("'{}' is no object", key)), none;
        return *it;
    }
    std::vector<std::string> texts(const char* key) {
        m_known.insert(key);
        std::vector<std::string> out;
        const auto it = m_object.find(key);
        if (it == m_object.end()) return out;
        for (const Json& entry : *it) {
            if (!it->is_array() || !entry.is_string())
                return complain(fmt::format("'{}' is no list of texts", key)), out;
            out.push_back(entry.get<std::string>());
        }
        return out;
    }
    void onlyKnown() {
        for (const auto& [key, value] : m_object.items())
            if (!m_known.contains(key)) complain(fmt::format("'{}' means nothing here", key));
    }
    void complain(std::string what) {
        if (m_complaint.empty()) m_complaint = std::move(what);
    }
    const std::string& complaint() const { return m_complaint; }

private:
    const Json& m_object;
    std::set<std::string> m_known;
    std::string m_complaint;
};

} // namespace

Result<Recipe> parseRecipe(const std::string& json) {
    const auto malformed = [](const std::string& what) {
        return Error{ErrorCode::malformed, "the recipe cannot be used: " + what, "", ""};
    };
    const Json file = Json::parse(json, nullptr, false);
    if (!file.is_object()) return malformed("it is no JSON object");
    Members in(file);
    Recipe r;
    r.id = in.text("id", true);
    r.title = in.text("title", true);
    r.text = in.text("text", true);
    r.example = in.text("example", true);
    r.source = in.text("source", true);
    r.unit = in.text("unit");
    const std::string form = in.text("form", true);
    if (form == "counter")
        r.form = Form::counter;
    else if (form != "sets")
        in.complain(fmt::format("'{}' is no form", form));
    r.items = in.texts("items");
    r.count = in.count("count");
    Members style(in.object("list"));
    for (const auto& [key, into] : {std::pair{"separator", &r.style.separator},
                                    {"first", &r.style.first},
                                    {"before", &r.style.before},
                                    {"after", &r.style.after}})
        if (const std::string text = style.text(key); !text.empty()) *into = text;
    style.onlyKnown();
    const Json& environment = in.object("environment");
    Members variables(environment);
    for (const auto& [name, value] : environment.items()) {
        r.environment.emplace_back(name, variables.text(name.c_str()));
        if (r.form == Form::counter && namesItems(r.environment.back().second))
            in.complain(name + " names items of a counter");
    }
    in.onlyKnown();
    if ((r.form == Form::counter) != (r.count > 0)) in.complain("a counter, and nothing else, has a count");
    if (r.form == Form::counter && (!r.items.empty() || r.unit.empty()))
        in.complain("a counter has a unit and no items");
    if (std::set<std::string>(r.items.begin(), r.items.end()).size() != r.items.size())
        in.complain("an item comes twice");
    for (const Members* part : {&in, &style, &variables})
        if (!part->complaint().empty()) return malformed(part->complaint());
    return r;
}

const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> all = [] {
        std::vector<Recipe> out;
        // One that cannot be read is left out in a broken build only; a test holds that all of them can.
        for (const char* text : kTexts)
            if (auto r = parseRecipe(text)) out.push_back(std::move(*r));
        std::sort(out.begin(), out.end(), [](const Recipe& a, const Recipe& b) { return a.id < b.id; });
        return out;
    }();
    return all;
}

Result<Recipe> findRecipe(const std::string& id) {
    std::vector<std::string> ids;
    for (const Recipe& r : recipes()) {
        if (r.id == id) return r;
        ids.push_back(r.id);
    }
    const std::string nearest = nearestName(id, ids);
    return Error{ErrorCode::usage, fmt::format("there is no recipe '{}'", id), "--recipe",
                 nearest.empty() ? fmt::format("recipes are {}", fmt::join(ids, ", "))
                                 : fmt::format("did you mean {}?", nearest)};
}

std::vector<std::string> itemsOf(const Recipe& recipe) {
    if (recipe.form == Form::sets) return recipe.items;
    std::vector<std::string> out;
    for (std::size_t i = 1; i <= recipe.count; ++i) out.push_back(fmt::format("{} {}", recipe.unit, i));
    return out;
}

void inherit(Recipe& recipe) {
    for (auto& [name, value] : recipe.environment) {
        const auto at = value.find(kInherited);
        if (at == std::string::npos) continue;
        const char* held = std::getenv(name.c_str());
        value.replace(at, kInherited.size(), held && *held ? std::string(held) + ' ' : std::string());
    }
}

} // namespace divdet::hunt
