// Dumps of several runs, and the recorded pairs of one operation done two ways.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/write.h"
#include "scratch_folder.h"
#include "session/determinism/run_spread_json.h"
#include "shared_data.h"

namespace divdet {
namespace {

TEST(RecordedPairs, AreBitEqualOrNotAsTheTruthSays) {
    const std::string folder = "data/torch/determinism";
    DIVDET_NEEDS_SHARED(folder + "/truth.json");
    std::ifstream in(sharedPath(folder + "/truth.json"));
    const auto truth = nlohmann::json::parse(in);
    int pairs = 0;
    for (const auto& [name, want] : truth["pairs"].items()) {
        SCOPED_TRACE(name);
        RunSpreadRequest request;
        for (const char* side : {".a", ".b"})
            request.runs.push_back(sharedPath(folder + '/' + name + side + ".safetensors"));
        const auto s = spreadOfRuns(request);
        ASSERT_TRUE(s.ok()) << s.error().text();
        ASSERT_EQ(s->taps.size(), 1u);
        ASSERT_TRUE(s->taps[0].spread);
        const TapSpread& tap = *s->taps[0].spread;
        ++pairs;
        EXPECT_EQ(tap.bitEqual(), want["bit_equal"].get<bool>());
        EXPECT_EQ(tap.varying, want["elements_differing"].get<std::int64_t>());
        EXPECT_EQ(tap.maxUlp, want["max_ulp"].get<double>());
        EXPECT_EQ(tap.maxAbs.value, want["max_abs"].get<double>());
        EXPECT_EQ(verdictOf(*s), tap.bitEqual() ? "same-bits" : "varies");
    }
    EXPECT_GT(pairs, 20);
}

Tensor floats(std::vector<float> v) {
    const auto n = static_cast<std::int64_t>(v.size());
    return tensorOf<float>(DType::f32, {n}, v);
}

TEST(RunSpread, NamesTheTapThatVariesFirst) {
    const test::ScratchFolder folder;
    RunSpreadRequest request;
    for (int run = 0; run < 3; ++run) {
        const float last = run == 2 ? 7.5f : 7.0f;
        const std::vector<NamedTensor> taps{
            {"z_input", floats({1, 2})}, {"b_mid", floats({3, last})}, {"a_out", floats({last, last})}};
        request.runs.push_back(folder.path() / ("run" + std::to_string(run) + ".safetensors"));
        ASSERT_TRUE(writeSafetensors(request.runs.back(), taps).ok());
    }
    const auto s = spreadOfRuns(request);
    ASSERT_TRUE(s.ok());
    ASSERT_TRUE(s->firstVarying);
    EXPECT_EQ(s->taps[*s->firstVarying].name, "b_mid");
    EXPECT_EQ(s->equal, 1);
    EXPECT_EQ(s->varying, 2);
    EXPECT_EQ(s->taps[2].spread->variants, 2);
    EXPECT_EQ(verdictOf(*s), "varies");
    request.runs.pop_back();
    const auto same = spreadOfRuns(request);
    ASSERT_TRUE(same.ok());
    EXPECT_TRUE(same->whole());
    EXPECT_EQ(verdictOf(*same), "same-bits");
    EXPECT_EQ(toJson(*same)["counts"]["bit_equal"], 3);
}

TEST(RunSpread, WhatARunLacksLeavesNoAnswer) {
    const test::ScratchFolder folder;
    const std::vector<NamedTensor> both{{"a", floats({1})}, {"b", floats({2})}}, one{{"a", floats({1})}};
    RunSpreadRequest request{{folder.path() / "1.npz", folder.path() / "2.npz"}, {}, {}};
    ASSERT_TRUE(writeNpz(request.runs[0], both).ok());
    ASSERT_TRUE(writeNpz(request.runs[1], one).ok());
    const auto s = spreadOfRuns(request);
    ASSERT_TRUE(s.ok());
    EXPECT_EQ(s->missing[1], std::vector<std::string>{"-b"});
    EXPECT_EQ(s->notCompared, 1);
    EXPECT_FALSE(s->whole());
    EXPECT_EQ(verdictOf(*s), "incomplete");
}

TEST(RunSpread, OneRunIsAUsageError) {
    const auto s = spreadOfRuns({{"a.npz"}, {}, {}});
    ASSERT_FALSE(s.ok());
    EXPECT_EQ(s.error().code, ErrorCode::usage);
}

} // namespace
} // namespace divdet
