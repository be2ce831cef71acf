#include "block/bind.h"
#include "block/run_bytes.h"
#include "fuzz/dump_walk.h"
#include "fuzz/scratch.h"
#include "hunt/case.h"
#include "session/repro/repro.h"

// A repro.json from elsewhere, with a file of inputs beside it. What is read is written and read again, and
// holds what a run of it needs.

namespace divdet::fuzz {
namespace {

/// With `x.npz`, the inputs of the seeds, and something that is no dump.
const std::filesystem::path& folder() {
    static const std::filesystem::path place = [] {
        const auto out = emptyScratch();
        const std::vector<float> x{1, 2, 3, 4, 5, 6}, w{0.5, -1, 2, 0, 1, 1};
        (void)writeNpz(out / "x.npz",
                       std::vector<NamedTensor>{{"x", tensorOf<float>(DType::f32, {2, 3}, std::span(x))},
                                                {"w", tensorOf<float>(DType::f32, {3, 2}, std::span(w))}});
        writeText(out / "none.npz", "PK\3\4 no zip");
        return out;
    }();
    return place;
}

void repro(Input input) {
    const auto read = parseRepro(asText(input), folder());
    if (!read) return checkError(read.error(), input.size());
    const auto bound = block::bind(read->theCase.graph);
    require(bound.ok(), "a repro can be bound");
    require(block::runBytes(*bound) <= block::maxRunBytes(), "a repro may be run");
    for (const auto& v : bound->graph.values)
        require(v.role == block::Role::intermediate || v.data, "a repro has all its numbers");
    require(!read->theCase.passes.empty(), "a repro has a pass");
    const std::string text = reproText(*read);
    const auto again = parseRepro(text, folder());
    require(again.ok(), "what was written is read: " + (again ? "" : again.error().text()));
    require(reproText(*again) == text, "a repro survives its text");
    require(hunt::identityOf(again->theCase) == hunt::identityOf(read->theCase), "so does its case");
}

std::string sample(const std::string& numbersOfX, const std::string& more) {
    return R"({"divdet_repro":1,"versions":{"divdet":"1"},"block":"mlp","passes":["tf32@y","int8"],)"
           R"("tolerance":{"rule":"allclose","rtol":0.01,"atol":1e-3,"equal_nan":false},)"
           R"("declared":["tf32"],"judge":"y","p":1e-6,"expected":{"bad_when":"verdict",)"
           R"("explained_by":null,"failure":"accuracy","verdict":"outside","class":"bug","seen":"it is"},)"
           R"("device":"cpu:sm_80","reference":"fp64","seed":0,"run_number":3,)" +
           more + R"("graph":{"divdet_graph":1,"name":"g","dims":{},"steps":[{"input":"x","dims":[2,3])" +
           numbersOfX + R"(},{"weight":"w","dims":[3,2])" +
           (numbersOfX.empty() ? "" : R"(,"data":[1,0,0,1,"nan",1])") +
           R"(},{"op":"matmul","name":"y","inputs":["x","w"],"output":true}]}})";
}

std::vector<std::string> seeds() {
    return {sample(R"(,"data":[1,2,3,4,5,6.5])", ""), sample("", R"("inputs":"x.npz",)"),
            sample("", R"("inputs":"none.npz",)"), sample("", R"("inputs":"../x.npz",)"),
            R"({"divdet_repro":2})"};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(repro, divdet::fuzz::repro, divdet::fuzz::seeds)
