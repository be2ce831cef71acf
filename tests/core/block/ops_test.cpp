#include <cmath>

#include <gtest/gtest.h>

#include "block/op_def.h"
#include "tensor/convert.h"

namespace divdet::block {
namespace {

Tensor f32(Shape shape, std::vector<float> values) {
    return tensorOf<float>(DType::f32, std::move(shape), values);
}

std::vector<double> run(OpKind kind, const std::vector<Tensor>& in, const Attributes& attributes = {}) {
    const auto out = opDef(kind).reference64(in, attributes, {});
    EXPECT_TRUE(out.ok());
    std::vector<double> values(static_cast<std::size_t>(out->elements()));
    loadAsDouble(out->view(), 0, values);
    return values;
}

TEST(Ops, TableIsConsistent) {
    for (OpKind kind : allOps()) {
        EXPECT_EQ(opDef(kind).kind, kind);
        EXPECT_EQ(parseOpKind(name(kind)), kind);
        EXPECT_FALSE(opDef(kind).sentence.empty());
    }
    EXPECT_FALSE(parseOpKind("conv9d").has_value());
}

TEST(Ops, MatmulWithBias) {
    const auto a = f32({2, 3}, {1, 2, 3, 4, 5, 6}), b = f32({3, 2}, {1, 0, 0, 1, 2, -1});
    EXPECT_EQ(run(OpKind::matmul, {a, b}), (std::vector<double>{7, -1, 16, -1}));
    EXPECT_EQ(run(OpKind::matmul, {a, b, f32({2}, {10, 20})}), (std::vector<double>{17, 19, 26, 19}));
}

TEST(Ops, MatmulReadsNarrowOperandsExactly) {
    const auto a = converted(f32({1, 2}, {1.0f / 3, 2}), DType::bf16);
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(run(OpKind::matmul, {*a, f32({2, 1}, {1, 1})}), std::vector<double>{2 + 0x1.56p-2});
}

TEST(Ops, RmsNorm) {
    const auto y = run(OpKind::rmsnorm, {f32({1, 2}, {3, 4}), f32({2}, {1, 2})}, {{"eps", 0.5}});
    EXPECT_DOUBLE_EQ(y[0], 3 / std::sqrt(13.0));
    EXPECT_DOUBLE_EQ(y[1], 8 / std::sqrt(13.0));
}

TEST(Ops, GeluKeepsItsDigitsInTheTail) {
    const auto y = run(OpKind::gelu, {f32({5}, {0, 1, -10, INFINITY, -INFINITY})});
    EXPECT_EQ(y[0], 0);
    EXPECT_NEAR(y[1], 0.8413447460685429, 1e-15);
    EXPECT_NEAR(y[2] / -7.619853024160526e-23, 1, 1e-12);
    EXPECT_EQ(y[3], INFINITY);
    EXPECT_EQ(y[4], 0);
}

TEST(Ops, SumsAreCompensated) {
    std::vector<float> values(1002, 1e-9f);
    values.front() = 1e9f;
    values.back() = -1e9f;
    const auto s = run(OpKind::reduce_sum, {f32({1, 1002}, values)});
    EXPECT_NEAR(s[0], 1000 * static_cast<double>(1e-9f), 1e-18);
    EXPECT_EQ(run(OpKind::reduce_sum, {f32({1, 2}, {INFINITY, 1})})[0], INFINITY);
}

TEST(Ops, AddAndItsShapes) {
    EXPECT_EQ(run(OpKind::add, {f32({2}, {1, 2}), f32({2}, {3, 5})}), (std::vector<double>{4, 7}));
    const std::vector<Shape> different{{2, 3}, {3, 2}};
    EXPECT_EQ(opDef(OpKind::add).shape(different, {}).error().code, ErrorCode::mismatch);
    const std::vector<Shape> gain{{2, 3}, {2}};
    EXPECT_EQ(opDef(OpKind::rmsnorm).shape(gain, {}).error().code, ErrorCode::mismatch);
    const std::vector<Shape> row{{}};
    EXPECT_EQ(opDef(OpKind::reduce_sum).shape(row, {}).error().code, ErrorCode::mismatch);
}

TEST(Ops, AttributesPrintAllDigits) {
    EXPECT_EQ(toString(Attributes{{"eps", 0.1 + 0.2}, {"axis", std::int64_t{1}}}),
              "axis=1,eps=0.30000000000000004");
    EXPECT_EQ(numberOr({{"axis", std::int64_t{1}}}, "axis", 7), 1);
    EXPECT_EQ(numberOr({}, "axis", 7), 7);
}

} // namespace
} // namespace divdet::block
