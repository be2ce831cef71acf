#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "block/op_def.h"
#include "tensor/convert.h"

/// The fp64 references against loops over indices, written from the ops' sentences, over shapes with ones and
/// primes.
namespace divdet::block {
namespace {

using Doubles = std::vector<double>;

class Draw {
public:
    Tensor normal(Shape shape, double mean = 0) {
        std::normal_distribution<float> d(static_cast<float>(mean), 1);
        std::vector<float> x(static_cast<std::size_t>(*elementCount(shape)));
        for (float& v : x) v = d(m_random);
        return tensorOf<float>(DType::f32, std::move(shape), x);
    }
    Tensor indices(std::int64_t n, std::int64_t rows) {
        std::vector<float> x(static_cast<std::size_t>(n));
        for (float& v : x) v = static_cast<float>(m_random() % static_cast<std::uint64_t>(rows));
        return tensorOf<float>(DType::f32, {n}, x);
    }

private:
    std::mt19937 m_random{11};
};

Doubles values(const Tensor& t) {
    Doubles out(static_cast<std::size_t>(t.elements()));
    loadAsDouble(t.view(), 0, out);
    return out;
}

Tensor reference(OpKind kind, const std::vector<Tensor>& in, const Attributes& attributes = {}) {
    std::vector<Shape> shapes;
    for (const Tensor& t : in) shapes.push_back(t.shape());
    const auto shape = opDef(kind).shape(shapes, attributes);
    EXPECT_TRUE(shape.ok()) << shape.error().text();
    auto out = opDef(kind).reference64(in, attributes, {});
    EXPECT_TRUE(out.ok()) << out.error().text();
    EXPECT_EQ(out->shape(), *shape);
    return *out;
}

void expectNear(const Tensor& got, const Doubles& expected) {
    const auto y = values(got);
    ASSERT_EQ(y.size(), expected.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (std::isinf(expected[i])) {
            ASSERT_EQ(y[i], expected[i]) << i;
        } else {
            ASSERT_NEAR(y[i], expected[i], 1e-12 * (1 + std::fabs(expected[i]))) << i;
        }
    }
}

std::string refusal(OpKind kind, const std::vector<Shape>& shapes, const Attributes& attributes = {}) {
    const auto shape = opDef(kind).shape(shapes, attributes);
    if (shape.ok()) return "";
    EXPECT_EQ(shape.error().code, ErrorCode::mismatch);
    return shape.error().message;
}

TEST(OpReferences, MatmulInBatchesAndWithManyRows) {
    Draw draw;
    for (const auto& [h, m, k, n] :
         std::vector<std::array<std::int64_t, 4>>{{1, 1, 1, 1}, {3, 5, 7, 2}, {2, 1, 13, 11}}) {
        const auto a = draw.normal({h, m, k}), b = draw.normal({h, k, n}), one = draw.normal({k, n});
        const auto x = values(a), y = values(b), w = values(one);
        Doubles batched, rows;
        for (std::int64_t i = 0; i < h; ++i)
            for (std::int64_t r = 0; r < m; ++r)
                for (std::int64_t c = 0; c < n; ++c) {
                    double sum = 0, same = 0;
                    for (std::int64_t t = 0; t < k; ++t) {
                        const double left = x[static_cast<std::size_t>((i * m + r) * k + t)];
                        sum += left * y[static_cast<std::size_t>((i * k + t) * n + c)];
                        same += left * w[static_cast<std::size_t>(t * n + c)];
                    }
                    batched.push_back(sum);
                    rows.push_back(same);
                }
        expectNear(reference(OpKind::matmul, {a, b}), batched);
        expectNear(reference(OpKind::matmul, {a, one}), rows);
    }
    EXPECT_NE(refusal(OpKind::matmul, {{2, 3, 4}, {3, 4, 5}}).find("leading"), std::string::npos);
    EXPECT_NE(refusal(OpKind::matmul, {{2, 3}, {2, 3, 4}}).find("leading"), std::string::npos);
    EXPECT_NE(refusal(OpKind::matmul, {{3}, {3, 4}}).find("two matrices"), std::string::npos);
    EXPECT_NE(refusal(OpKind::matmul, {{2, 3}, {3, 4}, {3}}).find("bias"), std::string::npos);
}

TEST(OpReferences, ProductsAndSumsRepeatTheShorterSide) {
    Draw draw;
    const auto a = draw.normal({2, 3, 5}), b = draw.normal({3, 5}), c = draw.normal({5});
    const auto x = values(a), y = values(b), z = values(c);
    Doubles withMatrix, withRow;
    for (std::size_t i = 0; i < x.size(); ++i) {
        withMatrix.push_back(x[i] * y[i % 15]);
        withRow.push_back(x[i] + z[i % 5]);
    }
    expectNear(reference(OpKind::mul, {a, b}), withMatrix);
    expectNear(reference(OpKind::add, {a, c}), withRow);
    EXPECT_NE(refusal(OpKind::mul, {{2, 3}, {2}}), "");
    EXPECT_NE(refusal(OpKind::mul, {{3}, {2, 3}}), "");
}

TEST(OpReferences, ScaleMultipliesByItsThreeParts) {
    Draw draw;
    const auto a = draw.normal({7});
    Doubles expected = values(a);
    for (double& v : expected) v = v * 3 * std::sqrt(4.0 / 256.0);
    expectNear(reference(OpKind::scale, {a},
                         {{"factor", 3.0}, {"sqrt_of", std::int64_t{4}}, {"rsqrt_of", std::int64_t{256}}}),
               expected);
    EXPECT_NE(refusal(OpKind::scale, {{2}}, {{"rsqrt_of", 0.0}}), "");
    EXPECT_NE(refusal(OpKind::scale, {{2}}, {{"sqrt_of", -1.0}}), "");
}

TEST(OpReferences, LayerNormTakesMeanAndVarianceFromEachRow) {
    Draw draw;
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{2, 3, 13}}) {
        const std::int64_t n = shape.back();
        const auto a = draw.normal(shape, 100), gain = draw.normal({n}), bias = draw.normal({n});
        auto x = values(a);
        const auto g = values(gain), b = values(bias);
        const auto width = static_cast<std::size_t>(n);
        for (std::size_t row = 0; row < x.size(); row += width) {
            double mean = 0, variance = 0;
            for (std::size_t i = 0; i < width; ++i) mean += x[row + i] / static_cast<double>(n);
            for (std::size_t i = 0; i < width; ++i)
                variance += (x[row + i] - mean) * (x[row + i] - mean) / static_cast<double>(n);
            for (std::size_t i = 0; i < width; ++i)
                x[row + i] = (x[row + i] - mean) / std::sqrt(variance + 1e-3) * g[i] + b[i];
        }
        expectNear(reference(OpKind::layernorm, {a, gain, bias}, {{"eps", 1e-3}}), x);
    }
    EXPECT_NE(refusal(OpKind::layernorm, {{3, 7}, {7}, {3}}), "");
    EXPECT_NE(refusal(OpKind::layernorm, {{}, {1}}), "");
}

