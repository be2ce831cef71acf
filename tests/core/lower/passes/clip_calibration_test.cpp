#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

constexpr std::size_t m = 5, k = 40, n = 6;

struct Quantised {
    std::vector<int> codes;
    Floats scales;
};

int code(float x, float scale) {
    return static_cast<int>(std::clamp(std::nearbyint(x / scale), -127.0f, 127.0f));
}

/// `vectors` groups of `count` values `step` apart; clipped[i] makes scale i from a quarter of the maximum.
Quantised quantised(const Floats& x, std::size_t vectors, std::size_t vectorStep, std::size_t count,
                    std::size_t step, const std::vector<bool>& clipped) {
    Quantised q{std::vector<int>(x.size()), Floats(vectors)};
    for (std::size_t v = 0; v < vectors; ++v) {
        const float most = test::largest(x, v * vectorStep, count, step);
        q.scales[v] = most * (clipped[v] ? 0.25f : 1.0f) / 127.0f;
        for (std::size_t t = 0; t < count; ++t) {
            const std::size_t at = v * vectorStep + t * step;
            q.codes[at] = code(x[at], q.scales[v]);
        }
    }
    return q;
}

/// W8A8 by plain loops with one row or column clipped; -1: none.
Floats int8Product(const Floats& x, const Floats& w, int clippedRow, int clippedColumn) {
    std::vector<bool> rows(m), columns(n);
    if (clippedRow >= 0) rows[static_cast<std::size_t>(clippedRow)] = true;
    if (clippedColumn >= 0) columns[static_cast<std::size_t>(clippedColumn)] = true;
    const auto a = quantised(x, m, k, k, 1, rows), b = quantised(w, n, 1, k, n, columns);
    Floats y(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            int sum = 0;
            for (std::size_t t = 0; t < k; ++t) sum += a.codes[i * k + t] * b.codes[t * n + j];
            y[i * n + j] = static_cast<float>(sum) * (a.scales[i] * b.scales[j]);
        }
    return y;
}

TEST(PassClipCalibration, OneColumnOfWeightsSaturates) {
    PassRun r(productGraph(m, k, n));
    const auto x = r.given("x"), w = r.given("w");
    EXPECT_EQ(r.tap({"int8"}, "y"), int8Product(x, w, -1, -1));
    EXPECT_EQ(r.tap({"clip-calibration"}, "y"), int8Product(x, w, -1, 0));
    EXPECT_EQ(r.tap({"clip-calibration=weight:4"}, "y"), int8Product(x, w, -1, 4));
    const auto honest = r.tap({"int8"}, "y"), clipped = r.tap({"clip-calibration=weight:4"}, "y");
    for (std::size_t i = 0; i < m * n; ++i) EXPECT_EQ(honest[i] != clipped[i], i % n == 4) << i;
}

TEST(PassClipCalibration, OneRowOfActivationsSaturatesOrAllUnderOneScale) {
    PassRun r(productGraph(m, k, n));
    const auto x = r.given("x"), w = r.given("w");
    EXPECT_EQ(r.tap({"clip-calibration=activation"}, "y"), int8Product(x, w, 0, -1));
    EXPECT_EQ(r.tap({"int8", "clip-calibration=activation:3"}, "y"), int8Product(x, w, 3, -1));
    const auto honest = r.tap({"int8=per-tensor"}, "y"),
               clipped = r.tap({"int8=per-tensor", "clip-calibration=activation"}, "y");
    for (std::size_t row = 0; row < m; ++row)
        EXPECT_FALSE(std::equal(&honest[row * n], &honest[row * n] + n, &clipped[row * n])) << row;
}

TEST(PassClipCalibration, SwitchesInt8OnAndSaysWhatYields) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    EXPECT_EQ(r.slots({"clip-calibration@up"}, "up"), "operand=int8:per-token scales=clipped-weight:0:0.25");
    EXPECT_EQ(r.slots({"clip-calibration@up"}, "down"), "");
    EXPECT_EQ(r.slots({"int8=per-tensor", "clip-calibration"}, "up"),
              "operand=int8:per-tensor scales=clipped-weight:0:0.25");
    EXPECT_EQ(r.lowered({"int8=per-tensor", "clip-calibration"}).notes, std::vector<std::string>{});
    EXPECT_EQ(r.lowered({"clip-calibration", "int8"}).notes, std::vector<std::string>{});
    EXPECT_EQ(r.lowered({"tf32", "clip-calibration@up"}).notes,
              std::vector<std::string>{"tf32 is overridden by clip-calibration on up"});
    EXPECT_EQ(r.lowered({"fp8", "clip-calibration@up"}).notes,
              std::vector<std::string>{"fp8 is overridden by clip-calibration on up"});
    PassRun attention("attention", {{"tokens", 4}, {"width", 8}, {"heads", 2}});
    EXPECT_FALSE(attention.fit("clip-calibration@scores").ok());
}

} // namespace
} // namespace divdet
