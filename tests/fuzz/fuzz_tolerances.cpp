#include "fuzz/dump_walk.h"
#include "session/tap_tolerance.h"

// The list of `--tolerances`: lines or JSON.

namespace divdet::fuzz {
namespace {

void tolerances(Input input) {
    const auto list = parseTapTolerances(asText(input), "list");
    if (!list) return checkError(list.error(), input.size());
    for (const TapTolerance& t : *list) require(!t.glob.empty(), "an entry names taps");
    for (const char* tap : {"", "layer.0.y", "*", "[a-z]"}) {
        const TapTolerance* found = findTapTolerance(*list, tap);
        require(!found || (found >= list->data() && found < list->data() + list->size()),
                "it is in the list");
    }
}

std::vector<std::string> seeds() {
    return {"# taps\nlayer.* 1e-3 1e-5\n*.attn - 1e-2 either equal-nan\nlogits 0 0 polygraphy-elemwise\n",
            R"([{"tap":"a*","rtol":0.1,"atol":0},{"tap":"?","rule":"allclose","equal_nan":true}])"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(tolerances, divdet::fuzz::tolerances, divdet::fuzz::seeds)
