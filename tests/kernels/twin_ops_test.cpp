#include <array>
#include <cmath>
#include <cstring>

#include <tbb/global_control.h>

#include "block/op_def.h"
#include "host/twin_backend.h"
#include "kernel_test_support.h"
#include "lower/lowered.h"
#include "numerics/maths.h"
#include "numerics/norm.h"
#include "numerics/quantize.h"
#include "numerics/scatter.h"
#include "numerics/softmax.h"
#include "tensor/convert.h"

/// Every op of the twin as written: bit-equal to plain loops over the scalar headers, near the fp64
/// reference, the same on one thread and on every instruction set.
namespace divdet {
namespace {

using block::OpKind;
using Floats = std::vector<float>;

Tensor f32(Shape shape, const Floats& values) {
    return tensorOf<float>(DType::f32, std::move(shape), values);
}

Floats floats(const Tensor& t) {
    const auto s = t.as<float>();
    return {s.begin(), s.end()};
}

class TwinOps : public AllTargets {
protected:
    Tensor normal(Shape shape, float scale = 1) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        return f32(std::move(shape), m_values.normal(n, scale));
    }

    Tensor indices(std::int64_t n, std::int64_t rows) {
        Floats x(static_cast<std::size_t>(n));
        for (float& v : x) v = static_cast<float>(m_values.below(static_cast<std::size_t>(rows)));
        return f32({n}, x);
    }

    lower::LoweredOp op(OpKind kind, std::size_t inputs, const block::Attributes& attributes) {
        lower::LoweredOp o{};
        o.kind = kind;
        o.name = "y";
        o.attributes = attributes;
        for (std::size_t i = 0; i < inputs; ++i) o.inputs.push_back(i);
        o.ownInputs = inputs;
        return o;
    }

    Tensor run(const lower::LoweredOp& o, const std::vector<Tensor>& in) {
        auto out = m_twin.runOp("cpu:sm_80", o, in, {});
        EXPECT_TRUE(out.ok()) << out.error().text();
        return std::move(*out);
    }

    /// The op's result after every check that holds for all ops: |y - fp64| <= bound·(|fp64| + scale).
    Floats checked(OpKind kind, const std::vector<Tensor>& in, const block::Attributes& attributes,
                   double bound, double scale = 1) {
        auto o = op(kind, in.size(), attributes);
        const Tensor y = run(o, in);
        const auto exact = block::opDef(kind).reference64(in, attributes, {});
        EXPECT_EQ(y.shape(), exact->shape());
        std::vector<double> wide(static_cast<std::size_t>(exact->elements()));
        loadAsDouble(exact->view(), 0, wide);
        const Floats got = floats(y);
        for (std::size_t i = 0; i < got.size(); ++i)
            if (!std::isinf(wide[i])) {
                EXPECT_NEAR(got[i], wide[i], bound * (std::fabs(wide[i]) + scale)) << block::name(kind) << i;
            } else {
                EXPECT_EQ(got[i], wide[i]);
            }
        forEachTarget([&] { EXPECT_EQ(floats(run(o, in)), got) << block::name(kind); });
        {
            const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
            EXPECT_EQ(floats(run(o, in)), got) << block::name(kind) << " on one thread";
        }
        const bool roundsTwice = in.size() == 3 && block::opDef(kind).traits.matrixProduct;
        if (roundsTwice) return got; // the bias is added to the stored product
        o.slots.storage = DType::bf16;
        const Tensor narrow = run(o, in);
        for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_EQ(narrow.as<std::uint16_t>()[i], numerics::bf16FromFloat(got[i]));
        return got;
    }

