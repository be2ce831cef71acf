// Rules, tolerances per tap, masks, allowed fractions, several candidates: as scripts see them.
#include <fstream>

#include <gtest/gtest.h>

#include "cli/cli_fixture.h"
#include "compare/tolerance.h"
#include "dump/write.h"
#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

class Rules : public CliFixture {
protected:
    std::string file(const std::string& name, const std::string& text) {
        std::ofstream(m_dir / name) << text;
        return (m_dir / name).string();
    }
    std::string f16(const std::string& name, std::vector<double> values) {
        return npy(name, *converted(test::f64(std::move(values)), DType::f16));
    }
    std::string npz(const std::string& name, const std::vector<std::pair<std::string, Tensor>>& taps) {
        std::vector<NamedTensor> list;
        for (const auto& [n, t] : taps) list.push_back({n, t});
        const auto path = m_dir / name;
        EXPECT_TRUE(writeNpz(path, list).ok());
        return path.string();
    }
};

TEST_F(Rules, OneCommandSaysWhyTwoToolsDisagree) {
    // 0.001 as a half is above 0.001: numpy's bound is rounded likewise and lets it pass.
    const auto r = f16("r.npy", {0.0, 1, 2}), c = f16("c.npy", {0.001, 1, 2});
    const Output o = divdet("compare " + r + " " + c + " --rtol 0 --atol 1e-3 --json -");
    EXPECT_EQ(o.code, 1);
    const auto tensor = o.json()["tensors"][0];
    const auto rules = tensor["rules"];
    ASSERT_EQ(rules.size(), 2u) << rules;
    EXPECT_EQ(rules[0]["rule"], "numpy");
    EXPECT_EQ(rules[0]["verdict"], "within");
    EXPECT_EQ(rules[0]["index"], nlohmann::json({0}));
    EXPECT_EQ(rules[0]["judged_bound"], 0.001);
    EXPECT_GT(rules[0]["bound"].get<double>(), 0.001);
    EXPECT_EQ(rules[1]["rule"], "torch");
    const auto cautions = tensor["cautions"];
    EXPECT_NE(std::find(cautions.begin(), cautions.end(), "rules-disagree"), cautions.end());
    const Output text = divdet("compare " + r + " " + c + " --rtol 0 --atol 1e-3");
    EXPECT_NE(text.out.find("numpy says within where allclose says outside; at [0]"), std::string::npos)
        << text.out;
    EXPECT_EQ(divdet("compare " + r + " " + c + " --rtol 0 --atol 1e-3 --rule numpy").code, 0);
}

TEST_F(Rules, AgreementIsNotMentioned) {
    const auto r = npy("r.npy", test::f32({1, 2, 3})), c = npy("c.npy", test::f32({1, 2, 3.5f}));
    for (const char* t : {" --rtol 1e-3 --atol 1e-3", " --rtol 0.5 --atol 1e-3"}) {
        const auto tensor = divdet("compare " + r + " " + c + t + " --json -").json()["tensors"][0];
        EXPECT_TRUE(tensor["rules"].empty()) << tensor["rules"];
    }
}

TEST_F(Rules, SumAndEitherDisagreeBetweenTheirBounds) {
    const auto r = npy("r.npy", test::f32({1, 1})), c = npy("c.npy", test::f32({1, 1.015f}));
    const auto tensor =
        divdet("compare " + r + " " + c + " --rtol 0.01 --atol 0.01 --json -").json()["tensors"][0];
    EXPECT_EQ(tensor["verdict"], "within");
    ASSERT_EQ(tensor["rules"].size(), 2u) << tensor["rules"];
    EXPECT_EQ(tensor["rules"][0]["rule"], "either");
    EXPECT_EQ(tensor["rules"][0]["index"], nlohmann::json({1}));
    EXPECT_EQ(tensor["rules"][1]["rule"], "polygraphy-elemwise");
}

