#include <set>

#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using Passes = CliFixture;

constexpr const char* kSmall = "run attention --tokens 6 --width 24 --heads 2 --json - ";

TEST_F(Passes, AreListedWithKindStageAndVariants) {
    const auto list = divdet("passes --json -").json()["passes"];
    std::set<std::string> ids, stages;
    for (const auto& p : list) {
        ids.insert(p["id"]);
        stages.insert(p["stage"]);
        EXPECT_FALSE(p["title"].get<std::string>().empty());
        EXPECT_TRUE(p["kind"] == "drift" || p["kind"] == "bug");
    }
    EXPECT_EQ(ids.size(), list.size());
    for (const char* id : {"reassociate",
                           "fuse",
                           "tf32",
                           "bf16",
                           "fp16",
                           "int8",
                           "int4-weights",
                           "fp8",
                           "fast-math",
                           "gelu-tanh",
                           "one-pass-variance",
                           "flush-to-zero",
                           "atomics",
                           "wrong-accumulator",
                           "split-k-bf16",
                           "clip-calibration",
                           "wrong-scale",
                           "dropped-tail",
                           "double-scale",
                           "mask-off-by-one",
                           "masked-row-nan",
                           "swapped-weight",
                           "fp16-overflow",
                           "race",
                           "stale-buffer",
                           "crash"})
        EXPECT_TRUE(ids.count(id)) << id;
    EXPECT_EQ(stages, (std::set<std::string>{"capture", "decompose", "lower", "replay"}));
    EXPECT_NE(divdet("passes").out.find("seed:N"), std::string::npos);
}

TEST_F(Passes, ABugOfEachStageIsOutside) {
    for (const char* pass :
         {"swapped-weight", "mask-off-by-one", "double-scale", "masked-row-nan", "wrong-scale"})
        EXPECT_EQ(divdet(kSmall + std::string("--rtol 1e-3 --atol 1e-5 --pass ") + pass).json()["verdict"],
                  "outside")
            << pass;
}

TEST_F(Passes, ARunsNumberIsTheSeedOfWhatVaries) {
    const auto worst = [&](const std::string& options) {
        const auto json = divdet(kSmall + options).json();
        return json["tensors"].back()["max_abs"].dump() + json["tensors"].back()["rms"].dump();
    };
    EXPECT_EQ(worst("--pass atomics --run-number 3"), worst("--pass atomics=seed:3"));
    EXPECT_NE(worst("--pass atomics --run-number 3"), worst("--pass atomics --run-number 4"));
    EXPECT_EQ(worst("--pass atomics=seed:1 --run-number 3"), worst("--pass atomics=seed:1"));
    EXPECT_EQ(divdet(kSmall + std::string("--pass atomics --run-number 3")).json()["block"]["run_number"], 3);
}

TEST_F(Passes, ACrashIsAnErrorThatNamesOpAndPass) {
    const Output o = divdet(kSmall + std::string("--pass crash@scores"));
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(o.out.empty());
    EXPECT_EQ(o.err, "divdet: there is no kernel for matmul (raised by the pass crash): scores; "
                     "switch crash off for this op\n");
    EXPECT_EQ(divdet(kSmall + std::string("--pass crash=assert@q")).code, 2);
}

TEST_F(Passes, WhatDoesNotFitSaysWhy) {
    const Output o = divdet("run mlp --pass swapped-weight");
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("no two products of this block have weights of the same shape"), std::string::npos);
}

} // namespace
} // namespace divdet
