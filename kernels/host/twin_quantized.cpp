#include "host/twin_quantized.h"

#include "host/parallel.h"
#include "host/rows.h"
#include "numerics/portable.h"

namespace divdet::host::twin {
namespace {

struct Quantized {
    std::vector<std::int8_t> codes;
    std::vector<float> scales;
};

Quantized activations(GemmShape s, const float* a, lower::Granularity granularity) {
    Quantized q{std::vector<std::int8_t>(s.m * s.k), std::vector<float>(s.m)};
    if (granularity == lower::Granularity::perTensor)
        q.scales.assign(s.m, quantizeTensor(a, s.m * s.k, q.codes.data()));
    else
        quantizeRows(a, s.m, s.k, q.codes.data(), q.scales.data());
    return q;
}

Quantized weights(GemmShape s, const float* b) {
    Quantized q{std::vector<std::int8_t>(s.k * s.n), std::vector<float>(s.n)};
    quantizeColumns(b, s.k, s.n, q.codes.data(), q.scales.data());
    return q;
}

float widened(std::int32_t x) {
    return numerics::toFloatRn(x);
}
float widened(float x) {
    return x;
}

template <class Acc>
void scaleBack(GemmShape s, const Acc* acc, const Quantized& a, const Quantized& b, Start start, float* c) {
    forEachTask(s.m, [&](std::size_t i) {
        for (std::size_t j = 0; j < s.n; ++j) {
            const std::size_t at = i * s.n + j;
            const float scale = numerics::mulRn(a.scales[i], b.scales[j]);
            c[at] = start.values
                        ? numerics::fmaRn(widened(acc[at]), scale, start.values[start.perColumn ? j : at])
                        : numerics::mulRn(widened(acc[at]), scale);
        }
    });
}

} // namespace

void quantizedProduct(GemmShape s, const float* a, const float* b, Start start, float* c,
                      lower::Granularity granularity, lower::Accumulator accumulator) {
    const Quantized qa = activations(s, a, granularity), qb = weights(s, b);
    if (accumulator == lower::Accumulator::native) {
        std::vector<std::int32_t> acc(s.m * s.n);
        gemmInt8(s, qa.codes.data(), qb.codes.data(), acc.data());
        return scaleBack(s, acc.data(), qa, qb, start, c);
    }
    std::vector<float> acc(s.m * s.n);
    gemmInt8RoundedAccumulator(s, qa.codes.data(), qb.codes.data(), acc.data(),
                               accumulator == lower::Accumulator::bf16 ? AccFormat::bf16 : AccFormat::f16);
    scaleBack(s, acc.data(), qa, qb, start, c);
}

} // namespace divdet::host::twin
