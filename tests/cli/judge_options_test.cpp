// What the judge is told, and the exit code by class.
#include "cli_fixture.h"

#include "make_tensor.h"
#include "session/compare_dumps.h"
#include "session/result_file.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using test::f64;
using test::normals;

class JudgeOptionsCli : public CliFixture {
protected:
    std::string values(const std::string& file, double gain, DType type = DType::f32) {
        auto v = normals(512, 1);
        for (double& x : v) x *= gain;
        return npy(file, *converted(f64(v, {16, 32}), type));
    }
    int codeOf(const std::string& a, const std::string& b, const std::string& more) {
        return divdet("compare " + a + " " + b + " --rtol 10 --atol 0 --fail-on bug " + more).code;
    }
};

TEST_F(JudgeOptionsCli, FailOnBugFollowsTheClassAndNotTheTolerance) {
    const std::string r = values("r.npy", 1), twice = values("twice.npy", 2),
                      narrow = values("n.npy", 1, DType::f16);
    EXPECT_EQ(codeOf(r, r, ""), 0);
    EXPECT_EQ(codeOf(r, narrow, "--declare fp16-output"), 0);
    EXPECT_EQ(codeOf(r, twice, ""), 1);
    const std::string other = npy("other.npy", *converted(f64(normals(512, 9), {16, 32}), DType::f32));
    EXPECT_EQ(codeOf(r, other, ""), 3); // unclear
    // The verdict decides without it, and a loose tolerance passes twice the values.
    EXPECT_EQ(divdet("compare " + r + " " + twice + " --rtol 1.5 --atol 0").code, 3); // zeros would pass too
    EXPECT_EQ(divdet("compare " + r + " " + twice + " --rtol 0.1 --atol 0").code, 1);
    EXPECT_EQ(divdet("compare " + r + " " + narrow + " --rtol 0 --atol 0 --fail-on bug").code, 0);
    EXPECT_EQ(divdet("compare " + r + " " + narrow + " --rtol 0 --atol 0").code, 1);
    EXPECT_EQ(divdet("compare " + r + " " + npy("s.npy", f64({1, 2})) + " --fail-on bug").code, 3);
}

TEST_F(JudgeOptionsCli, WrongWordsAreUsageErrorsThatHelp) {
    const std::string r = values("r.npy", 1), both = r + " " + r;
    const auto declared = divdet("compare " + both + " --declare tf23");
    EXPECT_EQ(declared.code, 2);
    EXPECT_NE(declared.err.find("did you mean tf32?"), std::string::npos) << declared.err;
    const auto context = divdet("compare " + both + " --context '{\"op\":}'");
    EXPECT_EQ(context.code, 2);
    EXPECT_NE(context.err.find("at byte 6"), std::string::npos) << context.err;
    EXPECT_EQ(divdet("compare " + both + " --role input").code, 2);
    EXPECT_EQ(divdet("compare " + both + " --k 0").code, 2);
    EXPECT_EQ(divdet("compare " + both + " --run " + r + ".gone").code, 2);
    EXPECT_EQ(divdet("compare " + both + " --fail-on drift").code, 2);
}

TEST_F(JudgeOptionsCli, UnknownKeysOfTheContextAreNoted) {
    const std::string r = values("r.npy", 1);
    const auto o =
        divdet("compare " + r + " " + r + " --context '{\"op\":\"matmul\",\"colour\":\"red\"}' --json -");
    ASSERT_EQ(o.code, 0);
    EXPECT_NE(o.json()["notes"].dump().find("colour"), std::string::npos);
}

TEST_F(JudgeOptionsCli, APairIsWithinOnlyIfEachRunIs) {
    const std::string r = values("r.npy", 1), twice = values("twice.npy", 2);
    EXPECT_EQ(divdet("compare " + r + " " + r).code, 0);
    EXPECT_EQ(divdet("compare " + r + " " + r + " --run " + twice).code, 1);
    EXPECT_EQ(divdet("compare " + r + " " + r + " --run " + r).code, 0);
}

TEST_F(JudgeOptionsCli, AResultFileKeepsWhatWasTold) {
    const std::string r = values("r.npy", 1), narrow = values("n.npy", 1, DType::f16);
    const std::string saved = (m_dir / "kept.divdet").string();
    const auto first = divdet(
        "compare " + r + " " + narrow +
        " --declare fp16-output,reassociate --context '{\"op\":\"matmul\"}' --k 64 --inputs " + r +
        " --run " + narrow + " --role input=x,y --role param=w --axes m,n --fail-on bug --save " + saved);
    EXPECT_EQ(first.code, 0) << first.err;
    const auto result = readResult(saved);
    ASSERT_TRUE(result) << result.error().text();
    const JudgeOptions& o = result->result.request.knowledge;
    EXPECT_EQ(o.declare, "fp16-output,reassociate");
    EXPECT_EQ(o.k, 64);
    EXPECT_EQ(o.axes, (std::vector<std::string>{"m", "n"}));
    ASSERT_EQ(o.roles.size(), 2u);
    EXPECT_EQ(o.roles[0].second, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(o.failOn, FailOn::bug);
    ASSERT_EQ(o.runs.size(), 1u);
    EXPECT_EQ(result->result.comparison->pairs[0].runs.size(), 1u);
    const std::string line = commandLine(result->result.request, result->result.tolerance);
    for (const char* part :
         {"--declare fp16-output,reassociate", "--context '{\"op\":\"matmul\"}'", "--k 64", "--inputs ",
          "--run ", "--role input=x,y", "--role param=w", "--axes m,n", "--fail-on bug"})
        EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
    // The line makes the same comparison again.
    EXPECT_EQ(divdet(line.substr(std::string("divdet ").size())).code, 0);
    EXPECT_EQ(divdet("compare " + saved).code, divdet("compare " + r + " " + narrow).code);
    EXPECT_EQ(divdet("compare " + saved + " --declare tf32").code, 2); // judged already
}

} // namespace
} // namespace divdet
