#include "host/twin_operands.h"

#include "block/ops/matmul/product_shape.h"
#include "host/parallel.h"

namespace divdet::host::twin {
namespace {

std::size_t size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// f(position in the op's output [n, o, places], position in the products [group][n · places][o / groups]).
template <class F>
void forEachOutput(const block::ops::ConvGeometry& g, const F& f) {
    const std::size_t places = size(g.places()), channels = size(g.o / g.groups);
    forEachTask(size(g.n * g.o), [&](std::size_t i) {
        const std::size_t image = i / size(g.o), o = i % size(g.o);
        const std::size_t rows = (o / channels * size(g.n) + image) * places;
        for (std::size_t p = 0; p < places; ++p) f(i * places + p, (rows + p) * channels + o % channels);
    });
}

} // namespace

Result<ProductOperands> ProductOperands::of(const Call& call) {
    const Shape shapes[] = {call.inputs[0].shape(), call.inputs[1].shape()};
    ProductOperands p;
    p.m_a.emplace(call.inputs[0]);
    p.m_b.emplace(call.inputs[1]);
    if (call.op.kind == block::OpKind::conv2d) {
        auto g = block::ops::convGeometry(shapes, call.op.attributes);
        if (!g) return g.error();
        p.m_conv = *g;
        if (auto s = p.unfold(call); !s) return s.error();
        return p;
    }
    const auto s = block::ops::productShape(shapes);
    if (!s) return s.error();
    p.m_shape = {size(s->m), size(s->n), size(s->k)};
    p.m_batch = size(s->batch);
    return p;
}

Status ProductOperands::unfold(const Call& call) {
    const block::ops::ConvGeometry& g = *m_conv;
    const std::size_t places = size(g.places()), channels = size(g.o / g.groups);
    m_batch = size(g.groups);
    m_shape = {size(g.n) * places, channels, size(g.terms())};
    const auto elements = elementCount(Shape{g.n, g.places(), g.groups, g.terms()});
    if (!elements || *elements > block::kMaxBlockElements)
        return Error{ErrorCode::refused, "the windows of the convolution need too much memory", call.op.name,
                     "make the image or the batch smaller"};
    m_windows.resize(m_batch * aSize());
    m_columns.resize(m_batch * bSize());
    const std::size_t image = size(g.c * g.h * g.w), group = image / m_batch;
    forEachTask(m_batch * m_shape.m, [&](std::size_t r) {
        const std::size_t row = r % m_shape.m;
        const float* x = m_a->data() + row / places * image + r / m_shape.m * group;
        for (std::size_t t = 0; t < m_shape.k; ++t) {
            const auto at = g.source(static_cast<std::int64_t>(row % places), static_cast<std::int64_t>(t));
            m_windows[r * m_shape.k + t] = at < 0 ? 0.0f : x[at];
        }
    });
    for (std::size_t o = 0; o < size(g.o); ++o)
        for (std::size_t t = 0; t < m_shape.k; ++t)
            m_columns[o / channels * bSize() + t * channels + o % channels] = m_b->data()[o * m_shape.k + t];
    return Done{};
}

void ProductOperands::toProducts(const float* output, float* products) const {
    forEachOutput(*m_conv, [&](std::size_t at, std::size_t in) { products[in] = output[at]; });
}

void ProductOperands::toOutput(const float* products, float* output) const {
    forEachOutput(*m_conv, [&](std::size_t at, std::size_t in) { output[at] = products[in]; });
}

} // namespace divdet::host::twin
