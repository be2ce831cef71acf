// What a program of torch's minifier computes, by its text: no Python is needed, and none is run.
#include <algorithm>

#include "base/split.h"
#include "session/repro/torch_bundle.h"

namespace divdet {
namespace {

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// `torch.relu` of `torch.relu(x)`, and what follows it.
std::string_view nameAt(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), isNameCharacter);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// A call by its name, anything else as it stands; empty where a value only gets another name.
std::string_view opOf(std::string_view value) {
    const std::string_view name = nameAt(value);
    if (name.size() == value.size()) return {};
    return !name.empty() && value[name.size()] == '(' ? name : value;
}

/// Names and constants, alone or in tuples, lists and dicts: nothing is called, indexed or computed.
bool onlyHandsOver(std::string_view value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        if (isNameCharacter(c)) continue;
        if (std::string_view("()[]{},: '\"").find(c) == std::string_view::npos) return false;
        if ((c == '(' || c == '[') && i > 0 && (isNameCharacter(value[i - 1]) || value[i - 1] == ')'))
            return false;
    }
    return true;
}

/// The op of a line of a body; empty: it has none.
std::string_view opOfLine(std::string_view line) {
    line = line.substr(0, line.find(';'));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (nameAt(line) == "return") {
        std::string_view value = line.substr(6);
        while (value.starts_with(' ')) value.remove_prefix(1);
        return onlyHandsOver(value) ? std::string_view() : opOf(value);
    }
    const std::string_view name = nameAt(line);
    if (name.empty() && !line.starts_with('(')) return {}; // a comment, a string
    const std::string_view rest = line.substr(name.size());
    if (!name.empty() && rest.starts_with('(')) return name; // what it returns is dropped
    const auto equals = line.find(" = ");
    if (rest.starts_with('[') && equals != std::string_view::npos) return line; // it writes into a value
    if (rest.size() > 3 && rest[0] == ' ' && rest[1] != '=' && rest.substr(2).starts_with("= ")) return line;
    return equals == std::string_view::npos ? std::string_view() : opOf(line.substr(equals + 3));
}

} // namespace

std::vector<std::string> forwardOps(std::string_view script) {
    std::vector<std::string> out;
    bool inside = false;
    for (const std::string& line : split(script, '\n')) {
        const auto first = line.find_first_not_of(' ');
        if (first == std::string::npos) continue;
        const std::string_view said = std::string_view(line).substr(first);
        if (said.starts_with("def ")) {
            inside = said.starts_with("def forward(");
            continue;
        }
        if (!inside) continue;
        if (const auto op = opOfLine(said); !op.empty()) out.emplace_back(op);
        if (nameAt(said) == "return") break;
    }
    return out;
}

} // namespace divdet
