#include "session/tap_tolerance.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump/glob.h"

namespace divdet {
namespace {

constexpr std::size_t kMostBytes = 16u << 20; ///< a list of tolerances is a small file

Error wrong(const std::string& what, const std::string& where) {
    return {ErrorCode::usage, what, where, "write lines GLOB RTOL ATOL [RULE], or a JSON list of objects"};
}

Status setNumber(const std::string& text, const std::string& where, std::optional<double>& out) {
    if (text == "-") return Done{};
    double v = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, v);
    if (error != std::errc() || stop != end) return wrong(fmt::format("'{}' is not a number", text), where);
    out = v;
    return Done{};
}

Status setRule(const std::string& text, const std::string& where, TapTolerance& out) {
    out.overrides.rule = parseRule(text);
    if (out.overrides.rule) return Done{};
    return Error{ErrorCode::usage, fmt::format("'{}' is no rule", text), where, "rules are " + ruleNames()};
}

/// What is named must be a tolerance that the programs take.
Status check(const TapTolerance& t, const std::string& where) {
    if (t.glob.empty()) return wrong("a tolerance names no tap", where);
    auto s = validate(t.overrides.over({}));
    if (s) return s;
    Error e = s.error();
    e.path = where;
    return e;
}

Result<TapTolerance> ofLine(const std::string& line, const std::string& where) {
    std::istringstream words(line);
    TapTolerance out;
    std::string rtol, atol, word;
    if (!(words >> out.glob >> rtol >> atol)) return wrong("a line holds too little", where);
    if (auto s = setNumber(rtol, where, out.overrides.rtol); !s) return s.error();
    if (auto s = setNumber(atol, where, out.overrides.atol); !s) return s.error();
    while (words >> word) {
        if (word == "equal-nan") {
            out.overrides.equalNan = true;
            continue;
        }
        if (out.overrides.rule) return wrong(fmt::format("'{}' is one word too many", word), where);
        if (auto s = setRule(word, where, out); !s) return s.error();
    }
    if (auto s = check(out, where); !s) return s.error();
    return out;
}

Result<TapTolerance> ofEntry(const nlohmann::json& entry, const std::string& where) {
    if (!entry.is_object()) return wrong("an entry is no object", where);
    TapTolerance out;
    for (const auto& [key, value] : entry.items()) {
        if (key == "tap" && value.is_string())
            out.glob = value.get<std::string>();
        else if (key == "rtol" && value.is_number())
            out.overrides.rtol = value.get<double>();
        else if (key == "atol" && value.is_number())
            out.overrides.atol = value.get<double>();
        else if (key == "equal_nan" && value.is_boolean())
            out.overrides.equalNan = value.get<bool>();
        else if (key == "rule" && value.is_string()) {
            if (auto s = setRule(value.get<std::string>(), where, out); !s) return s.error();
        } else {
            return wrong(fmt::format("'{}' has no such value", key), where);
        }
    }
    if (auto s = check(out, where); !s) return s.error();
    return out;
}

Result<std::vector<TapTolerance>> ofJson(std::string_view text, const std::string& where) {
    const auto list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array()) return wrong("the file is no JSON list", where);
    std::vector<TapTolerance> out;
    for (const auto& entry : list) {
        auto t = ofEntry(entry, fmt::format("{}, entry {}", where, out.size() + 1));
        if (!t) return t.error();
        out.push_back(std::move(*t));
    }
    return out;
}

Result<std::vector<TapTolerance>> ofLines(std::string_view text, const std::string& where) {
    std::vector<TapTolerance> out;
    std::istringstream in{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        auto t = ofLine(line, fmt::format("{}, line {}", where, number));
        if (!t) return t.error();
        out.push_back(std::move(*t));
    }
    return out;
}

} // namespace

Result<std::vector<TapTolerance>> parseTapTolerances(std::string_view text, const std::string& where) {
    const auto start = text.find_first_not_of(" \t\r\n");
    const bool json = start != std::string_view::npos && (text[start] == '[' || text[start] == '{');
    // A glob may begin with a bracket only where JSON may not: nothing in a glob needs one.
    return json ? ofJson(text, where) : ofLines(text, where);
}

Result<std::vector<TapTolerance>> readTapTolerances(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return Error{ErrorCode::io, "the list of tolerances cannot be opened", path.string(),
                     "--tolerances takes a text or JSON file"};
    // It may be a pipe, whose length nobody knows, so no more is read than tells that it is too long.
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostBytes)
        return Error{ErrorCode::refused, "the list of tolerances is too large", path.string(),
                     "--tolerances takes a file of at most 16 MiB"};
    return parseTapTolerances(text, path.string());
}

const TapTolerance* findTapTolerance(const std::vector<TapTolerance>& list, std::string_view tap) {
    for (const auto& t : list)
        if (globMatches(t.glob, tap)) return &t;
    return nullptr;
}

} // namespace divdet
