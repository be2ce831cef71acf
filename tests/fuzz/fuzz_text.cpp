#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "base/split.h"
#include "dump/folder_order.h"
#include "dump/glob.h"
#include "dump/name_noise.h"
#include "dump/natural_order.h"
#include "dump/text_encoding.h"
#include "fuzz/target.h"

// What is done to names: patterns, orders, noise, quoting. Three texts, the first two ended by a line feed.

namespace divdet::fuzz {
namespace {

/// The definition, one recursion per character; for short texts.
bool globByDefinition(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '*')
        return globByDefinition(pattern.substr(1), text) ||
               (!text.empty() && globByDefinition(pattern, text.substr(1)));
    return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
           globByDefinition(pattern.substr(1), text.substr(1));
}

bool readable(std::string_view text) {
    return isUtf8(text) && printable(text) == text;
}

void order(const std::string& a, const std::string& b, const std::string& c) {
    require(!naturalLess(a, a), "nothing precedes itself");
    require(!(naturalLess(a, b) && naturalLess(b, a)), "an order has one direction");
    require(!(naturalLess(a, b) && naturalLess(b, c)) || naturalLess(a, c), "an order is transitive");
    require(a == b || naturalLess(a, b) || naturalLess(b, a), "different names have an order");
    std::vector<std::string> stems = {c, a, b, a + b, b + c};
    sortStems(stems);
    require(stems.size() == 5, "sorting keeps all");
}

void text(Input input) {
    Choices choices(input);
    const std::string a = choices.line(), b = choices.line(), c(asText(choices.rest()));
    const bool matches = globMatches(a, b);
    if (a.size() <= 8 && b.size() <= 10) require(matches == globByDefinition(a, b), "glob as defined");
    require(globMatches("*", b) && globMatches("*" + b + "*", b), "stars match all");
    order(a, b, c);
    for (const std::string& name : {a, b, c}) {
        const std::string noiseless = withoutNoise(name);
        require(noiseless.size() <= name.size(), "noise is only taken away");
        require(name.empty() || !noiseless.empty(), "a name stays");
        require(foldCase(foldCase(name)) == foldCase(name), "case is folded once");
        require(readable(inQuotes(name)), "what is quoted can be shown");
        require(inQuotes(name).size() <= 4 * 60 + 8, "what is quoted is short");
        require(isUtf8(latin1ToUtf8(name)), "Latin-1 becomes UTF-8");
        const auto parsed = nlohmann::json::parse('"' + name + '"', nullptr, false);
        if (parsed.is_string() && name.find_first_of(std::string_view("\\\"\0", 3)) == std::string::npos)
            require(isUtf8(name), "what JSON takes for UTF-8 is UTF-8");
        for (const std::string& part : split(name, ','))
            require(!part.empty() && part.find(',') == std::string::npos, "parts have no separators");
    }
    const std::vector<std::string> names = {b, c};
    const std::string near = nearestName(a, names);
    require(near.empty() || near == b || near == c, "the nearest name is one of them");
}

std::vector<std::string> seeds() {
    return {"a*b?\naxxbc\nlayers.10.attn", "***a\nbbbbbbbbbb\nx007",
            "module._orig_mod.x\n/Reshape_output_0:0\nX", "t1\nt01\nt001",
            "\xc3\xa9\n\xff\xed\xa0\x80\n\x1b[31m\xc2\x9b"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(text, divdet::fuzz::text, divdet::fuzz::seeds)
