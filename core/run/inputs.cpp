#include "run/inputs.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "numerics/philox.h"
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
        case FillKind::zeros:
        case FillKind::indices:
            break;
        }
    }
}

Key keyOfFilling(const block::BoundGraph& b, std::size_t i, std::uint64_t seed) {
    const block::Filling& f = b.graph.values[i].filling;
    return keyOf(fmt::format("fill {} sigma={} stream={} shape={} seed={} limit={}", block::name(f.kind),
                             b.sigma[i], f.stream, divdet::toString(b.shapes[i]), seed, b.limits[i]));
}

Key keyOfData(const Tensor& data) {
    const auto bytes = static_cast<std::size_t>(data.elements()) * itemSize(data.dtype());
    return keyOf(fmt::format("data {} {}", divdet::toString(data.shape()),
                             std::string_view(reinterpret_cast<const char*>(data.view().data), bytes)));
}

/// floor(u·limit) for 53 random bits u; below 2^24, so exact in fp32.
void drawIndices(std::uint64_t seed, std::uint32_t stream, std::int64_t limit, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double u = numerics::uniformDouble(numerics::randomBitsAt(seed, stream, i));
        const double index = std::floor(u * static_cast<double>(limit));
        out[i] = static_cast<float>(std::min(index, static_cast<double>(limit - 1)));
    }
}

} // namespace

Tensor drawn(const block::BoundGraph& b, block::ValueIndex i, std::uint64_t seed, Backend* backend) {
    const block::Filling& f = b.graph.values[i].filling;
    const Shape& extents = b.shapes[i];
    TensorBuilder builder(DType::f32, extents);
    const auto out = builder.as<float>();
    const auto stream = static_cast<std::uint32_t>(f.stream);
    if (f.kind == FillKind::indices) drawIndices(seed, stream, b.limits[i], out);
    if (block::isInputKind(f.kind)) {
        if (backend)
            backend->fillNormal(seed, stream, out);
        else
            Backend::fillNormalPlain(seed, stream, out);
    }
    const auto columns = static_cast<std::size_t>(extents.empty() ? 1 : extents.back());
    shape(f.kind, static_cast<float>(b.sigma[i]), columns, out);
    return std::move(builder).finish();
}

Result<Inputs> makeInputs(const block::BoundGraph& block, std::uint64_t seed, OpCache* cache,
                          const Progress& progress, Backend* backend) {
    const std::size_t count = block.graph.values.size();
    Inputs inputs{std::vector<Tensor>(count), std::vector<Key>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const block::Value& v = block.graph.values[i];
        if (v.role == block::Role::intermediate) continue;
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        inputs.keys[i] = v.data ? keyOfData(*v.data) : keyOfFilling(block, i, seed);
        if (v.data) {
            inputs.tensors[i] = *v.data;
            continue;
        }
        if (cache)
            if (auto known = cache->find(inputs.keys[i])) {
                inputs.tensors[i] = std::move(*known);
                continue;
            }
        inputs.tensors[i] = drawn(block, i, seed, backend);
        if (cache) cache->store(inputs.keys[i], inputs.tensors[i]);
    }
    return inputs;
}

} // namespace divdet::run
