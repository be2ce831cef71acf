#include "judge/metric/limits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "judge/metric/message.h"
#include "judge/metric/samples.h"
#include "judge/metric/share_text.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using test::kNan;

TaskMetric metricOf(std::int64_t tokens, std::int64_t agreed) {
    TaskMetric m;
    m.tokens = tokens;
    m.agreed = agreed;
    m.kl = {0.02, 0.001};
    return m;
}

/// `lost` of the right answers were lost.
TaskMetric scoredMetric(std::int64_t lost) {
    TaskMetric m = metricOf(1000, 1000 - lost);
    m.scored = TargetScore{};
    m.scored->tokens = 1000;
    m.scored->rightReference = 700;
    m.scored->rightCandidate = 700 - lost;
    m.scored->lost = lost;
    m.scored->perplexityReference = m.scored->perplexityCandidate = {4, 0.1};
    m.scored->perplexityChange = {0, 0.01};
    return m;
}

TEST(MetricLimits, AMissSaysByHowMuchAndWithinWhatScatter) {
    const auto outcomes = checkLimits(metricOf(100, 96), {0.99, {}, {}, {}});
    ASSERT_EQ(outcomes.size(), 1u);
    EXPECT_TRUE(outcomes[0].missed);
    EXPECT_NEAR(outcomes[0].missedBy(), 0.03, 1e-15);
    EXPECT_EQ(outcomes[0].text(),
              "top-1 agreement 0.960 misses --min-top1 0.99 by 0.0300 (standard error 0.0197, "
              "1.5 of them: within the scatter)");
    EXPECT_TRUE(anyMissed(outcomes));
}

TEST(MetricLimits, TheBoundItselfIsKept) {
    EXPECT_FALSE(checkLimits(metricOf(100, 96), {0.96, {}, {}, {}})[0].missed);
    EXPECT_FALSE(checkLimits(metricOf(100, 96), {{}, {}, 0.02, {}})[0].missed);
    EXPECT_TRUE(checkLimits(metricOf(100, 96), {{}, {}, 0.0199, {}})[0].missed);
    EXPECT_FALSE(anyMissed(checkLimits(metricOf(100, 96), {0.9, {}, 0.1, {}})));
    EXPECT_TRUE(checkLimits(metricOf(100, 96), {}).empty());
}

TEST(MetricLimits, NanMissesAndSoDoTargetsThatAreNotThere) {
    TaskMetric m = metricOf(100, 100);
    m.kl = {kNan, kNan};
    EXPECT_TRUE(checkLimits(m, {{}, {}, 100, {}})[0].missed);
    for (const auto& o : checkLimits(m, {{}, 0.0, {}, 1e9})) EXPECT_TRUE(o.missed) << o.option;
    EXPECT_EQ(checkLimits(m, {{}, {}, 100, {}})[0].text(), "KL nan misses --max-kl 100");
}

TEST(MetricLimits, EachLimitLooksAtItsOwnNumber) {
    TaskMetric m = scoredMetric(30);
    m.scored->perplexityChange = {0.5, 0.1};
    const auto o = checkLimits(m, {0.97, 0.67, 0.02, 0.5});
    ASSERT_EQ(o.size(), 4u);
    EXPECT_EQ(o[0].option, "--min-top1");
    EXPECT_DOUBLE_EQ(o[0].value.value, 0.97);
    EXPECT_DOUBLE_EQ(o[1].value.value, 0.67);
    EXPECT_DOUBLE_EQ(o[2].value.value, 0.02);
    EXPECT_DOUBLE_EQ(o[3].value.value, 0.5);
    EXPECT_FALSE(anyMissed(o));
}

TEST(MetricMessage, WithinThoughTheTaskLostRightAnswers) {
    const auto message = metricMessage(scoredMetric(60), Verdict::within, {});
    ASSERT_TRUE(message);
    EXPECT_NE(message->find("Within the tolerance, but the task lost 6.0 ± 0.8 points of accuracy"),
              std::string::npos)
        << *message;
    EXPECT_FALSE(metricMessage(scoredMetric(60), Verdict::outside, {})); // they agree
    EXPECT_FALSE(metricMessage(scoredMetric(4), Verdict::within, {}));   // four in a thousand: chance
    EXPECT_FALSE(metricMessage(scoredMetric(0), Verdict::within, {}));
}

TEST(MetricMessage, WithinThoughPerplexityRose) {
    TaskMetric m = scoredMetric(0);
    m.scored->perplexityCandidate = {4.5, 0.1};
    m.scored->perplexityChange = {0.5, 0.02};
    EXPECT_NE(metricMessage(m, Verdict::within, {})->find("perplexity rose from 4.00 to 4.50"),
              std::string::npos);
    m.scored->perplexityChange.error = 0.3; // not beyond chance
    EXPECT_FALSE(metricMessage(m, Verdict::within, {}));
    m.scored->perplexityCandidate.value = m.scored->perplexityChange.value = kNan;
    EXPECT_TRUE(metricMessage(m, Verdict::within, {}));
}

