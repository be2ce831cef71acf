#include "dump/name_noise.h"

#include <algorithm>
#include <vector>

namespace divdet {
namespace {

std::vector<std::string_view> split(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("./", at), name.size());
        if (end > at) parts.push_back(name.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

/// `Reshape_output_0`: an operator's name, capitalised, with the number of its output.
bool isOnnxOutput(std::string_view part) {
    const auto at = part.rfind("_output_");
    if (at == std::string_view::npos || at == 0 || part[0] < 'A' || part[0] > 'Z') return false;
    const std::string_view digits = part.substr(at + 8);
    return !digits.empty() &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isWrapper(std::string_view part) {
    return part == "_orig_mod" || part == "_fsdp_wrapped_module" || part == "_checkpoint_wrapped_module";
}

} // namespace

std::string withoutNoise(std::string_view name) {
    std::string_view rest = name;
    if (rest.ends_with(":0")) rest.remove_suffix(2);
    auto parts = split(rest);
    std::erase_if(parts, isWrapper);
    parts.erase(parts.begin(), std::find_if(parts.begin(), parts.end(),
                                            [](std::string_view part) { return part != "module"; }));
    if (rest.starts_with('/') && !parts.empty() && isOnnxOutput(parts.back())) parts.pop_back();
    std::string out;
    for (const std::string_view part : parts) {
        if (!out.empty()) out += '.';
        out += part;
    }
    return out.empty() ? std::string(name) : out;
}

std::string foldCase(std::string_view name) {
    std::string out(name);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

} // namespace divdet
