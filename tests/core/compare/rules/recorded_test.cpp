// 3,000 pairs with what numpy 2.4.6 and Polygraphy 0.53.6 said of them (data/onnx/compare/cases.json): every
// element, every statistic and every verdict must be theirs.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compare/rules/evaluate.h"
#include "compare/rules/numpy_assert.h"
#include "compare/rules/numpy_rule.h"
#include "compare/rules/polygraphy_rule.h"
#include "dump/open.h"
#include "shared_data.h"

namespace divdet {
namespace {

using nlohmann::json;

const char* const kCases = "data/onnx/compare/cases.json";

double num(const json& j) {
    if (!j.is_string()) return j.get<double>();
    return j == "inf" ? INFINITY : j == "-inf" ? -INFINITY : NAN;
}

class RecordedCases : public ::testing::Test {
protected:
    void SetUp() override {
        DIVDET_NEEDS_SHARED(kCases);
        std::ifstream in(sharedPath(kCases));
        m_cases = json::parse(in)["cases"];
        auto dump = openDump(sharedPath("data/onnx/compare/cases.npz"));
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
            auto t = (*dump)->load(i, {});
            ASSERT_TRUE(t.ok()) << t.error().text();
            m_arrays[(*dump)->taps()[i].name] = *t;
        }
        ASSERT_GE(m_cases.size(), 3000u);
    }

    /// Elements [off, off + n) of one side in the case's shape; bf16 is stored as its bits.
    TensorView side(const json& c, const std::string& which) const {
        const std::string type = c["dtype_" + which];
        TensorView v = m_arrays.at(which + "_" + type).view();
        if (type == "bf16") v.dtype = DType::bf16;
        v.shape = c["shape"].get<Shape>();
        v.strides = rowMajorStrides(v.shape, itemSize(v.dtype));
        v.data += c["off_" + which].get<std::size_t>() * itemSize(v.dtype);
        return v;
    }

    Tolerance tolerance(const json& c, Rule rule, bool equalNan) const {
        return {rule, num(c["rtol"]), num(c["atol"]), equalNan};
    }

    json m_cases;
    std::map<std::string, Tensor> m_arrays;
};

std::string bitsOf(const rules::BlockRule& rule, std::int64_t n) {
    auto block = std::make_unique<rules::RuleBlock>();
    rule(0, static_cast<int>(n), *block);
    std::string out;
    for (std::int64_t i = 0; i < n; ++i) out += block->passes[static_cast<std::size_t>(i)] ? '1' : '0';
    return out;
}

TEST_F(RecordedCases, NumpyIscloseElementByElement) {
    std::int64_t elements = 0;
    for (const json& c : m_cases) {
        const TensorView a = side(c, "a"), b = side(c, "b");
        const std::int64_t n = c["n"];
        for (const bool equalNan : {false, true}) {
            const json& want = c[equalNan ? "isclose_nan" : "isclose"];
            const Tolerance t = tolerance(c, Rule::numpy, equalNan);
            EXPECT_EQ(bitsOf(rules::numpyRule(b, a, t), n), want) << c["id"];
            auto out = evaluateRule({b, a, {}, {}}, t);
            ASSERT_TRUE(out.ok());
            const std::string text = want;
            EXPECT_EQ(out->mismatches, std::count(text.begin(), text.end(), '0')) << c["id"];
            const auto first = text.find('0');
            EXPECT_EQ(out->firstMismatch, first == std::string::npos ? -1 : static_cast<std::int64_t>(first));
            elements += n;
        }
    }
    std::printf("%lld elements\n", static_cast<long long>(elements));
    EXPECT_GT(elements, 20000);
}

TEST_F(RecordedCases, NumpyAssertAllclose) {
    for (const json& c : m_cases)
        for (const bool equalNan : {false, true}) {
            const json& want = c[equalNan ? "assert_nan" : "assert"];
            auto got =
                rules::assertAllclose(side(c, "b"), side(c, "a"), num(c["rtol"]), num(c["atol"]), equalNan);
            ASSERT_TRUE(got.ok());
            if (want.is_string()) {
                EXPECT_EQ(toString(got->fails), want.get<std::string>()) << c["id"];
                continue;
            }
            EXPECT_EQ(toString(got->fails), want["fail"].get<std::string>()) << c["id"];
            if (want.contains("mismatched")) {
                EXPECT_EQ(got->mismatched, want["mismatched"].get<std::int64_t>()) << c["id"];
            }
        }
}

TEST_F(RecordedCases, PolygraphyElementwise) {
    for (const json& c : m_cases) {
        Tolerance t = tolerance(c, Rule::polygraphyElemwise, false);
        t.options.infinitiesEqual = c["polygraphy"]["infinities_compare_equal"];
        auto out = evaluateRule({side(c, "b"), side(c, "a"), {}, {}}, t);
        ASSERT_TRUE(out.ok()) << out.error().text();
        EXPECT_EQ(out->passes, c["polygraphy"]["elemwise"].get<bool>()) << c["id"];
    }
}

struct Statistic {
    const char* name;
    Rule rule;
};

class RecordedStatistics : public RecordedCases, public ::testing::WithParamInterface<Statistic> {};

TEST_P(RecordedStatistics, VerdictAndBothNumbers) {
    const auto [name, rule] = GetParam();
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    int checked = 0, refused = 0;
    for (const json& c : m_cases) {
        const json& want = c["polygraphy"];
        Tolerance t = tolerance(c, rule, false);
        t.options.infinitiesEqual = want["infinities_compare_equal"];
        t.options.errorQuantile = want["quantile_q"];
        auto out = evaluateRule({side(c, "b"), side(c, "a"), {}, {}}, t);
        if (!want[name].is_boolean()) { // the tool itself raised
            EXPECT_FALSE(out.ok()) << c["id"];
            ++refused;
            continue;
        }
        ASSERT_TRUE(out.ok()) << c["id"] << out.error().text();
        ASSERT_TRUE(out->statistic) << c["id"];
        EXPECT_EQ(out->passes, want[name].get<bool>()) << c["id"] << c["dtype_a"] << c["dtype_b"];
        const std::string key = name;
        const double abs = num(want[key + "_absdiff"]), rel = num(want[key + "_reldiff"]);
        EXPECT_TRUE(same(out->statistic->abs, abs))
            << c["id"] << c["dtype_a"] << c["dtype_b"] << ' ' << out->statistic->abs << " for " << abs;
        EXPECT_TRUE(same(*out->statistic->rel, rel))
            << c["id"] << c["dtype_a"] << c["dtype_b"] << ' ' << *out->statistic->rel << " for " << rel;
        ++checked;
    }
    std::printf("%d statistics, %d refused as by the tool\n", checked, refused);
    EXPECT_GT(checked, 2800);
}

INSTANTIATE_TEST_SUITE_P(Rules, RecordedStatistics,
                         ::testing::Values(Statistic{"max", Rule::polygraphyMax},
                                           Statistic{"mean", Rule::polygraphyMean},
                                           Statistic{"median", Rule::polygraphyMedian},
                                           Statistic{"quantile", Rule::polygraphyQuantile}),
                         [](const auto& p) { return p.param.name; });

} // namespace
} // namespace divdet
