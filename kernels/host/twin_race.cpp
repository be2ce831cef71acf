#include "host/twin_race.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/multiplier.h"
#include "host/racing.h"
#include "numerics/partials.h"

namespace divdet::host::twin {
namespace {

struct Chunks {
    const Multiplier& operands;
    std::size_t length;

    static void one(const void* context, std::size_t i, float* partial) {
        const auto& self = *static_cast<const Chunks*>(context);
        const GemmShape s = self.operands.shape();
        const Multiplier m =
            self.operands.part({0, s.m}, {0, s.n}, {i * self.length, std::min(s.k, (i + 1) * self.length)});
        if (m.spec().exists())
            gemmTensorCore(m.shape(), m.a(), m.b(), nullptr, partial, m.spec());
        else
            gemmF32(m.shape(), m.a(), m.b(), nullptr, partial, {});
    }
};

void fillStart(Start start, GemmShape s, float* c) {
    for (std::size_t i = 0; i < s.m * s.n; ++i)
        c[i] = start.values ? start.values[start.perColumn ? i % s.n : i] : 0.0f;
}

Error noAtomicAddition(const lower::Slots& slots) {
    return {ErrorCode::unsupported,
            fmt::format("the CPU twin has no atomic additions for {}", lower::toString(slots)), "",
            "leave atomics or the other passes off for this op"};
}

} // namespace

Status raceProduct(const lower::Slots& slots, numerics::Arch arch, GemmShape shape, const float* a,
                   const float* b, Start start, float* c, const Race& race) {
    if (slots.accumulator != lower::Accumulator::native || slots.partials != DType::f32 ||
        slots.missingBarrier || slots.splits < 1)
        return noAtomicAddition(slots);
    const auto m = Multiplier::prepare(slots, arch, shape, a, b);
    if (!m) return m.error();
    if (m->integers() || m->scaled()) return noAtomicAddition(slots);
    const GemmShape s = m->shape();
    fillStart(start, s, c);
    const Chunks chunks{*m,
                        numerics::chunkLength(s.k, static_cast<std::size_t>(slots.splits), m->chunkUnit())};
    return raceChunks(numerics::chunkCount(s.k, chunks.length), s.m * s.n, &chunks, &Chunks::one, c,
                      race.threads, race.seen);
}

} // namespace divdet::host::twin