    Values m_values{21};
    host::TwinBackend m_twin;
};

constexpr double kUlp = 0x1p-23;

TEST_F(TwinOps, PointwiseOpsAreTheirScalarForm) {
    for (const Shape& shape : {Shape{1}, Shape{1, 1}, Shape{3, 5, 7}, Shape{13, 1031}}) {
        const Tensor a = normal(shape, 3), b = normal(shape), row = normal({shape.back()});
        const Floats x = floats(a), y = floats(b), r = floats(row);
        const auto expectEach = [&](const Floats& got, const auto& scalar) {
            for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(sameValue(got[i], scalar(i))) << i;
        };
        expectEach(checked(OpKind::mul, {a, b}, {}, kUlp), [&](std::size_t i) { return x[i] * y[i]; });
        expectEach(checked(OpKind::mul, {a, row}, {}, kUlp),
                   [&](std::size_t i) { return x[i] * r[i % r.size()]; });
        expectEach(checked(OpKind::add, {a, row}, {}, kUlp, 4),
                   [&](std::size_t i) { return x[i] + r[i % r.size()]; });
        expectEach(checked(OpKind::scale, {a}, {{"factor", 0.3}}, kUlp),
                   [&](std::size_t i) { return x[i] * 0.3f; });
        expectEach(checked(OpKind::silu, {a}, {}, kUlp),
                   [&](std::size_t i) { return numerics::siluFloat(x[i]); });
        expectEach(checked(OpKind::relu, {a}, {}, 0), [&](std::size_t i) { return x[i] > 0 ? x[i] : 0.0f; });
    }
    EXPECT_TRUE(std::isnan(numerics::reluFloat(NAN)));
    EXPECT_FALSE(std::signbit(numerics::reluFloat(-0.0f)));
}

TEST_F(TwinOps, CausalMaskCountsPositionsInEveryHead) {
    for (const std::int64_t offset : {-1, 0, 2}) {
        const Tensor a = normal({3, 5, 7});
        const Floats x = floats(a), y = checked(OpKind::causal_mask, {a}, {{"offset", offset}}, 0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto row = static_cast<std::int64_t>(i / 7 % 5), column = static_cast<std::int64_t>(i % 7);
            ASSERT_EQ(y[i], column > row + offset ? -INFINITY : x[i]);
        }
    }
}

TEST_F(TwinOps, LayerNormAndSoftmaxFollowTheirOrders) {
    using numerics::Order;
    const std::pair<lower::SumOrder, numerics::SumOrder> orders[] = {
        {lower::SumOrder::published, {Order::strided, 1}},
        {lower::SumOrder::pairwise, {Order::pairwise, 1}},
        {lower::SumOrder::splitK, {Order::splitK, 3}}};
    for (const Shape& shape : {Shape{1, 1}, Shape{2, 3, 13}, Shape{5, 521}}) {
        const auto n = static_cast<std::size_t>(shape.back());
        const Tensor a = normal(shape, 2), gain = normal({shape.back()}), bias = normal({shape.back()});
        checked(OpKind::layernorm, {a, gain, bias}, {{"eps", 1e-5}}, 400 * kUlp);
        checked(OpKind::softmax, {a}, {}, 64 * kUlp, 0);
        for (const auto& [slot, order] : orders) {
            auto norm = op(OpKind::layernorm, 3, {{"eps", 1e-5}}), plain = op(OpKind::layernorm, 2, {}),
                 shares = op(OpKind::softmax, 1, {});
            for (auto* o : {&norm, &plain, &shares}) {
                o->slots.order = slot;
                o->slots.splits = 3;
            }
            const Floats x = floats(a);
            Floats y(x.size()), z(x.size()), p(x.size());
            for (std::size_t r = 0; r < x.size(); r += n) {
                numerics::layerNormRow(&x[r], floats(gain).data(), floats(bias).data(), 1e-5f, n, order,
                                       &y[r]);
                numerics::layerNormRow(&x[r], floats(gain).data(), nullptr, 0, n, order, &z[r]);
                numerics::softmaxRow(&x[r], n, order, &p[r]);
            }
            EXPECT_EQ(floats(run(norm, {a, gain, bias})), y);
            if (n > 1) {
                EXPECT_EQ(floats(run(plain, {a, gain})), z);
            }
            EXPECT_EQ(floats(run(shares, {a})), p);
        }
    }
}

TEST_F(TwinOps, SoftmaxOfMaskedAndSpecialRows) {
    const float inf = INFINITY;
    const Floats y = floats(
        run(op(OpKind::softmax, 1, {}), {f32({5, 2}, {-inf, -inf, 88, -inf, NAN, 0, inf, 0, -inf, NAN})}));
    EXPECT_EQ(Floats(y.begin(), y.begin() + 4), (Floats{0, 0, 1, 0}));
    for (std::size_t i = 4; i < 10; ++i) EXPECT_TRUE(std::isnan(y[i])) << i;
}

TEST_F(TwinOps, BatchedProductsAreProductsOneByOne) {
    for (const auto& [h, m, k, n] :
         std::vector<std::array<std::int64_t, 4>>{{1, 1, 1, 1}, {4, 7, 31, 5}, {3, 64, 16, 64}}) {
        const Tensor a = normal({h, m, k}), b = normal({h, k, n}), bias = normal({n});
        const Floats y = checked(OpKind::matmul, {a, b, bias}, {}, 64 * kUlp, 16);
        const Floats x = floats(a), w = floats(b), beta = floats(bias);
        const auto K = static_cast<std::size_t>(k), N = static_cast<std::size_t>(n);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const std::size_t row = i / N, matrix = row / static_cast<std::size_t>(m);
            const numerics::DotTerms terms{&x[row * K], &w[matrix * K * N + i % N], 1, N};
            ASSERT_EQ(y[i], numerics::chain(terms, 0, K, 1, 0.0f) + beta[i % N]);
        }
        // A batch of one kind of weights is one product with more rows.
        const Tensor one = normal({k, n});
        const Floats rows = floats(run(op(OpKind::matmul, 2, {}), {a, one}));
        EXPECT_EQ(rows, floats(run(op(OpKind::matmul, 2, {}), {f32({h * m, k}, x), one})));
    }
}

