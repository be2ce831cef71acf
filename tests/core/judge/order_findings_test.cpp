// Findings that say the right values are in wrong places: transposed, permuted, shifted.
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

const std::vector<DType> kTypes{DType::f64, DType::f32, DType::f16, DType::bf16, DType::i32};

Tensor numbers(DType type, const Shape& shape, std::uint32_t seed) {
    return as(mapped(normals(count(shape), seed, 40), [](double x) { return std::nearbyint(x * 16); }), type,
              shape);
}

/// The tensor whose element at an index is that of `t` at source(index).
Tensor moved(const Tensor& t, const std::function<Index(Index)>& source) {
    std::vector<double> out(count(t.shape()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Index from = source(unravel(static_cast<std::int64_t>(i), t.shape()));
        std::int64_t flat = 0;
        for (std::size_t a = 0; a < from.size(); ++a) flat = flat * t.shape()[a] + from[a];
        out[i] = elementAt(t.view(), flat);
    }
    return as(std::move(out), t.dtype(), t.shape());
}

} // namespace

RC_GTEST_PROP(Transposed, SquareAxesThatChangedPlaces, ()) {
    const auto type = *rc::gen::elementOf(kTypes);
    const auto n = *rc::gen::inRange<std::int64_t>(8, 40);
    const Shape shape{*rc::gen::inRange<std::int64_t>(1, 4), n, n};
    const auto r = numbers(type, shape, *rc::gen::inRange(0u, 1000u));
    const auto j = judged(r, moved(r, [](Index at) {
                              std::swap(at[1], at[2]);
                              return at;
                          }));
    RC_ASSERT(j.find("transposed"));
    RC_ASSERT(j.bug());
    RC_ASSERT(!j.find("permuted"));
}

RC_GTEST_PROP(Transposed, StridesThatWereIgnored, ()) {
    const auto type = *rc::gen::elementOf(kTypes);
    const Shape shape{*rc::gen::inRange<std::int64_t>(3, 30), *rc::gen::inRange<std::int64_t>(31, 60)};
    const auto r = numbers(type, shape, *rc::gen::inRange(0u, 1000u));
    const bool first = *rc::gen::arbitrary<bool>();
    const auto j = judged(r, moved(r, [&](const Index& at) {
                              const std::int64_t m = shape[0], n = shape[1], flat = at[0] * n + at[1];
                              if (first) return Index{flat % m, flat / m};
                              const std::int64_t from = at[1] * m + at[0];
                              return Index{from / n, from % n};
                          }));
    RC_ASSERT(j.find("transposed"));
    RC_ASSERT(j.bug());
}

RC_GTEST_PROP(Permuted, SlicesOfAnAxisInAnotherOrder, ()) {
    const auto type = *rc::gen::elementOf(kTypes);
    const auto rank = *rc::gen::inRange<std::size_t>(1, 4);
    Shape shape;
    for (std::size_t a = 0; a < rank; ++a) shape.push_back(*rc::gen::inRange<std::int64_t>(5, 17));
    const auto axis = *rc::gen::inRange<std::size_t>(0, rank);
    const auto n = shape[axis];
    const auto r = numbers(type, shape, *rc::gen::inRange(0u, 1000u));
    const auto a = *rc::gen::inRange<std::int64_t>(0, n), b = *rc::gen::inRange<std::int64_t>(0, n);
    if (a == b) RC_DISCARD("nothing moves");
    const auto c = moved(r, [&](Index at) {
        if (at[axis] == a)
            at[axis] = b;
        else if (at[axis] == b)
            at[axis] = a;
        return at;
    });
    const auto j = judged(r, c);
    if (j.summary.rms < 0.1 * j.summary.rmsReference) RC_DISCARD("slices that are alike changed places");
    RC_ASSERT(j.find("permuted"));
    RC_ASSERT(j.number("permuted", "axis") == static_cast<double>(axis));
    RC_ASSERT(j.bug());
}

TEST(Permuted, TheOrderIsNamed) {
    const auto r = numbers(DType::f32, {6, 20}, 1);
    const auto order = [&](const std::function<std::int64_t(std::int64_t)>& from) {
        const auto j = judged(r, moved(r, [&](Index at) {
                                  at[0] = from(at[0]);
                                  return at;
                              }));
        const Finding* f = j.find("permuted");
        return f ? std::get<std::string>(f->evidence.back().second) : std::string();
    };
    EXPECT_EQ(order([](auto i) { return 5 - i; }), "in reverse order");
    EXPECT_EQ(order([](auto i) { return i == 1 ? 4 : i == 4 ? 1 : i; }), "with 1 and 4 exchanged");
    EXPECT_EQ(order([](auto i) { return (i + 4) % 6; }), "rolled by 2");
}

TEST(Permuted, AnyOtherOrderOfTheSameValues) {
    auto values = normals(1000, 2);
    const auto r = as(values, DType::f32, {10, 100});
    std::shuffle(values.begin(), values.end(), std::mt19937(3));
    EXPECT_TRUE(judged(r, as(values, DType::f32, {10, 100})).find("permuted"));
}

TEST(Permuted, OtherNumbersOfTheSameDistributionAreNone) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const auto j = judged(as(normals(4096, seed), DType::f32, {64, 64}),
                              as(normals(4096, seed + 100), DType::f32, {64, 64}));
        for (const char* id : {"permuted", "transposed", "shifted", "gain", "offset", "rounding-noise"})
            EXPECT_FALSE(j.find(id)) << id;
        EXPECT_GE(j.verdict, PairClass::unclear);
    }
}

RC_GTEST_PROP(Shifted, WholeStepsAlongAnAxis, ()) {
    const auto type = *rc::gen::elementOf(kTypes);
    const Shape shape{*rc::gen::inRange<std::int64_t>(8, 20), *rc::gen::inRange<std::int64_t>(8, 20)};
    const auto axis = *rc::gen::inRange<std::size_t>(0, 2);
    const auto k = *rc::gen::elementOf(std::vector<std::int64_t>{-3, -2, -1, 1, 2, 3});
    const auto r = numbers(type, shape, *rc::gen::inRange(0u, 1000u));
    const auto c = moved(r, [&](Index at) { // the border keeps its value
        at[axis] = std::clamp<std::int64_t>(at[axis] - k, 0, shape[axis] - 1);
        return at;
    });
    const auto j = judged(r, c);
    RC_ASSERT(j.find("shifted"));
    RC_ASSERT(j.number("shifted", "axis") == static_cast<double>(axis));
    RC_ASSERT(j.number("shifted", "shift") == static_cast<double>(k));
    RC_ASSERT(j.bug());
}

TEST(Shifted, PartOfAStepFollowsTheSlope) {
    const Shape shape{2, 24, 24};
    for (const double shift : {0.5, -0.25, 0.1}) {
        std::vector<double> r, c;
        for (std::size_t i = 0; i < count(shape); ++i) {
            const Index at = unravel(static_cast<std::int64_t>(i), shape);
            const auto image = [&](double x, double y) {
                return std::sin(0.31 * x + 0.1 * static_cast<double>(at[0])) + std::cos(0.23 * y) * 0.7;
            };
            const auto x = static_cast<double>(at[2]), y = static_cast<double>(at[1]);
            r.push_back(image(x, y));
            c.push_back(image(x - shift, y - shift));
        }
        const auto j = judged(as(r, DType::f32, shape), as(c, DType::f32, shape));
        ASSERT_TRUE(j.find("shifted")) << shift;
        EXPECT_NEAR(j.number("shifted", "columns"), shift, 0.05);
        EXPECT_NEAR(j.number("shifted", "rows"), shift, 0.05);
    }
}
