// Slips in a graph and its files: each says what, where in the graph, and what to do.
#include <fstream>

#include "dump/write.h"
#include "graph_run.h"

namespace divdet {
namespace {

class GraphErrors : public test::GraphRuns {
protected:
    void SetUp() override {
        const std::vector<float> x{1, 2, 3, 4, 5, 6}, w{1, 0, 0, 1, 1, 1}, y{4, 5, 10, 11};
        const Tensor tx = tensorOf<float>(DType::f32, {2, 3}, std::span(x)),
                     ty = tensorOf<float>(DType::f32, {2, 2}, std::span(y));
        for (const char* file : {"ref.safetensors", "cand.safetensors"})
            ASSERT_TRUE(
                writeSafetensors(m_folder / file, std::vector<NamedTensor>{{"x", tx}, {"y", ty}}).ok());
        ASSERT_TRUE(writeSafetensors(
                        m_folder / "inputs.safetensors",
                        std::vector<NamedTensor>{{"w", tensorOf<float>(DType::f32, {3, 2}, std::span(w))}})
                        .ok());
    }

    /// The error of a comparison with this graph; ok when there is none.
    Error withSteps(const std::string& steps, const std::string& name = "graph.json") {
        std::ofstream(m_folder / name)
            << R"({"divdet_graph":1,"name":"g","dims":{"n":2},"steps":[)" + steps + "]}";
        return answer(name);
    }
    Error answer(const std::string& name) {
        CompareRequest r = withGraph();
        r.knowledge.graph = m_folder / name;
        const auto result = compareDumps(session(), r);
        return result.ok() ? Error{ErrorCode::io, "no error", "", ""} : result.error();
    }

    std::string m_x = R"({"input":"x","dims":["n",3]})", m_w = R"({"weight":"w","dims":[3,2]})",
                m_y = R"({"op":"matmul","name":"y","inputs":["x","w"],"output":true})";
};

#define EXPECT_SAYS(error, expectedCode, what, where, todo)                                                  \
    do {                                                                                                     \
        const Error e = (error);                                                                             \
        EXPECT_EQ(e.code, ErrorCode::expectedCode) << e.text();                                              \
        EXPECT_NE(e.message.find(what), std::string::npos) << e.text();                                      \
        EXPECT_NE(e.path.find("graph"), std::string::npos) << e.text();                                      \
        EXPECT_NE(e.path.find(where), std::string::npos) << e.text();                                        \
        EXPECT_NE(e.hint.find(todo), std::string::npos) << e.text();                                         \
    } while (false)

TEST_F(GraphErrors, ThereIsNoneInARightGraph) {
    EXPECT_EQ(withSteps(m_x + "," + m_w + "," + m_y).message, "no error");
}

TEST_F(GraphErrors, UnknownOp) {
    EXPECT_SAYS(withSteps(m_x + "," + m_w + R"(,{"op":"matmull","name":"y","inputs":["x","w"]})"), malformed,
                "no op named matmull", "steps[2].op", "matmul");
}

TEST_F(GraphErrors, Cycle) {
    EXPECT_SAYS(withSteps(m_x + R"(,{"op":"add","name":"y","inputs":["x","z"],"output":true})" +
                          R"(,{"op":"relu","name":"z","inputs":["y"]})"),
                malformed, "z: its own comes later", "steps[1].inputs[1]", "no cycles");
    EXPECT_SAYS(withSteps(m_x + R"(,{"op":"relu","name":"y","inputs":["y"],"output":true})"), malformed,
                "its own comes later", "steps[1].inputs[0]", "no cycles");
}

TEST_F(GraphErrors, UnknownInput) {
    EXPECT_SAYS(withSteps(m_x + R"(,{"op":"relu","name":"y","inputs":["u"],"output":true})"), malformed,
                "no step before this one makes u", "steps[1].inputs[0]", "add an input");
}

TEST_F(GraphErrors, StatedTapThatIsMissing) {
    EXPECT_SAYS(withSteps(m_x + "," + m_w +
                          R"(,{"op":"matmul","name":"out","tap":"yy","inputs":["x","w"],"output":true})"),
                notFound, "no tap of that name", "op out (tap yy)", "did you mean y?");
    EXPECT_SAYS(withSteps(m_x + R"(,{"weight":"w","dims":[3,2],"tap":"ww"},)" + m_y), notFound,
                "no tap of that name", "weight w (tap ww)", "w");
}

TEST_F(GraphErrors, GraphOfSomethingElse) {
    EXPECT_SAYS(
        withSteps(m_x + "," + m_w + R"(,{"op":"matmul","name":"out","inputs":["x","w"],"output":true})"),
        notFound, "no op of the graph has a tap", "graph.json", "\"tap\"");
}

TEST_F(GraphErrors, WrongShapeOfTap) {
    EXPECT_SAYS(withSteps(R"({"input":"x","dims":[4,3]},)" + m_w + "," + m_y), mismatch,
                "[2, 3], the graph says [4, 3]", "input x", "dims");
    EXPECT_SAYS(withSteps(m_x + R"(,{"weight":"w","dims":[3,5]},)" + m_y), mismatch,
                "[3, 2], the graph says [3, 5]", "weight w", "dims");
    EXPECT_SAYS(withSteps(m_x + R"(,{"op":"relu","name":"y","inputs":["x"],"output":true})"), mismatch,
                "[2, 2], the graph says [2, 3]", "op y", "layout");
}

TEST_F(GraphErrors, ShapesThatDoNotGoTogether) {
    EXPECT_SAYS(withSteps(m_x + R"(,{"weight":"w","dims":[4,2]},)" + m_y), mismatch, "inner sizes", "y", "");
}

TEST_F(GraphErrors, OnnxIsForLater) {
    std::ofstream(m_folder / "graph.onnx") << "\x08\x07";
    EXPECT_SAYS(answer("graph.onnx"), unsupported, "as JSON for now", "graph.onnx", "--graph-out");
}

TEST_F(GraphErrors, NoJson) {
    std::ofstream(m_folder / "graph.json") << "onnx";
    EXPECT_EQ(answer("graph.json").code, ErrorCode::malformed);
    EXPECT_EQ(answer("graph2.json").code, ErrorCode::notFound);
}

TEST_F(GraphErrors, PassesThatAreNone) {
    std::ofstream(m_folder / "graph.json")
        << R"({"divdet_graph":1,"name":"g","dims":{"n":2},"made":{"device":"cpu:sm_80","passes":["tf33"]},"steps":[)" +
               m_x + "," + m_w + "," + m_y + "]}";
    EXPECT_SAYS(answer("graph.json"), usage, "tf33", "made.passes", "tf32");
}

} // namespace
} // namespace divdet
