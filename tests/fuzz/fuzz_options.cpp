#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/number_text.h"
#include "compare/tolerance.h"
#include "fuzz/target.h"
#include "tensor/dtype.h"

// Words a user types: types, rules, presets; and numbers that are shown and typed back.

namespace divdet::fuzz {
namespace {

double doubleFrom(Choices& choices) {
    const std::uint64_t bits = choices.number(8);
    double out = 0;
    static_assert(sizeof out == sizeof bits);
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

void options(Input input) {
    Choices choices(input);
    const double x = doubleFrom(choices);
    const std::string text(asText(choices.rest()));
    if (const auto dtype = parseDType(text))
        require(parseDType(name(*dtype)) == dtype, "type names read back");
    if (const auto rule = parseRule(text))
        require(parseRule(toString(*rule)) == rule, "rule names read back");
    if (const TolerancePreset* p = findPreset(text)) require(p->id == text, "a preset is found by its name");
    const std::string shown = toleranceText(x);
    require(shown.size() < 40 && shortNumber(x).size() < 40, "numbers are short");
    char* end = nullptr;
    const double back = std::strtod(shown.c_str(), &end);
    require(end == shown.c_str() + shown.size(), "a shown number is a number: " + shown);
    require(std::isnan(x) ? std::isnan(back) : back == x, "a shown tolerance loses nothing: " + shown);
    const Tolerance t{Rule::allclose, x, 1e-3, false};
    require(validate(t).ok() == (std::isfinite(x) && x >= 0), "tolerances are finite and not negative");
}

std::vector<std::string> seeds() {
    const std::string one("\x3f\xf0\0\0\0\0\0\0", 8), nan("\x7f\xf8\0\0\0\0\0\1", 8),
        tiny("\0\0\0\0\0\0\0\1", 8);
    return {one + "float32", nan + "torch.bfloat16", tiny + "F8_E4M3", one + "allclose", one + "fp32"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(options, divdet::fuzz::options, divdet::fuzz::seeds)
