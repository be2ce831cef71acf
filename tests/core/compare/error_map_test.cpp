#include "compare/error_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "compare/rules/evaluate.h"
#include "make_tensor.h"

namespace divdet {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

Tensor tensor(const Shape& shape, const std::function<float(std::int64_t)>& value) {
    TensorBuilder builder(DType::f32, shape);
    auto to = builder.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = value(static_cast<std::int64_t>(i));
    return std::move(builder).finish();
}

/// Each element's error is a number of its own, so that a cell tells its element.
struct Pair {
    Tensor reference, candidate;
    explicit Pair(const Shape& shape)
        : reference(tensor(shape, [](auto) { return 4.f; }))
        , candidate(tensor(shape, [](auto i) { return 4.f + static_cast<float>(i) * 0x1p-10f; })) {}
    Result<ErrorMap> map(const MapSlice& slice, int most = 512, MapMeasure measure = MapMeasure::abs) const {
        return errorMap(reference.view(), candidate.view(), slice, measure, {Rule::allclose, 0.5, 1}, most);
    }
};

TEST(ErrorMap, ShowsAnyTwoDims) {
    const Shape shape{2, 3, 4};
    const Pair p(shape);
    for (int rowDim = -1; rowDim < 3; ++rowDim)
        for (int columnDim = -1; columnDim < 3; ++columnDim) {
            if (rowDim == columnDim && rowDim >= 0) continue;
            MapSlice slice{rowDim, columnDim, {1, 2, 3}};
            const auto m = p.map(slice);
            ASSERT_TRUE(m.ok()) << m.error().text();
            EXPECT_EQ(m->rows, rowDim < 0 ? 1 : shape[static_cast<std::size_t>(rowDim)]);
            EXPECT_EQ(m->columns, columnDim < 0 ? 1 : shape[static_cast<std::size_t>(columnDim)]);
            for (int row = 0; row < m->rows; ++row)
                for (int column = 0; column < m->columns; ++column) {
                    auto at = slice.at;
                    if (rowDim >= 0) at[static_cast<std::size_t>(rowDim)] = row;
                    if (columnDim >= 0) at[static_cast<std::size_t>(columnDim)] = column;
                    const std::int64_t flat = (at[0] * 3 + at[1]) * 4 + at[2];
                    const auto cell = static_cast<std::size_t>(row * m->columns + column);
                    EXPECT_EQ(m->element[cell], flat);
                    EXPECT_EQ(m->value[cell], static_cast<double>(flat) * 0x1p-10);
                }
        }
}

TEST(ErrorMap, KeepsTheWorstOfACell) {
    const Shape shape{70, 50};
    const Pair p(shape);
    const auto m = p.map(defaultSlice(shape), 16);
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->rowsPerCell, 5);
    EXPECT_EQ(m->columnsPerCell, 4);
    EXPECT_EQ(m->rows, 14);
    EXPECT_EQ(m->columns, 13);
    for (int row = 0; row < m->rows; ++row)
        for (int column = 0; column < m->columns; ++column) {
            const std::int64_t lastRow = std::min(row * 5 + 4, 69), lastColumn = std::min(column * 4 + 3, 49);
            EXPECT_EQ(m->element[static_cast<std::size_t>(row * m->columns + column)],
                      lastRow * 50 + lastColumn);
        }
    EXPECT_EQ(m->largest, 3499 * 0x1p-10);
    EXPECT_EQ(m->smallest, 0x1p-10);
}

TEST(ErrorMap, MeasuresWhatIsAsked) {
    const Shape shape{1, 3};
    const Pair p(shape);
    const auto rel = p.map(defaultSlice(shape), 512, MapMeasure::rel);
    EXPECT_EQ(rel->value[2], 2 * 0x1p-10 / 4);
    const auto bound = p.map(defaultSlice(shape), 512, MapMeasure::bound);
    EXPECT_EQ(bound->value[2], 2 * 0x1p-10 / 3);

    const Tensor zero = tensor({2}, [](auto) { return 0.f; });
    const Tensor c = tensor({2}, [](auto i) { return static_cast<float>(i); });
    const auto m = errorMap(zero.view(), c.view(), defaultSlice({2}), MapMeasure::rel, {});
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->value[0], 0);
    EXPECT_EQ(m->value[1], kInf); // a number divided by zero, and no infinity of the data
    EXPECT_EQ(m->state[1], ErrorMap::finite);
    EXPECT_EQ(m->largest, 0);
}

/// An element is over the share 1 exactly where its rule fails it. In double, where no rule rounds otherwise.
TEST(ErrorMap, HoldsElementsAgainstTheirRulesBound) {
    const std::size_t n = 4000;
    std::vector<double> r = test::normals(n, 7, 3), c = test::normals(n, 8, 0.3);
    for (std::size_t i = 0; i < n; ++i) c[i] += r[i];
    r[0] = 0, r[1] = c[1];
    const Tensor reference = test::f64(r), candidate = test::f64(c);
    for (const RuleInfo& rule : ruleList())
        for (const auto& [rtol, atol] : {std::pair{0.1, 0.1}, std::pair{0.1, 0.0}, std::pair{0.0, 0.3}}) {
            const Tolerance tolerance{rule.rule, rtol, atol};
            const auto map = errorMap(reference.view(), candidate.view(), defaultSlice(reference.shape()),
                                      MapMeasure::bound, tolerance, static_cast<int>(n));
            ASSERT_EQ(map.ok(), !rule.wholeTensor) << rule.id;
            if (rule.wholeTensor) {
                EXPECT_EQ(map.error().code, ErrorCode::usage);
                EXPECT_NE(map.error().text().find(rule.id), std::string::npos) << map.error().text();
                continue;
            }
            const auto outcome =
                evaluateRule({reference.view(), candidate.view(), std::nullopt, std::nullopt}, tolerance);
            ASSERT_TRUE(outcome.ok()) << outcome.error().text();
            EXPECT_GT(outcome->mismatches, 100) << rule.id;
            EXPECT_EQ(std::count_if(map->value.begin(), map->value.end(), [](double v) { return v > 1; }),
                      outcome->mismatches)
                << rule.id << " " << rtol << " " << atol;
        }
}

