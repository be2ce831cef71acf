// The recorded answers of torch 2.15 on real dumps (data/torch/dumps/truth.json): torch.isclose and allclose
// on the stored types, torch.testing.assert_close, and torch._dynamo.utils.same at three tolerances.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compare/rules/eager_rmse.h"
#include "compare/rules/evaluate.h"
#include "compare/rules/torch_rule.h"
#include "dump/open.h"
#include "shared_data.h"

namespace divdet {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kDumps = "data/torch/dumps";

using Taps = std::map<std::string, Tensor>;

Taps load(const std::string& file) {
    Taps out;
    auto dump = openDump(sharedPath(kDumps / (file + ".safetensors")));
    if (!dump) return out;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i)
        if (auto t = (*dump)->load(i, {})) out[(*dump)->taps()[i].name] = *t;
    return out;
}

class TorchTruth : public ::testing::Test {
protected:
    void SetUp() override {
        DIVDET_NEEDS_SHARED(kDumps / "truth.json");
        std::ifstream in(sharedPath(kDumps / "truth.json"));
        m_truth = json::parse(in);
        for (const auto& [file, _] : m_truth["files"].items()) m_runs[file] = load(file);
        for (const auto& [file, taps] : m_runs) ASSERT_GE(taps.size(), 47u) << file;
    }
    json m_truth;
    std::map<std::string, Taps> m_runs;
};

TEST_F(TorchTruth, IscloseOnTheStoredTypes) {
    int counts = 0;
    for (const auto& [file, sets] : m_truth["files"].items())
        for (const std::string reference : {"ref_fp64", "eager_fp32"})
            for (const auto& [tap, t] : sets["vs_" + reference]["taps"].items())
                for (const auto& at : t["isclose"]) {
                    if (!at.contains("native_mismatches")) continue;
                    auto out = evaluateRule({m_runs[reference][tap].view(), m_runs[file][tap].view(), {}, {}},
                                            {Rule::torch, at["rtol"], at["atol"], false});
                    ASSERT_TRUE(out.ok()) << out.error().text();
                    EXPECT_EQ(out->mismatches, at["native_mismatches"].get<std::int64_t>()) << file << tap;
                    EXPECT_EQ(out->passes, at["native_allclose"].get<bool>()) << file << tap;
                    ++counts;
                }
    std::printf("%d counts\n", counts);
    EXPECT_GT(counts, 1000);
}

TEST_F(TorchTruth, AssertClose) {
    int verdicts = 0;
    for (const auto& [file, sets] : m_truth["files"].items())
        for (const std::string reference : {"ref_fp64", "eager_fp32"})
            for (const auto& [tap, t] : sets["vs_" + reference]["taps"].items())
                for (const bool checkDType : {true, false}) {
                    const json& want =
                        t[checkDType ? "assert_close_default" : "assert_close_check_dtype_false"];
                    rules::AssertClose options;
                    options.checkDType = checkDType;
                    auto out = rules::assertClose(m_runs[reference][tap], m_runs[file][tap], options);
                    ASSERT_TRUE(out.ok()) << out.error().text();
                    EXPECT_EQ(out->passes, want["passes"].get<bool>()) << file << tap << checkDType;
                    if (out->mismatches > 0) {
                        const auto line = "Mismatched elements: " + std::to_string(out->mismatches) + " / ";
                        EXPECT_NE(want["message"].get<std::string>().find(line), std::string::npos)
                            << file << tap << line;
                    }
                    ++verdicts;
                }
    std::printf("%d verdicts\n", verdicts);
    EXPECT_GT(verdicts, 1500);
}

TEST_F(TorchTruth, SameWithItsNumbers) {
    int verdicts = 0;
    for (const auto& [file, sets] : m_truth["files"].items()) {
        if (!sets.contains("dynamo_same")) continue;
        const json& same = sets["dynamo_same"];
        const std::string eager = same["ref_run"], fp64 = same["fp64_ref_run"];
        for (const auto& [tap, answers] : same["taps"].items())
            for (const auto& want : answers) {
                rules::SameOptions o;
                o.tol = want["tol"];
                const TensorView truth = m_runs[fp64][tap].view();
                auto out = rules::torchSame(m_runs[eager][tap].view(), m_runs[file][tap].view(), truth, o);
                ASSERT_TRUE(out.ok()) << out.error().text();
                EXPECT_EQ(out->passes, want["passes"].get<bool>()) << file << tap << o.tol;
                if (out->statistic) {
                    const double got = out->statistic->abs, expected = want["rmse_res"];
                    EXPECT_NEAR(got, expected, 1e-12 * expected) << file << tap;
                    EXPECT_NEAR(*out->statistic->reference, want["rmse_ref"].get<double>(),
                                1e-12 * want["rmse_ref"].get<double>());
                }
                ++verdicts;
            }
    }
    std::printf("%d verdicts\n", verdicts);
    EXPECT_GT(verdicts, 1000);
}

} // namespace
} // namespace divdet
