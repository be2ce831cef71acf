#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using LanguageModelCli = CliFixture;

TEST_F(LanguageModelCli, TheScriptsForwardPassIsTheGraphs) {
    const std::string source = test::sourceFolder().string(), dump = (m_dir / "lm.npz").string();
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "no numpy";
    ASSERT_EQ(divdet("run lm --no-passes --reference fp64 --save-reference-dump " + dump).code, 0);
    FILE* pipe = popen(
        ("/usr/bin/python3 '" + source + "/tests/golden/lm_forward.py' '" + source + "/resources/lm' " + dump)
            .c_str(),
        "r");
    double error = 1;
    EXPECT_EQ(std::fscanf(pipe, "%lf", &error), 1);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_LT(error, 1e-12);
}

TEST_F(LanguageModelCli, RunsWithFewerTokensAndSaysWhatItCannot) {
    const auto few = divdet("run lm --tokens 64 --pass int8 --rtol 0.1 --atol 1 --json -");
    EXPECT_EQ(few.code, 0) << few.err;
    const auto doc = few.json();
    bool seen = false;
    for (const auto& t : doc["tensors"])
        if (t["name"] == "logits") {
            seen = true;
            EXPECT_EQ(t["shape"][0], 64);
        }
    EXPECT_TRUE(seen);
    const auto broken = divdet("run lm --tokens 100");
    EXPECT_EQ(broken.code, 2);
    EXPECT_NE(broken.err.find("windows of 64"), std::string::npos) << broken.err;
    EXPECT_EQ(divdet("run lm --tokens 4096").code, 2);
    EXPECT_EQ(divdet("run lm --width 128").code, 2);
}

} // namespace
} // namespace divdet
