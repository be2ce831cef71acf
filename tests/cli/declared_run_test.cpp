#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using DeclaredRun = CliFixture;

/// torch combines split sums through bf16 by default on CUDA: a bug, unless that backend is meant.
TEST_F(DeclaredRun, ABugThatIsDeclaredIsDrift) {
    const std::string run = "run mlp --tokens 16 --width 64 --hidden 128 --pass split-k-bf16@down --json - ";
    const auto plain = divdet(run).json();
    EXPECT_EQ(plain["class"], "bug");
    EXPECT_EQ(plain["first_bad"], "down");
    const auto declared = divdet(run + "--declare split-k-bf16").json();
    EXPECT_EQ(declared["class"], "drift");
    EXPECT_TRUE(declared["first_bad"].is_null());
    // What is declared explains nothing else.
    EXPECT_EQ(divdet(run + "--pass wrong-accumulator=bf16@up --declare split-k-bf16").json()["first_bad"],
              "up");
}

TEST_F(DeclaredRun, AnUnknownPassIsRefusedWithTheNearest) {
    const auto out = divdet("run mlp --declare split-k-bf61");
    EXPECT_EQ(out.code, 2);
    EXPECT_NE(out.err.find("split-k-bf16"), std::string::npos) << out.err;
}

} // namespace
} // namespace divdet
