#include "judge/context.h"

#include <cmath>

#include <gtest/gtest.h>

#include "make_tensor.h"

using namespace divdet;
using namespace divdet::test;

TEST(OperatorContext, KnownMembersAreReadAndOthersKeptByName) {
    const auto c = parseOperatorContext(
        R"({"op":"MatMul","K":256,"eps":1e-5,"window":4,"operands":["a","b"],"poison":"nan","token_axis":0,"who":1})");
    ASSERT_TRUE(c);
    EXPECT_EQ(c->op, "matmul");
    EXPECT_EQ(c->k, 256);
    EXPECT_EQ(c->eps, 1e-5);
    EXPECT_EQ(c->window, 4);
    EXPECT_EQ(c->operands, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(std::isnan(*c->poison));
    EXPECT_EQ(c->tokenAxis, 0);
    EXPECT_EQ(c->unknown, (std::vector<std::string>{"who"}));
    EXPECT_TRUE(c->opIs({"conv", "mat"}));
    EXPECT_FALSE(c->opIs({"conv"}));
}

TEST(OperatorContext, AnEmptyTextKnowsNothing) {
    const auto c = parseOperatorContext("");
    ASSERT_TRUE(c);
    EXPECT_TRUE(c->op.empty());
    EXPECT_FALSE(c->k || c->poison || c->tokenAxis);
}

TEST(OperatorContext, BadJsonIsAnErrorWithItsOffset) {
    const auto c = parseOperatorContext(R"({"op":"matmul",})");
    ASSERT_FALSE(c);
    EXPECT_EQ(c.error().code, ErrorCode::malformed);
    ASSERT_TRUE(c.error().offset);
    EXPECT_EQ(*c.error().offset, 15u);
    EXPECT_EQ(parseOperatorContext("[1]").error().code, ErrorCode::usage);
}

TEST(OperatorContext, AMemberOfAnotherTypeIsAnErrorThatNamesIt) {
    for (const char* text : {R"({"op":1})", R"({"K":0})", R"({"K":"many"})", R"({"eps":"small"})",
                             R"({"operands":"a"})", R"({"token_axis":-1})", R"({"poison":[]})"}) {
        const auto c = parseOperatorContext(text);
        ASSERT_FALSE(c) << text;
        EXPECT_EQ(c.error().code, ErrorCode::usage) << text;
        EXPECT_EQ(c.error().path, "--context") << text;
    }
}

TEST(JudgeContext, AxesAreNamedWhereTheNamesFit) {
    JudgeContext c;
    c.axes = {"batch", "head"};
    EXPECT_EQ(c.axisName(1, 2), "axis 1 (head)");
    EXPECT_EQ(c.axisName(1, 3), "axis 1");
}

TEST(JudgeContext, TheOperandsOfAProductAreFoundByShapeOrName) {
    JudgeContext c;
    c.inputs = {{"w", f64(std::vector<double>(15, 1), {3, 5})},
                {"x", f64(std::vector<double>(6, 1), {2, 3})}};
    auto p = c.product({2, 5});
    ASSERT_TRUE(p);
    EXPECT_EQ(p->first.shape, (Shape{2, 3}));
    EXPECT_EQ(p->second.shape, (Shape{3, 5}));
    EXPECT_FALSE(c.product({5, 2}));
    c.op.operands = {"w", "x"}; // named the wrong way round: they do not fit, and are not guessed
    EXPECT_FALSE(c.product({2, 5}));
    c.op.operands = {"x", "w"};
    EXPECT_TRUE(c.product({2, 5}));
}
