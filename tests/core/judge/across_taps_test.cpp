#include "judge/across_taps.h"

#include <gtest/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

TapPair tap(const std::string& name, const Tensor& r, const Tensor& c) {
    TapPair p;
    p.name = p.candidateName = name;
    p.referenceDType = r.dtype();
    p.candidateDType = c.dtype();
    p.referenceShape = p.candidateShape = r.shape();
    p.summary = std::make_shared<const Summary>(*scan(r.view(), c.view(), {}));
    auto causes = judgePair({r.view(), c.view(), std::nullopt, *p.summary});
    p.findings = causes.findings;
    p.pairClass = causes.pairClass;
    p.load = [r, c]() -> Result<PairData> { return PairData{r, c, {}, {}}; };
    return p;
}

bool has(const TapPair& p, std::string_view id) {
    return std::any_of(p.findings.begin(), p.findings.end(), [&](const auto& f) { return f.id == id; });
}

Tensor values(std::uint32_t seed, DType type = DType::f32) {
    return as(normals(96, seed), type, {8, 12});
}

} // namespace

TEST(AcrossTaps, ATapThatHoldsAnotherTapIsStale) {
    for (const DType type : {DType::f32, DType::bf16}) {
        Comparison c;
        c.pairs = {tap("a", values(1), values(3, type)), tap("b", values(2), values(2, type)),
                   tap("c", values(3), values(3, type))};
        judgeAcross(c, {}, {});
        EXPECT_TRUE(has(c.pairs[0], "stale-match"));
        EXPECT_EQ(c.pairs[0].pairClass, PairClass::bug);
        EXPECT_FALSE(has(c.pairs[1], "stale-match"));
        EXPECT_FALSE(has(c.pairs[2], "stale-match"));
    }
}

TEST(AcrossTaps, OtherValuesOrAConstantAreNoMatch) {
    const auto ones = as(std::vector<double>(96, 1), DType::f32, {8, 12});
    Comparison c;
    c.pairs = {tap("a", values(1), values(4)), tap("b", values(2), ones), tap("c", ones, ones)};
    judgeAcross(c, {}, {});
    for (const auto& p : c.pairs) EXPECT_FALSE(has(p, "stale-match")) << p.name;
}

TEST(AcrossTaps, AnInputThatDiffersIsSaidAndWhatFollowsIsInherited) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> roles{{"input", {"x"}},
                                                                              {"param", {"w"}}};
    Comparison c;
    c.pairs = {tap("x", values(1), values(5)), tap("w", values(2), values(6)), tap("y", values(3), values(7)),
               tap("z", values(4), values(4))};
    judgeAcross(c, roles, {});
    EXPECT_TRUE(has(c.pairs[0], "different-inputs"));
    EXPECT_EQ(c.pairs[1].pairClass, PairClass::unclear); // a weight is made from nothing
    EXPECT_EQ(c.pairs[2].pairClass, PairClass::inherited);
    EXPECT_EQ(c.pairs[3].pairClass, PairClass::identical);
    EXPECT_EQ(overallClass(c), PairClass::unclear);
    // An equal input says nothing.
    Comparison same;
    same.pairs = {tap("x", values(1), values(1)), tap("y", values(3), values(7))};
    judgeAcross(same, roles, {});
    EXPECT_FALSE(has(same.pairs[0], "different-inputs"));
    EXPECT_EQ(same.pairs[1].pairClass, PairClass::unclear);
}

namespace {

/// Scores of `steps` tokens over 50 choices, with noise, a tie at step 6 and other inputs after it.
struct Decoded {
    Tensor r, c, tokensR, tokensC;
};
Decoded decoded(double gap) {
    const std::int64_t steps = 12, choices = 50, flip = 6;
    auto r = normals(static_cast<std::size_t>(steps * choices), 1);
    const auto noise = normals(r.size(), 2, 0.003), other = normals(r.size(), 3);
    auto c = r;
    for (std::size_t i = 0; i < r.size(); ++i)
        c[i] = static_cast<std::int64_t>(i) / choices > flip ? other[i] : r[i] + noise[i];
    const auto at = [&](std::int64_t j) { return static_cast<std::size_t>(flip * choices + j); };
    r[at(7)] = 5;
    r[at(9)] = 5 - gap;
    c[at(7)] = 5 - gap / 2 - 0.004;
    c[at(9)] = 5 - gap / 2 + 0.004;
    std::vector<double> tr, tc;
    for (std::int64_t t = 0; t < steps; ++t) {
        const auto row = [&](std::vector<double>& v) { return v.begin() + t * choices; };
        tr.push_back(static_cast<double>(std::max_element(row(r), row(r) + choices) - row(r)));
        tc.push_back(static_cast<double>(std::max_element(row(c), row(c) + choices) - row(c)));
    }
    return {as(r, DType::f32, {steps, choices}), as(c, DType::f32, {steps, choices}), as(tr, DType::i64),
            as(tc, DType::i64)};
}

} // namespace

TEST(TokenFlip, AfterATieOnlyTheStepsUpToItAreJudged) {
    const Decoded d = decoded(0.004);
    const JudgeContext context = declaring("", R"({"op":"greedy-decode","token_axis":0})");
    const auto j = judged(d.r, d.c, context);
    EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
    EXPECT_EQ(j.number("different-inputs", "first_flip"), 6);
    EXPECT_NE(std::find(j.cautions.begin(), j.cautions.end(), "argmax-tie"), j.cautions.end());
    EXPECT_GE(judged(d.r, d.c).verdict, PairClass::unclear); // without the axis nobody can tell

    Comparison c;
    c.pairs = {tap("logits", d.r, d.c), tap("tokens", d.tokensR, d.tokensC)};
    c.pairs[0].findings = j.findings;
    c.pairs[0].pairClass = j.verdict;
    judgeAcross(c, {}, context.op);
    EXPECT_EQ(c.pairs[1].pairClass, PairClass::drift);
}

TEST(TokenFlip, AFlipAcrossALargeGapIsNoTie) {
    const Decoded d = decoded(1.0);
    const JudgeContext context = declaring("", R"({"op":"greedy-decode","token_axis":0})");
    EXPECT_GE(judged(d.r, d.c, context).verdict, PairClass::unclear);
}
