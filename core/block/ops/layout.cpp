#include "block/ops/layout.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

std::vector<std::int64_t> elementStrides(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
    return strides;
}

/// "0,2,1" as dimensions; empty when the text is no permutation of `rank` dimensions.
std::vector<std::size_t> parsePerm(std::string_view text, std::size_t rank) {
    std::vector<std::size_t> perm;
    std::vector<bool> seen(rank);
    const char *at = text.data(), *const end = text.data() + text.size();
    while (true) {
        std::size_t d = 0;
        const auto [next, error] = std::from_chars(at, end, d);
        if (error != std::errc() || d >= rank || seen[d]) return {};
        seen[d] = true;
        perm.push_back(d);
        if (next == end) break;
        if (*next != ',') return {};
        at = next + 1;
    }
    return perm.size() == rank ? perm : std::vector<std::size_t>{};
}

} // namespace

Result<Layout> transposeLayout(const Shape& input, const Attributes& attributes) {
    const std::span<const Shape> in(&input, 1);
    std::vector<std::size_t> perm(input.size());
    const auto given = attributes.find("perm");
    if (given != attributes.end()) {
        const auto* text = std::get_if<std::string>(&given->second);
        perm = text ? parsePerm(*text, input.size()) : std::vector<std::size_t>{};
        if (perm.empty()) return shapeError("perm of transpose does not name each dimension once", in);
    } else {
        if (input.size() < 2) return shapeError("transpose needs two dimensions", in);
        std::iota(perm.begin(), perm.end(), 0);
        std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    }
    const auto strides = elementStrides(input);
    Layout layout;
    for (std::size_t d : perm) {
        layout.shape.push_back(input[d]);
        layout.strides.push_back(strides[d]);
    }
    return layout;
}

Result<Layout> splitHeadsLayout(const Shape& input, const Attributes& attributes) {
    if (input.size() != 2) return shapeError("split_heads needs a matrix", std::span(&input, 1));
    const std::int64_t heads = integerOr(attributes, "heads", 0);
    if (heads < 1 || input[1] % heads != 0)
        return Error{ErrorCode::mismatch,
                     fmt::format("a width of {} cannot be cut into {} heads", input[1], heads), "",
                     "choose a width that is a multiple of heads"};
    const std::int64_t size = input[1] / heads;
    if (!attributes.count("window")) return Layout{{heads, input[0], size}, {size, input[1], 1}};
    const std::int64_t window = std::min(integerOr(attributes, "window", 0), input[0]);
    if (window < 1 || input[0] % window != 0)
        return Error{ErrorCode::mismatch,
                     fmt::format("{} tokens cannot be cut into windows of {}", input[0], window), "",
                     "choose a multiple, or no more than one window"};
    return Layout{{input[0] / window, heads, window, size}, {window * input[1], size, input[1], 1}};
}

Result<Layout> mergeHeadsLayout(const Shape& input) {
    if (input.size() != 3 && input.size() != 4)
        return shapeError("merge_heads needs (windows,) heads, tokens and their size", std::span(&input, 1));
    const std::size_t first = input.size() - 3;
    const std::int64_t heads = input[first], tokens = input[first + 1], size = input[first + 2];
    Layout layout{{tokens, heads, size}, {size, tokens * size, 1}};
    if (first == 0) return layout;
    layout.shape.insert(layout.shape.begin(), input[0]);
    layout.strides.insert(layout.strides.begin(), heads * tokens * size);
    return layout;
}

Shape mergedShape(const Layout& merge) {
    const std::size_t rank = merge.shape.size();
    const std::int64_t windows = rank == 4 ? merge.shape[0] : 1;
    return {windows * merge.shape[rank - 3], merge.shape[rank - 2] * merge.shape[rank - 1]};
}

Tensor moved64(const Tensor& from, const Layout& layout, Shape shape) {
    const auto x = doubles(from);
    TensorBuilder out(DType::f64, std::move(shape));
    const auto y = out.as<double>();
    forEachRun(layout,
               [&](std::size_t to, std::size_t at, std::size_t n) { std::copy_n(&x[at], n, &y[to]); });
    return std::move(out).finish();
}

} // namespace divdet::block::ops