TEST_F(TwinOps, BatchesStepTheTensorCoreEach) {
    const Tensor a = normal({3, 5, 19}), b = normal({3, 19, 7});
    auto o = op(OpKind::matmul, 2, {});
    o.slots.operand = lower::Operand::tf32;
    const Floats y = floats(run(o, {a, b})), x = floats(a), w = floats(b);
    for (std::size_t i = 0; i < 3; ++i) {
        const Floats left(&x[i * 95], &x[i * 95] + 95), right(&w[i * 133], &w[i * 133] + 133);
        const Floats alone = floats(run(o, {f32({5, 19}, left), f32({19, 7}, right)}));
        EXPECT_EQ(Floats(&y[i * 35], &y[i * 35] + 35), alone);
    }
}

TEST_F(TwinOps, DataIsMovedUnchanged) {
    const Tensor a = normal({3, 5, 7});
    checked(OpKind::transpose, {a}, {}, 0);
    checked(OpKind::transpose, {a}, {{"perm", "2,0,1"}}, 0);
    checked(OpKind::split_heads, {normal({7, 30})}, {{"heads", std::int64_t{5}}}, 0);
    checked(OpKind::merge_heads, {a}, {}, 0);
    checked(OpKind::embedding, {indices(23, 11), normal({11, 3})}, {}, 0);
    const auto wrong = m_twin.runOp("cpu:sm_80", op(OpKind::embedding, 2, {}),
                                    std::vector<Tensor>{f32({1}, {11}), normal({11, 3})}, {});
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().code, ErrorCode::mismatch);
}

TEST_F(TwinOps, ScatterAddsInIncreasingRowOrOtherTrees) {
    using numerics::Order;
    const Tensor index = indices(501, 7), source = normal({501, 13});
    const Floats rows = floats(index), x = floats(source);
    const block::Attributes attributes{{"rows", std::int64_t{9}}}; // two rows get nothing
    const Floats y = checked(OpKind::scatter_add, {index, source}, attributes, 100 * kUlp, 10);
    auto tree = op(OpKind::scatter_add, 2, attributes), narrow = tree;
    tree.slots.order = lower::SumOrder::pairwise;
    narrow.slots.accumulator = lower::Accumulator::bf16;
    const Floats z = floats(run(tree, {index, source})), b = floats(run(narrow, {index, source}));
    for (std::size_t r = 0; r < 9; ++r)
        for (std::size_t j = 0; j < 13; ++j) {
            std::vector<std::uint32_t> mine;
            float rounded = 0;
            for (std::uint32_t i = 0; i < 501; ++i)
                if (rows[i] == static_cast<float>(r)) {
                    mine.push_back(i);
                    rounded = numerics::roundToBf16(rounded + x[i * 13 + j]);
                }
            const numerics::GatheredTerms terms{&x[j], mine.data(), 13};
            ASSERT_EQ(y[r * 13 + j], numerics::reduce(terms, mine.size(), {Order::sequential, 1}));
            ASSERT_EQ(z[r * 13 + j], numerics::reduce(terms, mine.size(), {Order::pairwise, 1}));
            ASSERT_EQ(b[r * 13 + j], rounded);
        }
}

