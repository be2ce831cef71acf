// Repros: what is written is read again, what is read cannot harm, and every
// repro.py fails as it says.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "effort.h"
#include "host/twin_backend.h"
#include "lower/pass_info.h"
#include "scratch_folder.h"
#include "session/repro/script.h"

namespace divdet {
namespace {

Session& session() {
    static const auto backends = [] {
        auto registry = std::make_shared<run::BackendRegistry>();
        registry->add(std::make_shared<host::TwinBackend>());
        return registry;
    }();
    static Session one(backends);
    return one;
}

BlockRequest requestFor(const std::string& block, const std::string& pass) {
    BlockRequest r;
    r.block = block;
    if (block != "scatter-add" && block != "reduction") r.dims = {{"tokens", 16}, {"width", 64}};
    r.passes = {*lower::parsePass(pass)};
    return r;
}

Result<Minified> minified(const std::string& block, const std::string& pass,
                          const std::optional<Tolerance>& tolerance = {}) {
    BlockRequest request = requestFor(block, pass);
    if (tolerance) request.tolerance = *tolerance;
    return minifyBlock(session(), {request, {}, {}});
}

Repro oneRepro() {
    return *reproOf(session(), *minified("mlp", "wrong-accumulator=bf16"));
}

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool hasNumpy() {
    return std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") == 0;
}

/// Exit code and both outputs of the system's python3 in a folder.
std::pair<int, std::string> python(const std::filesystem::path& folder, const std::string& script) {
    const std::string command =
        "cd '" + folder.string() + "' && /usr/bin/python3 " + script + " > out.txt 2>&1";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), contents(folder / "out.txt")};
}

TEST(Repro, TextIsReadBackAsItWas) {
    Repro r = oneRepro();
    r.request.declared = {"tf32"};
    r.request.judge = parseJudgeSelection("all");
    r.request.tolerance.options.rmseK = 3;
    r.request.seed = 7;
    const auto back = parseRepro(reproText(r), ".");
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_TRUE(block::sameGraph(back->theCase.graph, r.theCase.graph));
    EXPECT_EQ(back->theCase.passes, r.theCase.passes);
    EXPECT_EQ(back->symptom, r.symptom);
    EXPECT_EQ(back->request.tolerance, r.request.tolerance);
    EXPECT_EQ(back->request.judge, r.request.judge);
    EXPECT_EQ(back->request.declared, r.request.declared);
    EXPECT_EQ(reproText(*back), reproText(r));
}

TEST(Repro, ItReproducesAndNoLongerWithoutTheFault) {
    Repro r = oneRepro();
    auto run = *runRepro(session(), r);
    EXPECT_TRUE(run.reproduced) << run.outcome.text;
    EXPECT_EQ(run.verdict, r.verdict);
    EXPECT_EQ(run.pairClass, "bug");
    EXPECT_GT(run.largestError, 0);
    r.theCase.passes = {*lower::parsePass("reassociate")};
    run = *runRepro(session(), r);
    EXPECT_FALSE(run.reproduced);
    EXPECT_EQ(run.outcome.answer, hunt::Answer::good);
    r = oneRepro();
    r.failure = "non-finite"; // it fails, but not in that way
    EXPECT_FALSE(runRepro(session(), r)->reproduced);
    EXPECT_FALSE(runRepro(session(), r, "cuda:99").ok());
}