TEST_F(Rules, EveryRuleJudgesAndStatisticsReplaceCounts) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4})), c = npy("c.npy", test::f32({1, 2, 3, 4.5f}));
    for (const auto& rule : ruleList()) {
        const std::string call = "compare " + r + " " + c + " --rule " + std::string(rule.id) + " --json -";
        const Output strict = divdet(call + " --rtol 1e-6 --atol 1e-6");
        if (rule.rule != Rule::polygraphyMedian) {
            EXPECT_EQ(strict.code, 1) << rule.id << strict.err;
        }
        const auto j = strict.json();
        EXPECT_EQ(j["tolerance"]["rule"], rule.id);
        const auto& t = j["tensors"][0];
        EXPECT_EQ(t["mismatches"].is_null(), rule.wholeTensor) << rule.id;
        if (!rule.wholeTensor) {
            EXPECT_EQ(t["first_mismatch"], nlohmann::json({3})) << rule.id;
        }
        if (rule.wholeTensor && rule.rule != Rule::eagerRmse) {
            EXPECT_EQ(t["statistic"]["name"], rule.id.substr(11));
        }
        if (rule.rule != Rule::eagerRmse) {
            EXPECT_EQ(divdet(call + " --rtol 0.2 --atol 1e-6").code, 0) << rule.id;
        }
    }
    EXPECT_EQ(divdet("compare " + r + " " + c + " --rule polygraphy-max --json - --rtol 0 --atol 0")
                  .json()["tensors"][0]["statistic"]["abs"],
              0.5);
}

TEST_F(Rules, TorchNeedsOneDtype) {
    const auto r = npy("r.npy", test::f32({1})), c = npy("c.npy", test::f64({1}));
    const Output o = divdet("compare " + r + " " + c + " --rule torch");
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.out.find("the rule torch needs one dtype"), std::string::npos) << o.out;
}

TEST_F(Rules, EagerRmseJudgesAgainstFp64) {
    const std::vector<double> ten(2000, 10), one(2000, 11), two(2000, 11.875), three(2000, 12.5);
    const auto as = [&](const char* n, const std::vector<double>& v) {
        return npy(n, *converted(test::f64(v), DType::f32));
    };
    const auto truth = npy("t.npy", test::f64(ten)), r = as("r.npy", one), a = as("a.npy", two),
               b = as("b.npy", three);
    const std::string rule = " --rule eager-rmse --fp64 " + truth;
    EXPECT_EQ(divdet("compare " + r + " " + a + rule).code, 0);
    const Output o = divdet("compare " + r + " " + b + rule + " --json -");
    EXPECT_EQ(o.code, 1);
    const auto s = o.json()["tensors"][0]["statistic"];
    EXPECT_EQ(s["name"], "rmse");
    EXPECT_EQ(s["abs"], 2.5);
    EXPECT_EQ(s["reference"], 1.0);
    EXPECT_EQ(divdet("compare " + r + " " + b + rule + " --rmse-k 3").code, 0);
    EXPECT_EQ(divdet("compare " + r + " " + b + rule + " --rmse-tol 0.5").code, 0);
    EXPECT_EQ(divdet("compare " + r + " " + b + rule + " --rmse-k x").code, 2);
    EXPECT_EQ(
        divdet("compare " + r + " " + b + " --rule eager-rmse --fp64 " + (m_dir / "no.npy").string()).code,
        2);
    const auto small = npy("s.npy", test::f64({1, 2}));
    EXPECT_EQ(divdet("compare " + r + " " + b + " --rule eager-rmse --fp64 " + small).code, 3);
}

TEST_F(Rules, AMaskIsSqueezedWithItsPair) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4}, {1, 4})),
               c = npy("c.npy", test::f32({1, 2, 9, 4}, {4})),
               mask = npy("m.npy", *converted(test::f64({1, 1, 0, 1}, {1, 4}), DType::u8));
    const std::string call = "compare " + r + " " + c + " --rtol 1e-3 --atol 0 --squeeze";
    EXPECT_EQ(divdet(call).code, 1);
    const Output masked = divdet(call + " --mask " + mask + " --json -");
    EXPECT_EQ(masked.code, 0) << masked.err;
    EXPECT_EQ(masked.json()["tensors"][0]["elements"], 3);
}

