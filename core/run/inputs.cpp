#include "run/inputs.h"

#include <cmath>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "numerics/philox.h"

namespace divdet::run {
namespace {

using block::FillKind;

/// One filling with its numbers: element i of a tensor whose last extent is `columns`.
class Source {
public:
    Source(const block::Filling& filling, double sigma, std::int64_t columns, std::uint64_t seed)
        : m_kind(filling.kind)
        , m_sigma(static_cast<float>(sigma))
        , m_columns(static_cast<std::size_t>(columns))
        , m_seed(seed)
        , m_stream(static_cast<std::uint32_t>(filling.stream)) {}

    float at(std::size_t i) const {
        switch (m_kind) {
        case FillKind::normal:
            return normal(i);
        case FillKind::positive:
            return std::fabs(normal(i));
        case FillKind::outlierChannel:
            return i % m_columns == m_columns / 2 ? normal(i) * static_cast<float>(block::kOutlierFactor)
                                                  : normal(i);
        case FillKind::largeMean:
            return (z(i) + static_cast<float>(block::kLargeMean)) * m_sigma;
        case FillKind::nearCancel:
            if (i % m_columns % 2 == 0) return normal(i);
            return normal(i) * static_cast<float>(block::kCancelResidue) - normal(i - 1);
        case FillKind::ones:
            return 1.0f;
        }
        return 0.0f;
    }

private:
    float z(std::size_t i) const { return numerics::normalAt(m_seed, m_stream, i); }
    float normal(std::size_t i) const { return z(i) * m_sigma; }

    FillKind m_kind;
    float m_sigma;
    std::size_t m_columns;
    std::uint64_t m_seed;
    std::uint32_t m_stream;
};

Key keyOfFilling(const block::Filling& f, double sigma, const Shape& shape, std::uint64_t seed) {
    return keyOf(fmt::format("fill {} sigma={} stream={} shape={} seed={}", block::name(f.kind), sigma,
                             f.stream, divdet::toString(shape), seed));
}

Tensor fill(const Source& source, const Shape& shape) {
    TensorBuilder builder(DType::f32, shape);
    const auto out = builder.as<float>();
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, out.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) out[i] = source.at(i);
    });
    return std::move(builder).finish();
}

} // namespace

Result<Inputs> makeInputs(const block::BoundGraph& block, std::uint64_t seed, OpCache* cache,
                          const Progress& progress) {
    const std::size_t count = block.graph.values.size();
    Inputs inputs{std::vector<Tensor>(count), std::vector<Key>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const block::Value& v = block.graph.values[i];
        if (v.role == block::Role::intermediate) continue;
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        const Shape& shape = block.shapes[i];
        inputs.keys[i] = keyOfFilling(v.filling, block.sigma[i], shape, seed);
        if (cache)
            if (auto known = cache->find(inputs.keys[i])) {
                inputs.tensors[i] = std::move(*known);
                continue;
            }
        const Source source(v.filling, block.sigma[i], shape.empty() ? 1 : shape.back(), seed);
        inputs.tensors[i] = fill(source, shape);
        if (cache) cache->store(inputs.keys[i], inputs.tensors[i]);
    }
    return inputs;
}

} // namespace divdet::run