TEST(ErrorMap, TellsNaNAndInfinityApart) {
    const std::vector<float> r{1, kInf, kInf, kNaN, 1, 1, -kInf}, c{1, kInf, 1, kNaN, kNaN, kInf, kInf};
    const Shape shape{7};
    const Tensor reference = tensor(shape, [&](auto i) { return r[static_cast<std::size_t>(i)]; });
    const Tensor candidate = tensor(shape, [&](auto i) { return c[static_cast<std::size_t>(i)]; });
    const auto m =
        errorMap(reference.view(), candidate.view(), defaultSlice(shape), MapMeasure::abs, {}, 512);
    ASSERT_TRUE(m.ok());
    const std::vector<std::uint8_t> states{0, 0, 1, 2, 2, 1, 1};
    EXPECT_EQ(m->state, states);
    EXPECT_EQ(m->notFinite, 5);
    const auto one =
        errorMap(reference.view(), candidate.view(), defaultSlice(shape), MapMeasure::abs, {}, 1);
    EXPECT_EQ(one->state[0], ErrorMap::notANumber);
    EXPECT_EQ(one->element[0], 3);
}

TEST(ErrorMap, LeavesMaskedElementsOut) {
    TensorBuilder builder(DType::u8, {4});
    auto m = builder.as<std::uint8_t>();
    m[0] = 1, m[1] = 1, m[2] = 0, m[3] = 0;
    const Tensor mask = std::move(builder).finish();
    const Pair p({4});
    const auto map = errorMap(p.reference.view(), p.candidate.view(), defaultSlice({4}), MapMeasure::abs, {},
                              2, {}, mask.view());
    ASSERT_TRUE(map.ok());
    EXPECT_EQ(map->element[0], 1);
    EXPECT_EQ(map->element[1], -1);
    EXPECT_EQ(map->value[1], 0);
}

TEST(ErrorMap, CutsWhereTheElementLies) {
    const Shape shape{5, 3, 4};
    const MapSlice slice = defaultSlice(shape, 2 * 12 + 1 * 4 + 3);
    EXPECT_EQ(slice.rowDim, 1);
    EXPECT_EQ(slice.columnDim, 2);
    EXPECT_EQ(slice.at, (std::vector<std::int64_t>{2, 0, 0}));
    EXPECT_EQ(defaultSlice({}).columnDim, -1);
    const Pair scalar({});
    const auto m = scalar.map(defaultSlice({}));
    ASSERT_TRUE(m.ok()) << m.error().text();
    EXPECT_EQ(m->rows * m->columns, 1);
}

TEST(ErrorMap, SaysThatThereAreNoElements) {
    for (const Shape& shape : {Shape{0}, Shape{0, 4}, Shape{4, 0}, Shape{0, 3, 4}, Shape{3, 0, 4}}) {
        const auto map = Pair(shape).map(defaultSlice(shape));
        ASSERT_FALSE(map.ok());
        EXPECT_EQ(map.error().code, ErrorCode::usage);
        EXPECT_NE(map.error().text().find("no elements"), std::string::npos) << map.error().text();
        EXPECT_EQ(map.error().text().find("-1"), std::string::npos) << map.error().text();
    }
}

/// Long rows and many of them stop soon after they are told to.
TEST(ErrorMap, StopsWithinARow) {
    for (const Shape& shape : {Shape{40 * 4096}, Shape{2, 20 * 4096}, Shape{20 * 4096, 2}}) {
        const Pair p(shape);
        for (const MapSlice& slice : {defaultSlice(shape), MapSlice{shape.size() > 1 ? 1 : -1, 0, shape}}) {
            Progress progress;
            std::uint64_t last = 0, all = 0;
            int reports = 0;
            progress.report = [&](std::uint64_t done, std::uint64_t total, std::string_view) {
                last = done, all = total;
                if (++reports == 3) progress.token.cancel();
            };
            const auto map =
                errorMap(p.reference.view(), p.candidate.view(), slice, MapMeasure::abs, {}, 64, progress);
            ASSERT_FALSE(map.ok());
            EXPECT_EQ(map.error().code, ErrorCode::cancelled);
            EXPECT_EQ(reports, 3);
            EXPECT_LE(last, 2 * 4096u);
            EXPECT_EQ(all, 40 * 4096u);
        }
    }
}

TEST(ErrorMap, SaysWhyNot) {
    const Pair p({2, 3});
    EXPECT_EQ(p.map({0, 0, {0, 0}}).error().code, ErrorCode::mismatch);
    EXPECT_EQ(p.map({0, 2, {0, 0}}).error().code, ErrorCode::mismatch);
    EXPECT_EQ(p.map({0, -1, {0, 3}}).error().code, ErrorCode::usage);
    EXPECT_EQ(p.map({0, 1, {0}}).error().code, ErrorCode::mismatch);
    Progress progress;
    progress.token.cancel();
    EXPECT_EQ(errorMap(p.reference.view(), p.candidate.view(), defaultSlice({2, 3}), MapMeasure::abs, {}, 8,
                       progress)
                  .error()
                  .code,
              ErrorCode::cancelled);
}

} // namespace
} // namespace divdet
