#include "run/inputs.h"

#include <cmath>

#include <fmt/format.h>

#include "run/backend.h"

namespace divdet::run {
namespace {

using block::FillKind;

/// Turns standard normal numbers into a kind of filling, in place, from the last element to the first: an
/// element of nearCancel reads its left neighbour's number.
void shape(FillKind kind, float sigma, std::size_t columns, std::span<float> z) {
    for (std::size_t i = z.size(); i-- > 0;) {
        const float normal = z[i] * sigma;
        switch (kind) {
        case FillKind::normal:
            z[i] = normal;
            break;
        case FillKind::positive:
            z[i] = std::fabs(normal);
            break;
        case FillKind::outlierChannel:
            z[i] = i % columns == columns / 2 ? normal * static_cast<float>(block::kOutlierFactor) : normal;
            break;
        case FillKind::largeMean:
            z[i] = (z[i] + static_cast<float>(block::kLargeMean)) * sigma;
            break;
        case FillKind::nearCancel:
            z[i] = i % columns % 2 == 0
                       ? normal
                       : normal * static_cast<float>(block::kCancelResidue) - z[i - 1] * sigma;
            break;
        case FillKind::ones:
            z[i] = 1.0f;
            break;
        }
    }
}

Key keyOfFilling(const block::Filling& f, double sigma, const Shape& shape, std::uint64_t seed) {
    return keyOf(fmt::format("fill {} sigma={} stream={} shape={} seed={}", block::name(f.kind), sigma,
                             f.stream, divdet::toString(shape), seed));
}

Tensor fill(const block::Filling& f, double sigma, const Shape& extents, std::uint64_t seed,
            Backend* backend) {
    TensorBuilder builder(DType::f32, extents);
    const auto out = builder.as<float>();
    const auto stream = static_cast<std::uint32_t>(f.stream);
    if (f.kind != FillKind::ones) {
        if (backend)
            backend->fillNormal(seed, stream, out);
        else
            Backend::fillNormalPlain(seed, stream, out);
    }
    const auto columns = static_cast<std::size_t>(extents.empty() ? 1 : extents.back());
    shape(f.kind, static_cast<float>(sigma), columns, out);
    return std::move(builder).finish();
}

} // namespace

Result<Inputs> makeInputs(const block::BoundGraph& block, std::uint64_t seed, OpCache* cache,
                          const Progress& progress, Backend* backend) {
    const std::size_t count = block.graph.values.size();
    Inputs inputs{std::vector<Tensor>(count), std::vector<Key>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const block::Value& v = block.graph.values[i];
        if (v.role == block::Role::intermediate) continue;
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        const Shape& extents = block.shapes[i];
        inputs.keys[i] = keyOfFilling(v.filling, block.sigma[i], extents, seed);
        if (cache)
            if (auto known = cache->find(inputs.keys[i])) {
                inputs.tensors[i] = std::move(*known);
                continue;
            }
        inputs.tensors[i] = fill(v.filling, block.sigma[i], extents, seed, backend);
        if (cache) cache->store(inputs.keys[i], inputs.tensors[i]);
    }
    return inputs;
}

} // namespace divdet::run
