#pragma once
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

#include "tensor/tensor.h"

namespace divdet::test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// f64 tensor of the given values, one-dimensional unless a shape is named.
inline Tensor f64(std::vector<double> values, Shape shape = {}) {
    if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
    return tensorOf<double>(DType::f64, shape, values);
}

inline Tensor f32(std::vector<float> values, Shape shape = {}) {
    if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
    return tensorOf<float>(DType::f32, shape, values);
}

/// n values from a seeded normal distribution.
inline std::vector<double> normals(std::size_t n, std::uint32_t seed, double sigma = 1) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> d(0, sigma);
    std::vector<double> out(n);
    for (double& x : out) x = d(engine);
    return out;
}

} // namespace divdet::test
