// No finding may call honest drift a bug: rounding to every type, sums in other orders, TF32 and bf16
// operands, int8 steps, over shapes, magnitudes and data with outliers.
#include <gtest/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

enum class Data { normal, positive, outlierChannel, largeMean, manyZeros };

std::vector<double> data(Data kind, std::int64_t rows, std::int64_t width, std::uint32_t seed, double scale) {
    auto x = normals(static_cast<std::size_t>(rows * width), seed);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i) % width;
        if (kind == Data::positive) x[i] = std::fabs(x[i]) + 0.1;
        if (kind == Data::outlierChannel && column == 3) x[i] *= 60;
        if (kind == Data::largeMean) x[i] += 100;
        if (kind == Data::manyZeros) x[i] = std::max(x[i] - 0.3, 0.0);
        x[i] *= scale;
    }
    return x;
}

float dot(const std::vector<double>& a, const std::vector<double>& b, std::int64_t i, std::int64_t j,
          std::int64_t k, std::int64_t n, int bits, std::int64_t block) {
    float total = 0, part = 0;
    for (std::int64_t l = 0; l < k; ++l) {
        const double x = a[static_cast<std::size_t>(i * k + l)], y = b[static_cast<std::size_t>(l * n + j)];
        part += static_cast<float>(bits ? roundedTo(x, bits) * roundedTo(y, bits) : x * y);
        if ((l + 1) % block == 0 || l + 1 == k) {
            total += part;
            part = 0;
        }
    }
    return total;
}

struct Drift {
    const char* name;
    const char* declare;
    int bits;           ///< of operands; 0: fp32
    std::int64_t block; ///< sums are added in blocks of so many terms
    bool quantised;     ///< weights in 8 bits, one scale per column
    DType stored;
};

} // namespace

TEST(HonestDrift, ProductsAreNeverABugAndDeclaredOnesAreDrift) {
    const Drift drifts[] = {{"another order", "", 0, 32, false, DType::f32},
                            {"tf32", "tf32", 11, 8, false, DType::f32},
                            {"bf16 operands", "bf16-operands", 8, 16, false, DType::f32},
                            {"bf16", "bf16", 8, 16, false, DType::bf16},
                            {"fp16", "fp16", 11, 16, false, DType::f16},
                            {"int8 weights", "int8-per-channel-weights", 0, 64, true, DType::f32}};
    const std::int64_t m = 24, k = 192, n = 40;
    int total = 0, alarms = 0, notDrift = 0;
    for (const Data kind :
         {Data::normal, Data::positive, Data::outlierChannel, Data::largeMean, Data::manyZeros})
        for (const double scale : {0.02, 1.0, 30.0})
            for (std::uint32_t seed = 0; seed < 4; ++seed) {
                const auto f32 = [](double x) { return static_cast<double>(static_cast<float>(x)); };
                const auto a = mapped(data(kind, m, k, seed, scale), f32),
                           b = mapped(normals(static_cast<std::size_t>(k * n), seed + 77, 1 / std::sqrt(k)),
                                      f32);
                for (const Drift& d : drifts) {
                    if (d.stored == DType::f16 && scale > 1 && kind == Data::outlierChannel)
                        continue; // overflows
                    auto w = b;
                    if (d.quantised)
                        for (std::int64_t j = 0; j < n; ++j) {
                            double most = 0;
                            for (std::int64_t l = 0; l < k; ++l)
                                most = std::max(most, std::fabs(w[static_cast<std::size_t>(l * n + j)]));
                            for (std::int64_t l = 0; l < k; ++l) {
                                double& x = w[static_cast<std::size_t>(l * n + j)];
                                x = std::nearbyint(x / most * 127) * most / 127;
                            }
                        }
                    std::vector<double> r, c;
                    for (std::int64_t i = 0; i < m; ++i)
                        for (std::int64_t j = 0; j < n; ++j) {
                            r.push_back(dot(a, b, i, j, k, n, 0, k));
                            c.push_back(dot(a, w, i, j, k, n, d.bits, d.block));
                        }
                    const auto reference = as(r, DType::f32, {m, n}), candidate = as(c, d.stored, {m, n});
                    for (const bool inputs : {false, true}) {
                        JudgeContext context =
                            declaring(d.declare, R"({"op":"matmul","K":192,"operands":["a","b"]})");
                        if (inputs)
                            context.inputs = {{"a", as(a, DType::f32, {m, k})},
                                              {"b", as(b, DType::f32, {k, n})}};
                        const auto j = judged(reference, candidate, context);
                        ++total;
                        alarms += j.bug();
                        notDrift += j.verdict != PairClass::drift;
                        EXPECT_FALSE(j.bug()) << d.name << " data " << static_cast<int>(kind) << " scale "
                                              << scale << " seed " << seed << " inputs " << inputs << '\n'
                                              << j.alarms();
                    }
                    // Undeclared it may be unclear, but it is no bug either.
                    const auto j = judged(reference, candidate);
                    EXPECT_FALSE(j.bug()) << d.name << " undeclared, data " << static_cast<int>(kind) << '\n'
                                          << j.alarms();
                }
            }
    EXPECT_EQ(alarms, 0) << "of " << total;
    RecordProperty("pairs", total);
    RecordProperty("not_called_drift", notDrift);
    EXPECT_LE(notDrift * 20, total) << "declared drift that stays unclear: " << notDrift << " of " << total;
}