TEST(Repro, WhatIsWrongWithATextIsSaidWithItsPlace) {
    const std::string good = reproText(oneRepro());
    const auto changed = [&](const std::string& from, const std::string& to) {
        const auto at = good.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        std::string text = good;
        text.replace(at, from.size(), to);
        const auto r = parseRepro(text, ".");
        EXPECT_FALSE(r.ok()) << to;
        return r ? Error{} : r.error();
    };
    EXPECT_EQ(parseRepro("{}", ".").error().code, ErrorCode::malformed);
    EXPECT_EQ(parseRepro("[1]", ".").error().code, ErrorCode::malformed);
    EXPECT_EQ(parseRepro("nonsense", ".").error().code, ErrorCode::malformed);
    EXPECT_EQ(changed("\"divdet_repro\": 1", "\"divdet_repro\": 2").code, ErrorCode::unsupported);
    EXPECT_EQ(changed("wrong-accumulator=bf16\"]", "no-such-pass\"]").path, "passes[0]");
    EXPECT_EQ(changed("\"rule\":\"allclose\"", "\"rule\":\"closely\"").code, ErrorCode::malformed);
    EXPECT_EQ(changed("\"rtol\":", "\"rtol\":-").code, ErrorCode::malformed);
    EXPECT_EQ(changed("\"seed\": 0", "\"seed\": -1").path, "seed");
    EXPECT_EQ(changed("\"seed\": 0", "\"seed\": 0, \"extra\": 1").code, ErrorCode::malformed);
    EXPECT_EQ(changed("\"fp32\"", "\"fp16\"").code, ErrorCode::malformed);
    EXPECT_EQ(changed("\"bad_when\":\"", "\"bad_when\":\"auto\",\"seen\":\"").code, ErrorCode::malformed);
    EXPECT_TRUE(changed("\"op\":\"matmul\"", "\"op\":\"matmal\"").path.starts_with("graph.steps"));
    EXPECT_EQ(changed("\"seed\": 0", "\"inputs\": \"../x.npz\", \"seed\": 0").path, "inputs");
    EXPECT_FALSE(changed("\"seed\": 0", "\"inputs\": \"absent.npz\", \"seed\": 0").message.empty());
}

TEST(Repro, ManyNumbersStandInAFileBeside) {
    test::ScratchFolder folder;
    BlockRequest request = requestFor("mlp", "wrong-accumulator=bf16");
    const auto m = *minifyBlock(session(), {request, {}, {.maxRuns = 2}}); // no run to make it smaller with
    ASSERT_GT(m.result.sizeAfter.numbers, kMostInline);
    const auto repro = *reproOf(session(), m);
    const auto run = *runRepro(session(), repro);
    const auto names = writeRepro(repro, run, &m.result, folder.path());
    ASSERT_TRUE(names.ok()) << names.error().text();
    EXPECT_EQ(*names, (std::vector<std::string>{"repro.npz", "repro.json", "repro.py", "repro.md"}));
    const auto back = readRepro(folder.path() / "repro.json");
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_TRUE(runRepro(session(), *back)->reproduced);
    if (!hasNumpy()) GTEST_SKIP() << "no numpy";
    const auto [code, output] = python(folder.path(), "repro.py");
    EXPECT_EQ(code, 1) << output;
    EXPECT_NE(output.find("guilty pass: wrong-accumulator=bf16"), std::string::npos) << output;
}

/// The script of a fault made small fails with the pass's name, and passes once the guilty line is the
/// reference's. False: the fault does not fit, or shows nothing here.
bool failsAndPasses(const std::string& block, const std::string& fault,
                    const std::optional<Tolerance>& tolerance = {}) {
    const auto m = minified(block, fault, tolerance);
    if (!m || m->result.before.answer != hunt::Answer::bad) return false;
    const auto repro = reproOf(session(), *m);
    EXPECT_TRUE(repro.ok()) << repro.error().text();
    if (!repro) return false;
    const auto run = *runRepro(session(), *repro);
    test::ScratchFolder folder;
    EXPECT_TRUE(writeRepro(*repro, run, &m->result, folder.path()).ok());
    const std::string md = contents(folder.path() / "repro.md");
    EXPECT_NE(md.find(fault), std::string::npos) << md;
    const auto script = reproScript(*repro, run);
    EXPECT_TRUE(script.ok()) << script.error().text();
    if (!script) return false;
    auto [code, output] = python(folder.path(), "repro.py");
    EXPECT_NE(code, 0) << *script;
    const std::string named = toString(repro->theCase.passes[0]);
    EXPECT_NE(output.find("guilty pass: " + named), std::string::npos) << output << *script;
    // up_faulty = …  # guilty: …   becomes   up_faulty = up
    const std::regex guilty("(\\w+)_faulty(_*) = .*# guilty: .*");
    const std::string mended = std::regex_replace(*script, guilty, "$1_faulty$2 = $1");
    EXPECT_NE(mended, *script);
    std::ofstream(folder.path() / "mended.py") << mended;
    std::tie(code, output) = python(folder.path(), "mended.py");
    EXPECT_EQ(code, 0) << output << mended;
    return true;
}

