#include "block/ops/layout.h"

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
    return Layout{{heads, input[0], size}, {size, input[1], 1}};
}

Result<Layout> mergeHeadsLayout(const Shape& input) {
    if (input.size() != 3)
        return shapeError("merge_heads needs heads, tokens and their size", std::span(&input, 1));
    return Layout{{input[1], input[0], input[2]}, {input[2], input[1] * input[2], 1}};
}

Shape mergedShape(const Layout& merge) {
    return {merge.shape[0], merge.shape[1] * merge.shape[2]};
}

} // namespace divdet::block::ops
