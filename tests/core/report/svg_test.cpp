#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "compare/scan.h"
#include "make_tensor.h"
#include "report/svg/axis.h"
#include "report/svg/canvas.h"
#include "report/svg/plots.h"

namespace divdet {
namespace {

using svg::Axis;

std::vector<std::string> labels(const Axis& a) {
    std::vector<std::string> out;
    for (const auto& t : a.ticks()) out.push_back(t.label);
    return out;
}
using Labels = std::vector<std::string>;

TEST(SvgAxis, MarksWholePowersOfTen) {
    EXPECT_EQ(labels(Axis(Axis::Kind::log, 1e-4, 1, 0, 100)),
              (Labels{"1e-4", "1e-3", "1e-2", "1e-1", "1e0"}));
    EXPECT_EQ(labels(Axis(Axis::Kind::log, 1e-10, 1, 0, 100)),
              (Labels{"1e-10", "1e-8", "1e-6", "1e-4", "1e-2", "1e0"}));
    EXPECT_EQ(labels(Axis(Axis::Kind::linear, 0, 1, 0, 100)), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(labels(Axis(Axis::Kind::whole, 0.5, 3.5, 0, 100)), (Labels{"1", "2", "3"}));
    EXPECT_LE(labels(Axis(Axis::Kind::log, 1e-300, 1e300, 0, 100)).size(), 7u);
}

TEST(SvgAxis, MapsAndClamps) {
    const Axis a(Axis::Kind::log, 1e-4, 1, 10, 50);
    EXPECT_DOUBLE_EQ(a(1e-2), 30);
    EXPECT_EQ(a(1e-4), 10);
    EXPECT_EQ(a(1), 50);
    EXPECT_EQ(a(0), 10);
    EXPECT_EQ(a(-1), 10);
    EXPECT_EQ(a(std::numeric_limits<double>::infinity()), 50);
    EXPECT_EQ(a(std::nan("")), 10);
}

TEST(SvgAxis, ARangeThatIsNoneCanStillBeDrawn) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    for (auto kind : {Axis::Kind::log, Axis::Kind::linear, Axis::Kind::whole})
        for (double low : {0.0, -1.0, 1.0, nan, inf, -inf, 1e308, 5e-324})
            for (double high : {0.0, -1.0, 1.0, nan, inf, 1e308}) {
                const Axis a(kind, low, high, 0, 100);
                EXPECT_LT(a.low(), a.high());
                for (const auto& t : a.ticks()) EXPECT_TRUE(std::isfinite(a(t.value)));
                EXPECT_LE(a.ticks().size(), 10u);
            }
}

TEST(SvgCanvas, NumbersThatAreNoneNeverReachAPath) {
    svg::Canvas canvas(100, 50, "<t>", "d\"");
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    canvas.polyline({{0, 0}, {1, nan}, {2, 2}, {3, 3}, {inf, 4}}, "curve");
    canvas.polygon({{0, nan}, {1, 1}}, "area");
    canvas.line(0, 0, nan, 1, "axis");
    canvas.circle(inf, 0, 1, "dot");
    canvas.rect(0, 0, -inf, 1, "box");
    canvas.boxes({{0, 0, 1, nan}, {1, 1, 2, 2}}, "boxes");
    canvas.text(nan, 0, "gone");
    const std::string out = std::move(canvas).finish();
    EXPECT_NE(out.find("d=\"M0 0M2 2L3 3\""), std::string::npos) << out;
    EXPECT_NE(out.find("d=\"M1 1h2v2h-2z\""), std::string::npos) << out;
    for (const char* bad : {"nan", "inf", "gone", "<t>"}) EXPECT_EQ(out.find(bad), std::string::npos) << bad;
}

TEST(SvgCanvas, CoordinatesAreShort) {
    EXPECT_EQ(svg::coordinate(1.005), "1");
    EXPECT_EQ(svg::coordinate(12.5), "12.5");
    EXPECT_EQ(svg::coordinate(-0.001), "0");
    EXPECT_EQ(svg::coordinate(100), "100");
}

TapPair pairOf(const Tensor& r, const Tensor& c) {
    TapPair p;
    p.name = "p";
    p.referenceShape = p.candidateShape = r.shape();
    p.summary = std::make_shared<const Summary>(*scan(r.view(), c.view(), {Tolerance{}, true}));
    return p;
}

TEST(SvgPlots, StandForEveryKindOfPair) {
    const auto noisy =
        pairOf(test::f64(test::normals(3000, 1), {30, 100}), test::f64(test::normals(3000, 2), {30, 100}));
    const auto equal = pairOf(test::f32({1, 2}), test::f32({1, 2}));
    const auto broken = pairOf(test::f64({1, test::kNan, 0}), test::f64({test::kInf, 1, 0}));
    const auto zero = pairOf(test::f64({0, 0}), test::f64({1e-320, 1e308}));
    const auto scalar = pairOf(tensorOf<double>(DType::f64, {}, std::vector<double>{1}),
                               tensorOf<double>(DType::f64, {}, std::vector<double>{2}));
    for (const auto* p : {&noisy, &equal, &broken, &zero, &scalar})
        for (const Tolerance& t :
             {Tolerance{}, Tolerance{Rule::either, 0, 0, true}, Tolerance{Rule::allclose, 1e300, 0, false}}) {
            std::string all = svg::frontierPlot(*p, t) + svg::densityPlot(*p, t) +
                              svg::ulpPlot(*p).value_or("") + svg::tilePlot(*p).value_or("");
            EXPECT_EQ(all.find("=\"nan"), std::string::npos);
            EXPECT_EQ(all.find("Mnan"), std::string::npos);
            EXPECT_EQ(all.find("Lnan"), std::string::npos);
            EXPECT_EQ(all.find("inf\""), std::string::npos);
            EXPECT_LT(all.size(), 400'000u);
        }
    EXPECT_NE(svg::frontierPlot(broken, {}).find("no tolerance passes"), std::string::npos);
    EXPECT_NE(svg::densityPlot(equal, {}).find("2 without error"), std::string::npos);
    EXPECT_NE(svg::tilePlot(broken)->find("class=\"broken\""), std::string::npos);
    const Tensor one = tensorOf<float>(DType::f32, {2}, std::vector<float>{1, 2});
    TapPair without = pairOf(one, one);
    auto summary = std::make_shared<Summary>(*without.summary);
    summary->maxUlp.reset(); // as complex pairs have none
    without.summary = summary;
    EXPECT_FALSE(svg::ulpPlot(without));
}

TEST(SvgPlots, ABigMapStaysSmall) {
    std::vector<double> r(1000 * 1000), c = test::normals(r.size(), 3);
    const auto p = pairOf(test::f64(r, {1000, 1000}), test::f64(c, {1000, 1000}));
    EXPECT_LT(svg::tilePlot(p)->size(), 200'000u);
}

} // namespace
} // namespace divdet