TEST(HonestDrift, StoringInANarrowerTypeIsDrift) {
    for (const DType type : {DType::f32, DType::f16, DType::bf16})
        for (const Data kind :
             {Data::normal, Data::positive, Data::outlierChannel, Data::largeMean, Data::manyZeros})
            for (const double scale : {1e-3, 1.0, 100.0})
                for (const Shape& shape : {Shape{960}, Shape{24, 40}, Shape{2, 3, 8, 20}}) {
                    if (type == DType::f16 && scale > 1) continue; // outliers overflow
                    const auto x = data(kind, 24, 40, 5, scale);
                    const auto j = judged(as(x, DType::f64, shape), as(x, type, shape));
                    EXPECT_LE(j.verdict, PairClass::drift)
                        << name(type) << ' ' << static_cast<int>(kind) << ' ' << scale << '\n'
                        << j.alarms();
                }
}

TEST(HonestDrift, SoftmaxAndNormsInFp32AreDrift) {
    for (std::uint32_t seed = 0; seed < 10; ++seed)
        for (const double scale : {0.5, 3.0, 12.0}) {
            const std::int64_t rows = 32, width = 200;
            const auto x = normals(static_cast<std::size_t>(rows * width), seed, scale);
            std::vector<double> softmax, softmax32, norm, norm32;
            for (std::int64_t i = 0; i < rows; ++i) {
                const auto* row = &x[static_cast<std::size_t>(i * width)];
                double most = *std::max_element(row, row + width), sum = 0, mean = 0, var = 0;
                float sum32 = 0, mean32 = 0, var32 = 0;
                for (std::int64_t k = 0; k < width; ++k) {
                    sum += std::exp(row[k] - most);
                    sum32 += std::exp(static_cast<float>(row[k] - most));
                    mean += row[k] / static_cast<double>(width);
                    mean32 += static_cast<float>(row[k]);
                }
                mean32 /= static_cast<float>(width);
                for (std::int64_t k = 0; k < width; ++k) {
                    var += (row[k] - mean) * (row[k] - mean) / static_cast<double>(width);
                    var32 += (static_cast<float>(row[k]) - mean32) * (static_cast<float>(row[k]) - mean32);
                }
                var32 /= static_cast<float>(width);
                for (std::int64_t k = 0; k < width; ++k) {
                    softmax.push_back(std::exp(row[k] - most) / sum);
                    softmax32.push_back(std::exp(static_cast<float>(row[k] - most)) / sum32);
                    norm.push_back((row[k] - mean) / std::sqrt(var + 1e-5));
                    norm32.push_back((static_cast<float>(row[k]) - mean32) / std::sqrt(var32 + 1e-5f));
                }
            }
            for (const auto& [r, c] : {std::pair{softmax, softmax32}, std::pair{norm, norm32}}) {
                const auto j = judged(as(r, DType::f32, {rows, width}), as(c, DType::f32, {rows, width}));
                EXPECT_LE(j.verdict, PairClass::drift) << seed << ' ' << scale << '\n' << j.alarms();
            }
        }
}