TEST_F(Rules, PolygraphyOptions) {
    const auto r = npy("r.npy", test::f32({INFINITY, 1, 1, 1})),
               c = npy("c.npy", test::f32({INFINITY, 1, 1, 2}));
    const std::string call = "compare " + r + " " + c + " --rtol 0.5 --atol 0.5 --rule ";
    EXPECT_EQ(divdet(call + "polygraphy-median").code, 1); // inf − inf is NaN
    EXPECT_EQ(divdet(call + "polygraphy-median --infinities-equal").code, 0);
    EXPECT_EQ(divdet(call + "polygraphy-quantile --infinities-equal --error-quantile 0.5").code, 0);
    EXPECT_EQ(divdet(call + "polygraphy-quantile --infinities-equal --error-quantile 1").code, 1);
    EXPECT_EQ(divdet(call + "polygraphy-quantile --error-quantile 1.5").code, 2);
    EXPECT_EQ(divdet(call + "polygraphy-sum").code, 2);
    EXPECT_EQ(divdet(call + "numpy --rtol nan").code, 2);
}

TEST_F(Rules, AFractionOfMismatchesMayBeAllowed) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4})), c = npy("c.npy", test::f32({1, 2, 3, 5}));
    const std::string call = "compare " + r + " " + c + " --rtol 1e-3 --atol 0";
    for (const char* rule : {"", " --rule numpy"}) {
        const Output within = divdet(call + rule + " --max-mismatch-fraction 0.25 --json -");
        EXPECT_EQ(within.code, 0);
        EXPECT_EQ(within.json()["tolerance"]["max_mismatch_fraction"], 0.25);
        EXPECT_EQ(within.json()["tensors"][0]["mismatches"], 1);
        EXPECT_EQ(within.json()["tensors"][0]["mismatch_fraction"], 0.25);
        EXPECT_EQ(divdet(call + rule + " --max-mismatch-fraction 0.2").code, 1);
    }
    EXPECT_NE(divdet(call + " --max-mismatch-fraction 0.25").out.find("1 of 4 elements fail, no more than"),
              std::string::npos);
    EXPECT_EQ(divdet(call + " --max-mismatch-fraction 2").code, 2);
    EXPECT_EQ(divdet(call + " --max-mismatch-fraction half").code, 2);
}

TEST_F(Rules, TolerancesPerTap) {
    const auto r = npz("r.npz", {{"q.w", test::f32({1, 2})}, {"out", test::f32({1, 2})}}),
               c = npz("c.npz", {{"q.w", test::f32({1, 2.1f})}, {"out", test::f32({1, 2})}});
    EXPECT_EQ(divdet("compare " + r + " " + c).code, 1);
    const auto text =
        file("t.txt", "# loose where it is quantised\nq.* 0.1 0   # ten per cent\nnone* 1 1\nq.w 0 0\n");
    const Output o = divdet("compare " + r + " " + c + " --tolerances " + text + " --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["tensors"][0]["tolerance"]["rtol"], 0.1);
    EXPECT_FALSE(j["tensors"][1].contains("tolerance"));
    EXPECT_NE(j["notes"].dump().find("'none*' matches no tap"), std::string::npos) << j["notes"];
    EXPECT_NE(j["notes"].dump().find("'q.w' is never reached"), std::string::npos) << j["notes"];
    const auto json = file("t.json", R"([{"tap": "q.*", "rtol": 0.1, "rule": "polygraphy-max"}])");
    const Output p = divdet("compare " + r + " " + c + " --tolerances " + json + " --json -");
    EXPECT_EQ(p.code, 0) << p.out;
    EXPECT_EQ(p.json()["tensors"][0]["statistic"]["name"], "max");
    for (const char* bad :
         {"q.* 1", "q.* one 1", "q.* 1 1 near", "q.* -1 1", "q.* nan 1", "q.* 1 1 numpy torch"})
        EXPECT_EQ(divdet("compare " + r + " " + c + " --tolerances " + file("bad.txt", bad)).code, 2) << bad;
    for (const char* bad : {"[", "{}", "[1]", R"([{"rtol": 1}])", R"([{"tap": "x", "rtol": "1"}])",
                            R"([{"tap": "x", "tolerance": 1}])"})
        EXPECT_EQ(divdet("compare " + r + " " + c + " --tolerances " + file("bad.json", bad)).code, 2) << bad;
    const Output line =
        divdet("compare " + r + " " + c + " --tolerances " + file("bad.txt", "a 1 1\nq.* one 1\n"));
    EXPECT_NE(line.err.find("line 2"), std::string::npos) << line.err;
    EXPECT_EQ(divdet("compare " + r + " " + c + " --tolerances " + (m_dir / "absent").string()).code, 2);
}

TEST_F(Rules, AMaskComparesASubsetAndSaysSo) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4})), c = npy("c.npy", test::f32({1, 9, 3, 4}));
    const std::vector<std::uint8_t> bits{1, 0, 1, 1};
    const auto mask = npy("m.npy", tensorOf<std::uint8_t>(DType::boolean, {4}, bits));
    for (const char* rule : {"", " --rule torch", " --rule polygraphy-max"}) {
        const Output o = divdet("compare " + r + " " + c + " --mask " + mask + rule + " --json -");
        EXPECT_EQ(o.code, 0) << rule << o.out;
        const auto t = o.json()["tensors"][0];
        EXPECT_EQ(t["elements"], 3);
        EXPECT_NE(t["cautions"].dump().find("subset-compared"), std::string::npos);
    }
    const auto wrongShape = npy("w.npy", tensorOf<std::uint8_t>(DType::boolean, {2, 2}, bits));
    const Output shape = divdet("compare " + r + " " + c + " --mask " + wrongShape);
    EXPECT_EQ(shape.code, 3);
    EXPECT_NE(shape.out.find("the mask is [2, 2], the tensors are [4]"), std::string::npos) << shape.out;
    EXPECT_EQ(divdet("compare " + r + " " + c + " --mask " + r).code, 3); // f32 is no mask
    EXPECT_EQ(divdet("compare " + r + " " + c + " --mask " + (m_dir / "no.npy").string()).code, 2);
}