TEST(OpReferences, SoftmaxSharesAndItsEdges) {
    Draw draw;
    const auto a = draw.normal({3, 11});
    auto x = values(a);
    for (std::size_t row = 0; row < x.size(); row += 11) {
        double sum = 0;
        for (std::size_t i = 0; i < 11; ++i) sum += std::exp(x[row + i]);
        for (std::size_t i = 0; i < 11; ++i) x[row + i] = std::exp(x[row + i]) / sum;
    }
    expectNear(reference(OpKind::softmax, {a}), x);
    const std::vector<float> edges{-INFINITY, -INFINITY, 1000, -INFINITY, NAN, 0, INFINITY, 0};
    const auto y = values(reference(OpKind::softmax, {tensorOf<float>(DType::f32, {4, 2}, edges)}));
    EXPECT_EQ(y[0], 0); // nothing to see: nothing, not 0/0
    EXPECT_EQ(y[1], 0);
    EXPECT_EQ(y[2], 1);
    EXPECT_EQ(y[3], 0);
    for (std::size_t i = 4; i < 8; ++i) EXPECT_TRUE(std::isnan(y[i])) << i;
}

TEST(OpReferences, CausalMaskHidesTheFuture) {
    const auto ones = tensorOf<float>(DType::f32, {2, 2, 3}, std::vector<float>(12, 1.0f));
    const double inf = -INFINITY;
    expectNear(reference(OpKind::causal_mask, {ones}), {1, inf, inf, 1, 1, inf, 1, inf, inf, 1, 1, inf});
    expectNear(reference(OpKind::causal_mask, {ones}, {{"offset", std::int64_t{1}}}),
               {1, 1, inf, 1, 1, 1, 1, 1, inf, 1, 1, 1});
    EXPECT_NE(refusal(OpKind::causal_mask, {{3}}), "");
}

