#include "block/bind.h"
#include "block/graph_json.h"
#include "block/run_bytes.h"
#include "fuzz/dump_walk.h"
#include "lower/lower.h"

// The graph of a block as JSON: what is read is written and read again, given its sizes and lowered. Nothing
// is run, so that large sizes cost nothing; what would be run has to be bounded.

namespace divdet::fuzz {
namespace {

void graph(Input input) {
    const auto read = block::parseGraph(asText(input));
    if (!read) return checkError(read.error(), input.size());
    const std::string text = block::graphText(*read);
    const auto again = block::parseGraph(text);
    require(again.ok(), "what was written is read: " + (again ? "" : again.error().text()));
    require(block::sameGraph(*read, *again) && read->made == again->made, "a graph survives its text");
    const auto bound = block::bind(*read);
    if (!bound) return checkError(bound.error(), input.size());
    require(block::runBytes(*bound) <= block::maxRunBytes(), "what is bound may be run");
    for (const Shape& shape : bound->shapes) require(elementCount(shape).has_value(), "shapes are countable");
    const auto passes = lower::defaultPasses(*bound);
    const auto program = lower::lower(*bound, passes);
    require(program.ok(), "default passes fit");
    require(program->storage.size() == bound->shapes.size(), "every value is stored in some dtype");
}

/// `more`: fields beside the steps.
std::string withSteps(const std::string& steps, const std::string& more = "") {
    return R"({"divdet_graph":1,"name":"g","dims":{"n":4},)" + more + R"("steps":[)" + steps + "]}";
}

std::vector<std::string> seeds() {
    const std::string x = R"({"input":"x","dims":["n",3]})";
    return {
        withSteps(x + R"(,{"weight":"w","dims":[3,2],"sigma":0.5,"stream":7,"area":2.0,"area_dims":["n",3]},)"
                      R"({"op":"matmul","name":"y","inputs":["x","w"]},)"
                      R"({"op":"gelu","name":"z","inputs":["y"],"output":true,"tap":"m.z"})",
                  R"("fixed":["n"],"made":{"device":"cpu:sm_80","passes":["tf32","int8"]},)"),
        withSteps(x + R"(,{"op":"reduce_sum","name":"s","inputs":["x"],"output":true})"),
        withSteps(R"({"input":"x","dims":[2,2],"data":[1.5,"nan","inf","-inf"],"first_rows":true},)"
                  R"({"op":"scale","name":"y","inputs":["x"],"attributes":{"rsqrt_of":"n"},"output":true})"),
        withSteps(R"({"input":"x","dims":[1,4,6,6]},{"weight":"w","dims":[8,2,3,3]},)"
                  R"({"op":"conv2d","name":"y","inputs":["x","w"],)"
                  R"("attributes":{"groups":2,"stride_y":2,"pad_top":1,"dilation_x":2},"output":true})"),
        withSteps(x + R"(,{"input":"rows","dims":["n"],"fill":"indices","limit":5},)"
                      R"({"op":"scatter_add","name":"y","inputs":["rows","x"],"attributes":{"rows":5}},)"
                      R"({"op":"transpose","name":"t","inputs":["y"],"output":true})"),
        withSteps(R"({"input":"x","dims":[4,6]},)"
                  R"({"op":"split_heads","name":"h","inputs":["x"],"attributes":{"heads":2}},)"
                  R"({"op":"softmax","name":"p","inputs":["h"]},)"
                  R"({"op":"merge_heads","name":"y","inputs":["p"],"output":true})"),
        withSteps(R"({"input":"x","dims":[16777216,1]},{"weight":"w","dims":[1,16777216]},)"
                  R"({"op":"matmul","name":"y","inputs":["x","w"],"output":true})"),
    };
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(graph, divdet::fuzz::graph, divdet::fuzz::seeds)
