#include "compare/rules/tensor_sums.h"

#include <array>
#include <cmath>

#include "compare/rules/stream_blocks.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

struct Scratch {
    std::array<double, kStreamBlock> a, b;
};

/// add(a, b, part) for every element of a pair.
template <class Part, class Add, class Merge>
Result<Part> overPairs(const TensorView& a, const TensorView& b, const Progress& progress, Add&& add,
                       Merge&& merge) {
    Part whole{};
    auto status = streamBlocks<Part, Scratch>(
        a.elements(), progress, whole,
        [&](std::int64_t first, int count, Part& part, Scratch& s) {
            const auto n = static_cast<std::size_t>(count);
            loadAsDouble(a, first, {s.a.data(), n});
            loadAsDouble(b, first, {s.b.data(), n});
            Part block{};
            for (std::size_t i = 0; i < n; ++i) add(s.a[i], s.b[i], block);
            merge(block, part);
        },
        merge);
    if (!status) return status.error();
    return whole;
}

} // namespace

Result<bool> anyNan(const TensorView& v, const Progress& progress) {
    return overPairs<bool>(
        v, v, progress, [](double a, double, bool& any) { any = any || std::isnan(a); },
        [](bool part, bool& into) { into = into || part; });
}

Result<double> rootMeanSquare(const TensorView& a, const TensorView& b, const Progress& progress) {
    auto sum = overPairs<double>(
        a, b, progress, [](double x, double y, double& s) { s += (x - y) * (x - y); },
        [](double part, double& into) { into += part; });
    if (!sum) return sum.error();
    return std::sqrt(*sum / static_cast<double>(a.elements()));
}

Result<Products> products(const TensorView& a, const TensorView& b, const Progress& progress) {
    return overPairs<Products>(
        a, b, progress,
        [](double x, double y, Products& p) {
            p.ab += x * y;
            p.aa += x * x;
            p.bb += y * y;
        },
        [](const Products& part, Products& into) {
            into.ab += part.ab;
            into.aa += part.aa;
            into.bb += part.bb;
        });
}

} // namespace divdet::rules