TEST(OpReferences, Activations) {
    const auto in = tensorOf<float>(DType::f32, {6}, std::vector<float>{0, 1, -2, 30, INFINITY, -INFINITY});
    const auto silu = values(reference(OpKind::silu, {in}));
    EXPECT_NEAR(silu[1], 0.7310585786300049, 1e-15);
    EXPECT_NEAR(silu[2], -0.2384058440442351, 1e-15);
    EXPECT_EQ(silu[4], INFINITY);
    EXPECT_EQ(silu[5], 0);
    expectNear(reference(OpKind::relu, {in}), {0, 1, 0, 30, INFINITY, 0});
    EXPECT_TRUE(std::isnan(
        values(reference(OpKind::relu, {tensorOf<float>(DType::f32, {1}, std::vector<float>{NAN})}))[0]));
}

TEST(OpReferences, TransposeMovesEveryElement) {
    Draw draw;
    const auto a = draw.normal({2, 3, 5});
    const auto x = values(a);
    Doubles swapped, turned;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 5; ++k)
            for (std::size_t j = 0; j < 3; ++j) swapped.push_back(x[(i * 3 + j) * 5 + k]);
    for (std::size_t k = 0; k < 5; ++k)
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 3; ++j) turned.push_back(x[(i * 3 + j) * 5 + k]);
    expectNear(reference(OpKind::transpose, {a}), swapped);
    expectNear(reference(OpKind::transpose, {a}, {{"perm", "2,0,1"}}), turned);
    expectNear(reference(OpKind::transpose, {a}, {{"perm", "0,1,2"}}), x);
    for (const char* bad : {"", "0,1", "0,1,1", "0,1,3", "0;1;2", "0,1,2,", "-1,0,1", "a"})
        EXPECT_NE(refusal(OpKind::transpose, {{2, 3, 5}}, {{"perm", bad}}), "") << bad;
    EXPECT_NE(refusal(OpKind::transpose, {{5}}), "");
}

TEST(OpReferences, HeadsAreSplitAndMergedBack) {
    Draw draw;
    const auto a = draw.normal({3, 10});
    const auto x = values(a);
    const auto split = reference(OpKind::split_heads, {a}, {{"heads", std::int64_t{5}}});
    EXPECT_EQ(split.shape(), (Shape{5, 3, 2}));
    Doubles expected;
    for (std::size_t h = 0; h < 5; ++h)
        for (std::size_t t = 0; t < 3; ++t)
            for (std::size_t d = 0; d < 2; ++d) expected.push_back(x[t * 10 + h * 2 + d]);
    expectNear(split, expected);
    expectNear(reference(OpKind::merge_heads, {split}), x);
    EXPECT_NE(refusal(OpKind::split_heads, {{3, 10}}, {{"heads", std::int64_t{3}}}).find("3 heads"),
              std::string::npos);
    EXPECT_NE(refusal(OpKind::split_heads, {{3, 10}}), "");
    EXPECT_NE(refusal(OpKind::merge_heads, {{3, 10}}), "");
}

