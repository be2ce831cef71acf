// Operands that are known to within a bound: whatever they were, the result lies within the bound of the
// result.
#include "judge/local/carried.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::local {
namespace {

using block::OpKind;
using block::ops::doubles;
using block::ops::tensorOfDoubles;

struct Case {
    const char* name;
    OpKind kind;
    std::vector<Shape> shapes;
    std::vector<bool> uncertain;
    block::Attributes attributes{};
};

const Case kCases[] = {
    {"matmul", OpKind::matmul, {{5, 12}, {12, 7}}, {true, true}},
    {"matmul of a weight", OpKind::matmul, {{5, 12}, {12, 7}}, {true, false}},
    {"batch", OpKind::matmul, {{2, 3, 6}, {2, 6, 4}}, {false, true}},
    {"softmax", OpKind::softmax, {{4, 9}}, {true}},
    {"rmsnorm", OpKind::rmsnorm, {{4, 16}, {16}}, {true, false}, {{"eps", 1e-5}}},
    {"layernorm", OpKind::layernorm, {{4, 16}, {16}, {16}}, {true, false, false}, {{"eps", 1e-5}}},
    {"add", OpKind::add, {{4, 6}, {6}}, {true, true}},
    {"mul", OpKind::mul, {{4, 6}, {4, 6}}, {true, true}},
    {"mul by a vector", OpKind::mul, {{4, 6}, {6}}, {false, true}},
    {"scale", OpKind::scale, {{4, 6}}, {true}, {{"factor", -0.25}}},
    {"gelu", OpKind::gelu, {{40}}, {true}},
    {"silu", OpKind::silu, {{40}}, {true}},
    {"relu", OpKind::relu, {{40}}, {true}},
    {"masked", OpKind::causal_mask, {{5, 5}}, {true}},
    {"split heads", OpKind::split_heads, {{3, 8}}, {true}, {{"heads", std::int64_t{2}}}},
    {"sum", OpKind::reduce_sum, {{4, 9}}, {true}},
};

class Carried : public testing::Test {
protected:
    double normal() { return m_normal(m_random); }
    double sign() { return m_random() & 1 ? 1 : -1; }

    std::vector<double> numbers(std::size_t n) {
        std::vector<double> v(n);
        for (double& x : v) x = static_cast<float>(normal());
        return v;
    }

    std::mt19937 m_random{1};
    std::normal_distribution<double> m_normal;
};

lower::LoweredOp opOf(const Case& c) {
    lower::LoweredOp op{};
    op.kind = c.kind;
    op.name = c.name;
    op.attributes = c.attributes;
    op.ownInputs = c.shapes.size();
    return op;
}

TEST_F(Carried, BoundsHoldForEveryOperandWithinItsOwn) {
    for (const Case& c : kCases)
        for (const double size : {1e-6, 1e-2, 0.2}) {
            SCOPED_TRACE(std::string(c.name) + " at " + std::to_string(size));
            double nearest = 0;
            for (int draw = 0; draw < 20; ++draw) {
                std::vector<Operand> operands;
                for (std::size_t i = 0; i < c.shapes.size(); ++i) {
                    const auto v = numbers(static_cast<std::size_t>(*elementCount(c.shapes[i])));
                    Operand o{tensorOfDoubles(c.shapes[i], v), {}};
                    for (std::size_t j = 0; c.uncertain[i] && j < v.size(); ++j)
                        o.bound.push_back(size * std::abs(normal()));
                    operands.push_back(std::move(o));
                }
                const auto allowed = allowedFrom(opOf(c), operands, numerics::Arch::sm80, Order::any);
                ASSERT_TRUE(allowed.ok()) << allowed.error().text();
                for (int other = 0; other < 20; ++other) {
                    std::vector<Tensor> read;
                    for (const Operand& o : operands) {
                        auto v = doubles(o.value);
                        for (std::size_t j = 0; j < o.bound.size(); ++j)
                            v[j] += sign() * o.bound[j] * (other % 2 ? 1 : 0.5);
                        read.push_back(tensorOfDoubles(o.value.shape(), v));
                    }
                    const auto y = doubles(*block::opDef(c.kind).reference64(read, c.attributes, {}));
                    for (std::size_t j = 0; j < y.size(); ++j) {
                        if (y[j] == allowed->exact[j]) continue; // also minus infinity
                        ASSERT_LE(std::abs(y[j] - allowed->exact[j]), allowed->bound[j] + 1e-14)
                            << j; // the test adds in double
                        nearest = std::max(nearest, std::abs(y[j] - allowed->exact[j]) / allowed->bound[j]);
                    }
                }
            }
            EXPECT_GT(nearest, c.kind == OpKind::rmsnorm || c.kind == OpKind::layernorm ? 0.1 : 0.3)
                << "a bound this wide would hide faults";
        }
}

TEST_F(Carried, OfCertainOperandsIsTheBoundOfTheOp) {
    const Case c{"matmul", OpKind::matmul, {{4, 8}, {8, 3}}, {false, false}};
    const std::vector<Tensor> read{tensorOfDoubles({4, 8}, numbers(32)),
                                   tensorOfDoubles({8, 3}, numbers(24))};
    const auto with = allowedFrom(opOf(c), std::vector<Operand>{{read[0], {}}, {read[1], {}}},
                                  numerics::Arch::sm80, Order::any);
    const auto without = allowedBy(opOf(c), read, numerics::Arch::sm80, Order::any);
    ASSERT_TRUE(with.ok() && without.ok());
    EXPECT_EQ(with->exact, without->exact);
    EXPECT_EQ(with->bound, without->bound);
}

TEST_F(Carried, RefusesWhatJumps) {
    Case c{"product", OpKind::matmul, {{2, 4}, {4, 2}}, {true, false}};
    std::vector<Operand> operands{{tensorOfDoubles({2, 4}, numbers(8)), std::vector<double>(8, 1e-3)},
                                  {tensorOfDoubles({4, 2}, numbers(8)), {}}};
    lower::LoweredOp op = opOf(c);
    op.slots.operand = lower::Operand::int8;
    const auto refused = allowedFrom(op, operands, numerics::Arch::sm80, Order::any);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_NE(refused.error().message.find("quantised"), std::string::npos);
    EXPECT_FALSE(refused.error().hint.empty());
    op.slots.operand = lower::Operand::tf32; // rounds what is not known to the last bit: wider, not refused
    const auto tf32 = allowedFrom(op, operands, numerics::Arch::sm80, Order::any);
    op.slots.operand = lower::Operand::f32;
    const auto f32 = allowedFrom(op, operands, numerics::Arch::sm80, Order::any);
    ASSERT_TRUE(tf32.ok() && f32.ok());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_GT(tf32->bound[i], f32->bound[i]);
}

} // namespace
} // namespace divdet::local