TEST(ReproScript, EveryOneFailsWithItsPassAndPassesWithoutIt) {
    if (!hasNumpy()) GTEST_SKIP() << "no numpy";
    std::set<std::string> scripted;
    for (const char* block : {"mlp", "attention", "linear", "reduction", "scatter-add"}) {
        for (const auto& info : lower::passList()) {
            if (info.kind != lower::PassKind::bug) continue;
            std::vector<std::string> variants = info.variants;
            if (info.id == "dropped-tail") variants = {"tile:24"}; // divides no K here
            if (info.varies) variants = {"seed:3"};
            if (variants.empty()) variants = {""};
            for (const auto& variant : variants) {
                const std::string fault = info.id + (variant.empty() ? "" : "=" + variant);
                SCOPED_TRACE(std::string(block) + " " + fault);
                if (failsAndPasses(block, fault)) scripted.insert(info.id);
            }
        }
    }
    for (const auto& info : lower::passList()) {
        if (info.kind != lower::PassKind::bug) continue;
        EXPECT_TRUE(scripted.contains(info.id)) << info.id;
    }
}

/// Drift that a tolerance as tight as this does not allow is a failure like others.
TEST(ReproScript, DriftOutsideTheToleranceToo) {
    if (!hasNumpy()) GTEST_SKIP() << "no numpy";
    const Tolerance tight{Rule::allclose, 1e-6, 1e-8, false};
    for (const char* pass : {"tf32=rne", "tf32=rna", "tf32=rz", "bf16", "fp16", "int8", "gelu-tanh"}) {
        SCOPED_TRACE(pass);
        EXPECT_TRUE(failsAndPasses("mlp", pass, tight));
        EXPECT_EQ(failsAndPasses("linear", pass, tight), pass != std::string("gelu-tanh")); // no gelu there
    }
}

/// Every op of two blocks as the one whose buffer is stale: the script has words for all of them.
TEST(ReproScript, EveryOpHasWords) {
    if (!hasNumpy()) GTEST_SKIP() << "no numpy";
    int scripts = 0;
    for (const char* block : {"attention", "mlp"}) {
        const auto bound = *block::bind(*blockGraph(requestFor(block, "stale-buffer")));
        for (const block::Op& op : bound.graph.ops) {
            const std::string fault = "stale-buffer@" + bound.graph.opName(op);
            SCOPED_TRACE(std::string(block) + " " + fault);
            scripts += failsAndPasses(block, fault);
        }
    }
    EXPECT_GE(scripts, 15);
}

TEST(ReproScript, NamesFromAFileAreOnlyNames) {
    Repro r = oneRepro();
    for (block::Value& v : r.theCase.graph.values) v.name += "\n'); import os #";
    r.theCase.graph.values[0].name = "import";
    r.theCase.graph.values[1].name = "float";
    for (auto& p : r.theCase.passes) p.ops.clear();
    const auto run = *runRepro(session(), r);
    const auto script = reproScript(r, run);
    ASSERT_TRUE(script.ok()) << script.error().text();
    EXPECT_EQ(script->find("import os"), std::string::npos) << *script;
    EXPECT_EQ(script->find("\nimport ="), std::string::npos) << *script;
    EXPECT_EQ(script->find("\nfloat ="), std::string::npos) << *script;
    if (!hasNumpy()) GTEST_SKIP() << "no numpy";
    test::ScratchFolder folder;
    std::ofstream(folder.path() / "repro.py") << *script;
    const auto [code, output] = python(folder.path(), "repro.py");
    EXPECT_EQ(code, 1);
    EXPECT_NE(output.find("AssertionError: guilty pass"), std::string::npos) << output;
}

TEST(ReproScript, WhatItHasNoWordsForIsSaid) {
    Repro r = oneRepro();
    r.theCase.passes = {*lower::parsePass("fp8")};
    test::ScratchFolder folder;
    std::ofstream(folder.path() / "repro.py") << "# Written by divdet, of an earlier case";
    const auto names = writeRepro(r, {}, nullptr, folder.path());
    ASSERT_TRUE(names.ok());
    EXPECT_EQ(*names, (std::vector<std::string>{"repro.json", "repro.md"}));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "repro.py"));
    EXPECT_NE(contents(folder.path() / "repro.md").find("no repro.py"), std::string::npos);
    EXPECT_EQ(reproScript(r, {}).error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace divdet