TEST(MetricMessage, OutsideThoughNothingFlipped) {
    EXPECT_NE(metricMessage(metricOf(2048, 2048), Verdict::outside, {})
                  ->find("not one of the 2,048 guesses changed"),
              std::string::npos);
    EXPECT_FALSE(metricMessage(metricOf(2048, 2047), Verdict::outside, {}));
    EXPECT_FALSE(metricMessage(metricOf(2048, 2048), Verdict::incomplete, {}));
}

TEST(MetricMessage, WithoutTargetsAChangeIsOnlyAChange) {
    EXPECT_NE(metricMessage(metricOf(100, 99), Verdict::within, {})->find("one guess changed of 100"),
              std::string::npos);
    const auto missed = checkLimits(metricOf(100, 90), {0.95, {}, {}, {}});
    EXPECT_NE(metricMessage(metricOf(100, 90), Verdict::within, missed)->find("limit"), std::string::npos);
}

TEST(MetricCautions, AFlipOfTwoLogitsThatBf16CannotTellIsATie) {
    TaskMetric m = metricOf(10, 9);
    m.firstFlip = Flip{3, 1, 2, 5.0, 4.99, 0.02}; // a step of bf16 is 0.03 there
    EXPECT_EQ(metricCautions(m), std::vector<std::string>{"argmax-tie"});
    m.firstFlip->other = 4.97;
    EXPECT_TRUE(metricCautions(m).empty());
    m.firstFlip->other = kNan; // no guess on the other side
    EXPECT_TRUE(metricCautions(m).empty());
    m.tiedReference = 1;
    EXPECT_FALSE(metricCautions(m).empty());
}

TEST(MetricSamples, ANumberALine) {
    MetricSamples s;
    ASSERT_TRUE(s.take("0.5\n1.").ok());
    ASSERT_TRUE(s.take("5\n\n  +1e0\r\n").ok());
    ASSERT_TRUE(s.finish().ok());
    EXPECT_EQ(s.count(), 3);
    EXPECT_DOUBLE_EQ(s.mean().value, 1);
    EXPECT_NEAR(s.mean().error, 0.5 / std::sqrt(3), 1e-15);
}

TEST(MetricSamples, WhatIsNoNumberIsShown) {
    for (const char* text : {"0.9\nloss: 3\n", "0.9\n1 2\n", "0.9\n0x\n", "0.9\n1,5"}) {
        MetricSamples s;
        Status status = s.take(text);
        if (status) status = s.finish();
        ASSERT_FALSE(status.ok()) << text;
        EXPECT_NE(status.error().message.find("line 2 is no number: '"), std::string::npos);
    }
    MetricSamples endless;
    EXPECT_FALSE(endless.take(std::string(5000, '1')).ok());
    MetricSamples none;
    EXPECT_TRUE(none.take("\n\n").ok());
    EXPECT_NE(none.finish().error().message.find("no number"), std::string::npos);
}

TEST(MetricSamples, NanMakesTheMeanNan) {
    MetricSamples s;
    EXPECT_TRUE(s.take("1\nnan\n2\n").ok());
    EXPECT_TRUE(std::isnan(s.mean().value));
    EXPECT_TRUE(outcomeOf("--metric-min", "mean", true, 0, s.mean()).missed);
}

TEST(ShareText, OneTokenShows) {
    EXPECT_EQ(percentText(0.5, 48), "50.0 %");
    EXPECT_EQ(percentText(2047 / 2048.0, 2048), "99.95 %");
    EXPECT_EQ(percentText(1 - 1e-5, 100000), "99.999 %");
    EXPECT_EQ(pointsText({-0.002, 0.0015}, 2048), "-0.20 ± 0.15 points");
    EXPECT_EQ(pointsText({-0.002, kNan}, 1), "-0.2 points");
    EXPECT_EQ(estimateText({0.02, kNan}), "0.0200");
}

TEST(ShareText, ABoundIsNeverRoundedUp) {
    EXPECT_EQ(textNotAbove(0.0129951), "0.0129");
    EXPECT_EQ(textNotAbove(1.2349e-7), "1.23e-7");
    EXPECT_EQ(textNotAbove(9.9999e-4), "9.99e-4");
    EXPECT_EQ(textNotAbove(0), "0");
    EXPECT_EQ(textNotAbove(test::kInf), "inf");
    for (double x = 1e-9; x < 1e6; x *= 1.37) EXPECT_LE(std::stod(textNotAbove(x)), x);
}

} // namespace
} // namespace divdet