TEST(OpReferences, WindowsAreSplitEachByItself) {
    Draw draw;
    const auto a = draw.normal({6, 10});
    const auto x = values(a);
    const Attributes cut{{"heads", std::int64_t{5}}, {"window", std::int64_t{3}}};
    const auto split = reference(OpKind::split_heads, {a}, cut);
    EXPECT_EQ(split.shape(), (Shape{2, 5, 3, 2}));
    Doubles expected;
    for (std::size_t w = 0; w < 2; ++w)
        for (std::size_t h = 0; h < 5; ++h)
            for (std::size_t t = 0; t < 3; ++t)
                for (std::size_t d = 0; d < 2; ++d) expected.push_back(x[(w * 3 + t) * 10 + h * 2 + d]);
    expectNear(split, expected);
    expectNear(reference(OpKind::merge_heads, {split}), x);
    const auto few = reference(OpKind::split_heads, {draw.normal({2, 10})}, cut);
    EXPECT_EQ(few.shape(), (Shape{1, 5, 2, 2})); // one short text
    EXPECT_NE(refusal(OpKind::split_heads, {{7, 10}}, cut).find("windows of 3"), std::string::npos);
}

TEST(OpReferences, EmbeddingAndScatterAddAreEachOthersMirror) {
    Draw draw;
    const auto index = draw.indices(17, 5);
    const auto table = draw.normal({5, 3}), source = draw.normal({17, 3});
    const auto rows = values(index), t = values(table), s = values(source);
    Doubles gathered, sums(15);
    for (std::size_t i = 0; i < 17; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const auto row = static_cast<std::size_t>(rows[i]);
            gathered.push_back(t[row * 3 + j]);
            sums[row * 3 + j] += s[i * 3 + j];
        }
    expectNear(reference(OpKind::embedding, {index, table}), gathered);
    expectNear(reference(OpKind::scatter_add, {index, source}, {{"rows", std::int64_t{5}}}), sums);
    for (const float bad : {-1.0f, 5.0f, 0.5f, NAN, INFINITY}) {
        const auto wrong = tensorOf<float>(DType::f32, {1}, std::vector<float>{bad});
        const auto e = opDef(OpKind::embedding).reference64(std::vector<Tensor>{wrong, table}, {}, {});
        ASSERT_FALSE(e.ok()) << bad;
        EXPECT_EQ(e.error().code, ErrorCode::mismatch);
    }
    EXPECT_NE(refusal(OpKind::embedding, {{4}, {5}}), "");
    EXPECT_NE(refusal(OpKind::scatter_add, {{4}, {5, 3}}, {{"rows", std::int64_t{5}}}), "");
    EXPECT_NE(refusal(OpKind::scatter_add, {{5}, {5, 3}}), "");
}

TEST(OpReferences, QuantizeRoundsToTheNearestCode) {
    const auto x = tensorOf<float>(DType::f32, {2, 3}, std::vector<float>{0.5f, 1.5f, -300, NAN, 2.4f, 500});
    const auto one = tensorOf<float>(DType::f32, {1}, std::vector<float>{1});
    const auto two = tensorOf<float>(DType::f32, {1}, std::vector<float>{2});
    expectNear(reference(OpKind::quantize, {x, one}), {0, 2, -127, 0, 2, 127}); // ties to even
    expectNear(reference(OpKind::quantize, {x, two, one},
                         {{"low", std::int64_t{-128}}, {"high", std::int64_t{255}}}),
               {1, 2, -128, 1, 2, 251});
    const auto perRow = tensorOf<float>(DType::f32, {2}, std::vector<float>{0.5f, 100});
    expectNear(reference(OpKind::quantize, {x, perRow}, {{"axis", std::int64_t{0}}}), {1, 3, -127, 0, 0, 5});
    const auto codes = tensorOf<float>(DType::f32, {2, 3}, std::vector<float>{1, 2, 3, -1, 0, 7});
    const auto zero = tensorOf<float>(DType::f32, {2}, std::vector<float>{1, -1});
    expectNear(reference(OpKind::dequantize, {codes, perRow, zero}, {{"axis", std::int64_t{-2}}}),
               {0, 0.5, 1, 0, 100, 800});
    EXPECT_NE(refusal(OpKind::quantize, {{2, 3}, {2}}), ""); // the last axis has three
    EXPECT_NE(refusal(OpKind::quantize, {{2, 3}, {3}, {2}}), "");
    EXPECT_NE(refusal(OpKind::quantize, {{2, 3}, {3}}, {{"axis", std::int64_t{2}}}), "");
    EXPECT_NE(refusal(OpKind::quantize, {{2}, {1}}, {{"low", std::int64_t{5}}, {"high", std::int64_t{1}}}),
              "");
}