TEST_F(TwinOps, CodesAreTheNearestWholeSteps) {
    const Tensor a = normal({6, 31}, 50);
    const Tensor scale = f32({31}, Floats(31, 0.37f)), zero = f32({31}, Floats(31, 3.0f));
    const Floats x = floats(a);
    const Floats q = floats(run(op(OpKind::quantize, 3, {}), {a, scale, zero}));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float expected = std::rint(x[i] / 0.37f) + 3;
        ASSERT_EQ(q[i], std::fmin(std::fmax(expected, -127.0f), 127.0f));
        ASSERT_EQ(q[i], numerics::quantizeCode(x[i], 0.37f, 3, -127, 127));
    }
    const Floats d = checked(OpKind::dequantize, {f32({6, 31}, q), scale, zero}, {}, kUlp);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(d[i], (q[i] - 3) * 0.37f);
    EXPECT_EQ(numerics::quantizeCode(NAN, 1, 5, -127, 127), 5);
    EXPECT_EQ(numerics::quantizeCode(INFINITY, 1, 0, -127, 127), 127);
    EXPECT_EQ(numerics::quantizeCode(-1e30f, 1, 0, -128, 127), -128);
    EXPECT_EQ(numerics::quantizeCode(2.5f, 1, 0, -127, 127), 2);
}

TEST_F(TwinOps, ConvolutionsAreChainsOverTheirWindows) {
    const block::Attributes attributes{{"groups", std::int64_t{2}},
                                       {"stride_x", std::int64_t{2}},
                                       {"pad_top", std::int64_t{1}},
                                       {"pad_right", std::int64_t{2}}};
    const Tensor x = normal({2, 4, 7, 5}), w = normal({6, 2, 3, 2}), b = normal({6});
    const Floats y = checked(OpKind::conv2d, {x, w, b}, attributes, 32 * kUlp, 8);
    EXPECT_EQ(y.size(), 2u * 6 * 6 * 3);
    const Floats in = floats(x), weight = floats(w), bias = floats(b);
    std::size_t at = 0;
    for (int n = 0; n < 2; ++n)
        for (int o = 0; o < 6; ++o)
            for (int i = 0; i < 6; ++i)
                for (int j = 0; j < 3; ++j) {
                    float acc = 0;
                    for (int c = 0; c < 2; ++c)
                        for (int u = 0; u < 3; ++u)
                            for (int v = 0; v < 2; ++v) {
                                const int row = i + u - 1, col = j * 2 + v, channel = o / 3 * 2 + c;
                                const bool inside = row >= 0 && row < 7 && col < 5;
                                const float value = inside ? in[static_cast<std::size_t>(
                                                                 ((n * 4 + channel) * 7 + row) * 5 + col)]
                                                           : 0.0f;
                                acc = std::fma(
                                    value, weight[static_cast<std::size_t>(((o * 2 + c) * 3 + u) * 2 + v)],
                                    acc);
                            }
                    ASSERT_EQ(y[at++], acc + bias[static_cast<std::size_t>(o)]);
                }
}

TEST_F(TwinOps, FusedConvolutionStartsFromBiasAndResidual) {
    const block::Attributes attributes{{"groups", std::int64_t{2}}};
    const Tensor x = normal({2, 4, 3, 5}), w = normal({6, 2, 1, 1}), b = normal({6}),
                 r = normal({2, 6, 3, 5});
    auto o = op(OpKind::conv2d, 3, attributes);
    o.slots.fused = true;
    o.inputs.push_back(3);
    o.fused.push_back({OpKind::add, {}, 3});
    o.fused.push_back({OpKind::relu, {}, std::nullopt});
    const Floats y = floats(run(o, {x, w, b, r}));
    const Floats in = floats(x), weight = floats(w), bias = floats(b), residual = floats(r);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t place = i % 15, channel = i / 15 % 6, image = i / 90;
        float acc = bias[channel] + residual[i];
        for (std::size_t c = 0; c < 2; ++c)
            acc = std::fma(in[(image * 4 + channel / 3 * 2 + c) * 15 + place], weight[channel * 2 + c], acc);
        ASSERT_EQ(y[i], acc > 0 ? acc : 0.0f);
    }
}

} // namespace
} // namespace divdet
