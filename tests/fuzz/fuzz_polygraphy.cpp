#include <nlohmann/json.hpp>

#include "dump/json_outline.h"
#include "dump/json_tokens.h"
#include "dump/runner_choice.h"
#include "fuzz/dump_walk.h"

// A Polygraphy result file: the text as it is; the same as the outputs of a right frame around it; and as
// JSON text compared with another reader of JSON.

namespace divdet::fuzz {
namespace {

std::string framed(std::string_view outputs) {
    return R"({"lst": [["r", [{"outputs": {)" + std::string(outputs) +
           R"(}, "runtime": 1, "runner_name": "r", "polygraphy_class": "IterationResult"}]]], )"
           R"("polygraphy_class": "RunResults"})";
}

void compareWithLibrary(Input input) {
    const std::string text(asText(input));
    const auto file = FileBytes::of("fuzz.json", std::vector<std::byte>(input.begin(), input.end()));
    const auto outline = JsonOutline::of(*file);
    if (!outline) checkError(outline.error(), input.size());
    // Python's NaN and Infinity are beyond that library, our limits too; NUL ends its text.
    if (outline || !nlohmann::json::accept(text)) return;
    require(outline.error().code == ErrorCode::refused || text.find('\0') != std::string::npos ||
                text.find("\xef\xbb\xbf") == 0,
            "what is JSON is read: " + outline.error().text());
}

void polygraphy(Input input) {
    openAndWalk("fuzz.json", input);
    const std::string inFrame = framed(asText(input));
    openAndWalk("fuzz.json", asInput(inFrame));
    if (input.size() > 0) compareWithLibrary(input);
    const std::string text = withoutJsonEscapes(asText(input));
    require(text.size() <= input.size() * 3, "escapes do not grow");
    const auto file = FileBytes::of("fuzz.json", std::vector<std::byte>(input.begin(), input.end()));
    if (const auto dump = openDump(file))
        if (const auto chosen = withRunner(*dump, "r")) walkDump(**chosen, input.size());
}

std::vector<std::string> seeds() {
    const std::string npy = "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzog"
                            "KDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
                            "ICAgIAoAAIA/AAAAQA==";
    const std::string lazy = R"("y\u00e9": {"values": {"array": ")" + npy +
                             R"(", "polygraphy_class": "ndarray"}, "polygraphy_class": "LazyArray"})";
    return {lazy,
            lazy + ", " + R"("t": {"tensor": "Z2FyYmFnZQ==", "polygraphy_class": "Tensor"})",
            framed(lazy),
            R"([{"x": {"array": ")" + npy + R"(", "polygraphy_class": "ndarray"}}])",
            R"({"lst": [], "__polygraphy_encoded_RunResults": "constructor"})",
            R"([1, -2.5e3, true, false, null, NaN, -Infinity, "\ud83d\ude00", [], {}])",
            R"("z": {"array": "\u0093NUMPY\u0001\u0000", "polygraphy_class": "ndarray"})"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(polygraphy, divdet::fuzz::polygraphy, divdet::fuzz::seeds)