struct ConvCase {
    Shape x, w;
    std::int64_t groups, strideY, strideX, padTop, padLeft, padBottom, padRight, dilation;
};

TEST(OpReferences, ConvolutionSumsItsWindows) {
    Draw draw;
    for (const ConvCase& c : {ConvCase{{1, 1, 1, 1}, {1, 1, 1, 1}, 1, 1, 1, 0, 0, 0, 0, 1},
                              ConvCase{{2, 3, 7, 5}, {5, 3, 3, 2}, 1, 2, 1, 1, 0, 2, 1, 1},
                              ConvCase{{1, 4, 11, 6}, {6, 2, 3, 3}, 2, 1, 3, 2, 1, 0, 2, 2}}) {
        const auto x = draw.normal(c.x), w = draw.normal(c.w), b = draw.normal({c.w[0]});
        const auto at = values(x), weight = values(w), bias = values(b);
        const auto out = reference(OpKind::conv2d, {x, w, b},
                                   {{"groups", c.groups},
                                    {"stride_y", c.strideY},
                                    {"stride_x", c.strideX},
                                    {"pad_top", c.padTop},
                                    {"pad_left", c.padLeft},
                                    {"pad_bottom", c.padBottom},
                                    {"pad_right", c.padRight},
                                    {"dilation_y", c.dilation},
                                    {"dilation_x", c.dilation}});
        const Shape& s = out.shape();
        Doubles expected;
        for (std::int64_t n = 0; n < s[0]; ++n)
            for (std::int64_t o = 0; o < s[1]; ++o)
                for (std::int64_t i = 0; i < s[2]; ++i)
                    for (std::int64_t j = 0; j < s[3]; ++j) {
                        double sum = bias[static_cast<std::size_t>(o)];
                        for (std::int64_t ch = 0; ch < c.w[1]; ++ch)
                            for (std::int64_t u = 0; u < c.w[2]; ++u)
                                for (std::int64_t v = 0; v < c.w[3]; ++v) {
                                    const auto row = i * c.strideY + u * c.dilation - c.padTop;
                                    const auto col = j * c.strideX + v * c.dilation - c.padLeft;
                                    if (row < 0 || col < 0 || row >= c.x[2] || col >= c.x[3]) continue;
                                    const auto channel = o / (c.w[0] / c.groups) * c.w[1] + ch;
                                    sum += at[static_cast<std::size_t>(
                                               ((n * c.x[1] + channel) * c.x[2] + row) * c.x[3] + col)] *
                                           weight[static_cast<std::size_t>(
                                               ((o * c.w[1] + ch) * c.w[2] + u) * c.w[3] + v)];
                                }
                        expected.push_back(sum);
                    }
        expectNear(out, expected);
    }
    EXPECT_NE(refusal(OpKind::conv2d, {{1, 3, 4, 4}, {2, 2, 1, 1}}), "");
    EXPECT_NE(refusal(OpKind::conv2d, {{1, 3, 4, 4}, {2, 3, 5, 1}}).find("larger"), std::string::npos);
    EXPECT_NE(refusal(OpKind::conv2d, {{1, 3, 4, 4}, {2, 3, 1, 1}}, {{"stride_y", std::int64_t{0}}}), "");
    EXPECT_NE(refusal(OpKind::conv2d, {{1, 3, 4, 4}, {2, 3, 1, 1}, {3}}), "");
}

TEST(OpReferences, SumsRunAlongTheLastDimension) {
    const auto x = tensorOf<float>(DType::f32, {2, 1, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto out = reference(OpKind::reduce_sum, {x});
    EXPECT_EQ(out.shape(), (Shape{2, 1}));
    expectNear(out, {6, 15});
    EXPECT_TRUE(reference(OpKind::reduce_sum, {tensorOf<float>(DType::f32, {3}, std::vector<float>{1, 2, 3})})
                    .shape()
                    .empty());
}

} // namespace
} // namespace divdet::block
