#include "session/shape_options.h"

#include <algorithm>

#include "tensor/convert.h"

namespace divdet {

Shape withoutOnes(const Shape& shape) {
    Shape out;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(out), [](auto d) { return d != 1; });
    return out;
}

namespace {

Tensor squeezed(const Tensor& t) {
    TensorView v = t.view();
    Shape shape;
    std::vector<std::int64_t> strides;
    for (std::size_t d = 0; d < v.shape.size(); ++d) {
        if (v.shape[d] == 1) continue;
        shape.push_back(v.shape[d]);
        strides.push_back(v.strides[d]);
    }
    v.shape = std::move(shape);
    v.strides = std::move(strides);
    auto owner = std::make_shared<const Tensor>(t);
    return Tensor(std::move(v), std::move(owner));
}

Tensor reshaped(const Tensor& t, const Shape& shape) {
    const Tensor plain = t.view().packed() ? t : compacted(t);
    TensorView v = plain.view();
    v.shape = shape;
    v.strides = rowMajorStrides(shape, itemSize(v.dtype));
    auto owner = std::make_shared<const Tensor>(plain);
    return Tensor(std::move(v), std::move(owner));
}

bool reshapes(const Shape& reference, const Shape& candidate, const ShapeOptions& options) {
    return options.reshape && reference != candidate && elementCount(reference) == elementCount(candidate);
}

} // namespace

std::string transformOf(const TapEntry& reference, const TapEntry& candidate, const ShapeOptions& options) {
    std::string out;
    const auto add = [&out](const std::string& what) {
        if (!what.empty() && out.find(what) == std::string::npos) out += (out.empty() ? "" : ", ") + what;
    };
    add(reference.transform);
    add(candidate.transform);
    Shape r = reference.shape, c = candidate.shape;
    if (options.squeeze && r != c) {
        add("squeeze");
        r = withoutOnes(r);
        c = withoutOnes(c);
    }
    if (reshapes(r, c, options)) add("reshape");
    return out;
}

void fit(PairData& pair, const ShapeOptions& options) {
    if (options.squeeze) {
        pair.reference = squeezed(pair.reference);
        pair.candidate = squeezed(pair.candidate);
        if (pair.mask) pair.mask = squeezed(*pair.mask);
        if (pair.fp64) pair.fp64 = squeezed(*pair.fp64);
    }
    if (reshapes(pair.reference.shape(), pair.candidate.shape(), options))
        pair.candidate = reshaped(pair.candidate, pair.reference.shape());
}

} // namespace divdet
