// compare --graph from the command line: files that run wrote, fields of the JSON, exit codes.
#include "cli/cli_fixture.h"

namespace divdet {
namespace {

class GraphCli : public CliFixture {
protected:
    /// Files of a run of the block with these passes.
    void write(const std::string& block, const std::string& passes) {
        const auto run = divdet("run " + block + " " + passes + " --tokens 16 --graph-out " + path("g.json") +
                                " --save-dump " + path("c.npz") + " --save-reference-dump " + path("r.npz") +
                                " --save-inputs " + path("i.npz"));
        ASSERT_LT(run.code, 2) << run.err;
    }
    std::string path(const std::string& name) const { return (m_dir / name).string(); }
    Output compared(const std::string& more) {
        return divdet("compare " + path("r.npz") + " " + path("c.npz") + " " + more);
    }
};

const nlohmann::json& tensor(const nlohmann::json& doc, const std::string& name) {
    for (const auto& t : doc["tensors"])
        if (t["name"] == name) return t;
    static const nlohmann::json none;
    return none;
}

TEST_F(GraphCli, FillsBoundAndZ) {
    write("mlp", "--pass int8");
    const auto without = compared("--json -").json();
    EXPECT_TRUE(tensor(without, "down")["beyond_hard_bound"].is_null());
    EXPECT_TRUE(tensor(without, "down")["z_rms"].is_null());
    const auto with =
        compared("--graph " + path("g.json") + " --inputs " + path("i.npz") + " --json -").json();
    EXPECT_EQ(tensor(with, "down")["beyond_hard_bound"], 0);
    EXPECT_TRUE(tensor(with, "down")["z_rms"].is_number());
    EXPECT_EQ(with["class"], "drift");
    EXPECT_EQ(compared("--graph " + path("g.json") + " --inputs " + path("i.npz") + " --fail-on bug").code,
              0);
}

TEST_F(GraphCli, BlamesTheOp) {
    write("mlp", "--pass tf32 --pass wrong-accumulator=bf16@up");
    const auto with =
        compared("--graph " + path("g.json") + " --inputs " + path("i.npz") + " --json -").json();
    EXPECT_EQ(with["class"], "bug");
    EXPECT_EQ(with["first_bad"], "up");
    EXPECT_GT(tensor(with, "up")["beyond_hard_bound"], 0);
    EXPECT_EQ(tensor(with, "act")["beyond_hard_bound"], 0);
    EXPECT_EQ(tensor(with, "act")["class"], "inherited");
    const auto text = compared("--graph " + path("g.json") + " --inputs " + path("i.npz") + " --fail-on bug");
    EXPECT_EQ(text.code, 1);
    EXPECT_NE(text.out.find("5 of 5 ops judged"), std::string::npos) << text.out;
}

TEST_F(GraphCli, SlipsAreExitTwoWithWhatToDo) {
    write("mlp", "--pass tf32");
    const auto onnx = compared("--graph model.onnx");
    EXPECT_EQ(onnx.code, 2);
    EXPECT_NE(onnx.err.find("as JSON for now"), std::string::npos) << onnx.err;
    EXPECT_NE(onnx.err.find("--graph-out"), std::string::npos) << onnx.err;
    EXPECT_EQ(compared("--graph " + path("nowhere.json")).code, 2);
    std::ofstream(path("bad.json"))
        << R"({"divdet_graph":1,"name":"g","steps":[{"op":"nop","name":"y","inputs":[]}]})";
    const auto bad = compared("--graph " + path("bad.json"));
    EXPECT_EQ(bad.code, 2);
    EXPECT_NE(bad.err.find("steps[0].op"), std::string::npos) << bad.err;
    EXPECT_EQ(divdet("help graph").code, 0);
}

TEST_F(GraphCli, InputsAreSavedByNameAndNowhereElse) {
    write("mlp", "--pass tf32");
    const auto i = divdet("inspect " + path("i.npz") + " --json -").json();
    std::vector<std::string> names;
    for (const auto& t : i["files"][0]["taps"]) names.push_back(t["name"]);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"down.weight", "norm.gain", "up.weight", "x"}));
    EXPECT_EQ(divdet("run mlp --save-inputs " + path("i.xyz")).code, 2);
    // The numbers are those of the run: with them the block gives the same again.
    EXPECT_EQ(divdet("run json:" + path("g.json") + " --pass tf32 --inputs file --input-file " +
                     path("i.npz") + " --seed 5 --save-dump " + path("again.npz"))
                  .code,
              0);
    EXPECT_EQ(divdet("compare " + path("c.npz") + " " + path("again.npz") + " --rtol 0 --atol 0").code, 0);
}

} // namespace
} // namespace divdet