TEST_F(Rules, MasksGoByTapName) {
    const std::vector<std::uint8_t> bits{1, 0}, all{1, 1};
    const auto r = npz("r.npz", {{"a", test::f32({1, 2})}, {"b", test::f32({1, 2, 3})}}),
               c = npz("c.npz", {{"a", test::f32({1, 9})}, {"b", test::f32({1, 2, 3})}});
    const auto mask = npz("m.npz", {{"a", tensorOf<std::uint8_t>(DType::boolean, {2}, bits)},
                                    {"z", tensorOf<std::uint8_t>(DType::boolean, {2}, all)}});
    const Output o = divdet("compare " + r + " " + c + " --mask " + mask + " --json -");
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.json()["tensors"][0]["elements"], 1);
    EXPECT_EQ(o.json()["tensors"][1]["elements"], 3); // no mask: compared whole
}

TEST_F(Rules, SeveralCandidatesMakeAMatrix) {
    const auto r = npz("r.npz", {{"a", test::f32({1, 2})}, {"b", test::f32({3})}}),
               c = npz("c.npz", {{"a", test::f32({1, 2})}, {"b", test::f32({3})}}),
               d = npz("d.npz", {{"a", test::f32({1, 9})}});
    const Output o = divdet("compare " + r + " " + c + " " + d);
    EXPECT_EQ(o.code, 1);
    EXPECT_NE(o.out.find("(1) " + c + ": within"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("outside 1"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("missing"), std::string::npos) << o.out;
    const auto j = divdet("compare " + r + " " + c + " " + d + " --json -").json();
    EXPECT_EQ(j["candidates"].size(), 2u);
    EXPECT_EQ(j["verdict"], "outside");
}

TEST_F(Rules, EveryOptionIsInTheHelp) {
    const std::string help = divdet("compare --help").out;
    for (const char* option : {"--tolerances", "--max-mismatch-fraction", "--mask", "--fp64", "--rmse-k",
                               "--rmse-tol", "--infinities-equal", "--error-quantile", "polygraphy-quantile"})
        EXPECT_NE(help.find(option), std::string::npos) << option;
    EXPECT_EQ(divdet("help rules").code, 0);
    EXPECT_EQ(divdet("help mask").code, 0);
}

} // namespace
} // namespace divdet
