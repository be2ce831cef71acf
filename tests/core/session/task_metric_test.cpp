// Real dumps from torch against what torch said of their logits, recorded in truth.json; where logits are
// found; and a live block.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "host/twin_backend.h"
#include "judge/metric/task_metric.h"
#include "make_tensor.h"
#include "session/compare_dumps.h"
#include "session/run_block.h"
#include "session/tap_pairs.h"
#include "session/task_metric.h"
#include "shared_data.h"

namespace divdet {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kDumps = "data/torch/dumps";

TEST(TaskMetricOfDumps, IsThatOfTorch) {
    DIVDET_NEEDS_SHARED(kDumps / "truth.json");
    std::ifstream in(sharedPath(kDumps / "truth.json"));
    const json truth = json::parse(in);
    Session session(std::make_shared<run::BackendRegistry>());
    int compared = 0, flipped = 0;
    for (const auto& [name, file] : truth["files"].items()) {
        for (const auto& [against, answers] : file.items()) {
            if (!against.starts_with("vs_") || !answers.contains("task")) continue;
            CompareRequest request;
            request.reference = sharedPath(kDumps / (against.substr(3) + ".safetensors"));
            request.candidate = sharedPath(kDumps / (name + ".safetensors"));
            request.pairing.only = {"logits", "target_ids"};
            auto result = compareDumps(session, request);
            ASSERT_TRUE(result.ok()) << result.error().text();
            ASSERT_TRUE((*result)->metric) << name;
            const TaskMetric& m = *(*result)->metric;
            const json& t = answers["task"];
            const auto near = [&](double got, const char* key, double slack) {
                const double want = t[key].get<double>();
                EXPECT_NEAR(got, want, slack + 1e-9 * std::fabs(want))
                    << name << ' ' << against << ' ' << key;
            };
            EXPECT_EQ(m.targets, "target_ids");
            EXPECT_EQ(m.tokens, t["rows"]);
            EXPECT_EQ(m.agreed, t["top1_agree"]) << name;
            ASSERT_TRUE(m.scored);
            EXPECT_EQ(m.scored->rightReference, t["top1_accuracy_ref"]) << name;
            EXPECT_EQ(m.scored->rightCandidate, t["top1_accuracy_run"]) << name;
            near(m.scored->crossEntropyReference.value, "cross_entropy_ref", 0);
            near(m.scored->crossEntropyCandidate.value, "cross_entropy_run", 0);
            near(m.scored->crossEntropyChange.value, "cross_entropy_delta", 1e-14);
            near(m.scored->perplexityCandidate.value, "perplexity_run", 0);
            near(m.kl.value, "kl_mean_ref_run", 1e-14); // torch's sum cancels there
            near(m.klLargest, "kl_max_ref_run", 1e-14);
            ++compared;
            flipped += m.flips() > 0;
        }
    }
    EXPECT_GE(compared, 10);
    EXPECT_GE(flipped, 5);
}

/// Pairs of one shape each, on both sides the same but for noise.
Comparison pairsOf(const std::vector<std::pair<std::string, Shape>>& taps) {
    Comparison c;
    std::uint32_t seed = 1;
    for (const auto& [name, shape] : taps) {
        TapPair p;
        p.name = p.candidateName = name;
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        const bool targets = name.find("label") != std::string::npos;
        const Tensor r = test::f64(targets ? std::vector<double>(n, 1) : test::normals(n, seed), shape);
        const Tensor other = targets ? r : test::f64(test::normals(n, ++seed), shape);
        comparePair(p, {r, other, {}, {}}, {}, false, {});
        p.load = [r, other]() -> Result<PairData> { return PairData{r, other, {}, {}}; };
        c.pairs.push_back(std::move(p));
    }
    return c;
}

std::string foundIn(const std::vector<std::pair<std::string, Shape>>& taps,
                    const MetricRequest& request = {}) {
    auto m = taskMetric(pairsOf(taps), request);
    if (!m) return "error: " + m.error().text();
    return *m ? (*m)->logits + "/" + (*m)->targets : "none";
}

TEST(TaskMetricOfPairs, LogitsAreFoundByNameOrByTheirLabels) {
    EXPECT_EQ(foundIn({{"h", {4, 8}}, {"lm_head.logits", {4, 8}}}), "lm_head.logits/");
    EXPECT_EQ(foundIn({{"logits", {1}}, {"h", {4, 8}}}), "none"); // one word is no choice
    EXPECT_EQ(foundIn({{"h", {4, 8}}, {"y", {4, 8}}}), "none");
    EXPECT_EQ(foundIn({{"h", {4, 8}}, {"y", {4, 8}}, {"z", {5, 8}}, {"labels", {1, 4}}}), "y/labels");
    EXPECT_EQ(foundIn({{"logits", {2, 3, 8}}, {"labels", {2, 3}}}), "logits/labels");
    EXPECT_EQ(foundIn({{"logits", {2, 3, 8}}, {"labels", {3, 2}}}), "logits/"); // another order of tokens
    EXPECT_EQ(foundIn({{"logits", {4, 8}}, {"h", {4, 8}}}, {"h", "", {}}), "h/");
}

TEST(TaskMetricOfPairs, WhatWasAskedForByNameIsAnErrorWhenItIsNotThere) {
    const auto has = [](const std::string& text, const char* part) {
        return text.starts_with("error: ") && text.find(part) != std::string::npos;
    };
    const std::string other = foundIn({{"h", {4, 8}}}, {"logit", "", {}});
    EXPECT_TRUE(has(other, "no tap 'logit' on both sides: --logits")) << other;
    EXPECT_TRUE(has(foundIn({{"h", {4, 8}}}, {"", "labels", {}}), "targets go with logits"));
    EXPECT_TRUE(has(foundIn({{"logits", {4, 8}}}, {"", "words", {}}), "no tap 'words': --targets"));
    EXPECT_TRUE(has(foundIn({{"h", {4, 8}}}, {"", "", {{}, {}, 0.1, {}}}), "--max-kl"));
    EXPECT_TRUE(has(foundIn({{"logits", {4, 8}}}, {"", "", {{}, 0.1, {}, {}}}), "needs targets"));
}

TEST(TaskMetricOfRun, ALiveBlockHasItWithItsFirstSnapshot) {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    Session session(std::move(backends));
    BlockRequest request;
    request.block = "lm";
    request.dims = {{"tokens", 64}};
    request.passes = {*lower::parsePass("bf16")};
    std::shared_ptr<const TaskMetric> first;
    auto r = runBlock(session, request, {}, [&](auto snapshot) { first = snapshot->metric; });
    ASSERT_TRUE(r.ok()) << r.error().text();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->tokens, 64);
    EXPECT_EQ(first->targets, "targets");
    EXPECT_EQ((*r)->metric, first);
    request.block = "mlp";
    request.dims = {{"tokens", 8}, {"width", 32}, {"hidden", 64}};
    request.passes.clear();
    auto none = runBlock(session, request);
    ASSERT_TRUE(none.ok());
    EXPECT_FALSE((*none)->metric);
}

} // namespace
} // namespace divdet
