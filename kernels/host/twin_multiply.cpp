#include "host/twin_multiply.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/multiplier.h"
#include "host/parallel.h"
#include "host/twin_values.h"
#include "numerics/half_written.h"

namespace divdet::host::twin {
namespace {

using lower::Accumulator;
using numerics::PartialFormat;

constexpr std::size_t kTile = numerics::kArrivalTile;
static_assert(kTile == numerics::kRaceTile);
constexpr std::size_t kArrivalColumns = 4096; ///< of C at a time
static_assert(kArrivalColumns % kTile == 0);

Error unsupportedSlots(const lower::Slots& slots) {
    return {ErrorCode::unsupported,
            fmt::format("the CPU twin has no arithmetic for {}", lower::toString(slots)), "",
            "switch that pass off for this op"};
}

PartialFormat partialFormat(const lower::Slots& slots) {
    if (slots.partials == DType::bf16) return PartialFormat::bf16;
    return slots.partials == DType::f16 ? PartialFormat::f16 : PartialFormat::f32;
}

bool inChunks(const lower::Slots& slots) {
    return slots.order == lower::SumOrder::splitK || slots.order == lower::SumOrder::atomics;
}

/// Slots that contradict each other; lowering leaves none of them.
bool contradicts(const lower::Slots& s) {
    const bool partials = s.partials == DType::f32 || s.partials == DType::bf16 || s.partials == DType::f16;
    return !partials || (s.partials != DType::f32 && !inChunks(s)) || s.splits < 1;
}

/// The part of C that one call fills, and where its first tile lies in the whole product.
struct Output {
    Start start;
    float* c;
    std::uint32_t tileRow = 0, tileColumn = 0;
};

class Product {
public:
    explicit Product(const lower::Slots& slots)
        : m_slots(slots)
        , m_format(partialFormat(slots)) {}

    bool possible(const Multiplier& m) const {
        const bool tree =
            m_slots.order == lower::SumOrder::pairwise || m_slots.order == lower::SumOrder::strided;
        return !(tree && m.spec().exists() && !ownAccumulator());
    }

    void run(const Multiplier& m, Start start, float* c) const {
        sum(m, {start, c});
        if (m_slots.missingBarrier && m.shape().k > 0) repeatHitTiles(m, start, c);
    }

private:
    bool ownAccumulator() const {
        return m_slots.accumulator == Accumulator::bf16 || m_slots.accumulator == Accumulator::fp16;
    }

    void sum(const Multiplier& m, const Output& out) const {
        const bool plain = m.integers() || ownAccumulator() || !inChunks(m_slots);
        if (plain)
            kernel(m, out.start, out.c, sumOrder(m_slots, Order::sequential));
        else if (m_slots.order == lower::SumOrder::atomics)
            sumAsTheyArrive(m, out);
        else if (m_format == PartialFormat::f32)
            kernel(m, out.start, out.c, sumOrder(m_slots, Order::sequential));
        else
            sumInOrder(m, out);
    }

    void kernel(const Multiplier& m, Start start, float* c, SumOrder order) const {
        const GemmShape s = m.shape();
        const AccFormat format = m_slots.accumulator == Accumulator::bf16 ? AccFormat::bf16 : AccFormat::f16;
        if (m.integers() && ownAccumulator())
            return gemmInt8RoundedAccumulator(s, m.aCodes(), m.bCodes(), c, format);
        if (m.integers()) return integerSums(m, c);
        if (ownAccumulator()) return gemmRoundedAccumulator(s, m.a(), m.b(), start, c, format);
        if (!m.spec().exists()) return gemmF32(s, m.a(), m.b(), start, c, order);
        if (!start.values || m.spec().output != numerics::TcOutput::f16)
            return gemmTensorCore(s, m.a(), m.b(), start, c, m.spec(), order.splits);
        std::vector<float> rounded(start.values, start.values + (start.perColumn ? s.n : s.m * s.n));
        for (float& x : rounded) x = numerics::roundToF16(x); // the register that the instruction reads
        Start narrow(rounded.data());
        narrow.perColumn = start.perColumn;
        gemmTensorCore(s, m.a(), m.b(), narrow, c, m.spec(), order.splits);
    }

    static void integerSums(const Multiplier& m, float* c) {
        const GemmShape s = m.shape();
        std::vector<std::int32_t> exact(s.m * s.n);
        gemmInt8(s, m.aCodes(), m.bCodes(), exact.data());
        for (std::size_t i = 0; i < exact.size(); ++i) c[i] = numerics::toFloatRn(exact[i]);
    }

    std::size_t chunk(const Multiplier& m) const {
        return numerics::chunkLength(m.shape().k, static_cast<std::size_t>(m_slots.splits), m.chunkUnit());
    }

    static Multiplier chunkOf(const Multiplier& m, std::size_t i, std::size_t length) {
        const GemmShape s = m.shape();
        return m.part({0, s.m}, {0, s.n}, {i * length, std::min(s.k, (i + 1) * length)});
    }

    /// numerics::combinedChunks without `arrival`.
    void sumInOrder(const Multiplier& m, const Output& out) const {
        const GemmShape s = m.shape();
        const std::size_t length = chunk(m);
        const std::size_t count = numerics::chunkCount(s.k, length);
        kernel(count ? chunkOf(m, 0, length) : chunkOf(m, 0, 0), out.start, out.c, {});
        for (std::size_t i = 0; i < s.m * s.n; ++i) out.c[i] = numerics::roundPartial(out.c[i], m_format);
        std::vector<float> partial(s.m * s.n);
        for (std::size_t at = 1; at < count; ++at) {
            kernel(chunkOf(m, at, length), nullptr, partial.data(), {});
            forEachTask(s.m, [&](std::size_t row) {
                for (std::size_t i = row * s.n; i < (row + 1) * s.n; ++i)
                    out.c[i] = numerics::addPartial(out.c[i], partial[i], m_format);
            });
        }
    }

    /// numerics::combinedChunks with the arrival order of each tile; a piece of C at a time, because every
    /// element of it is held once for each chunk.
    void sumAsTheyArrive(const Multiplier& m, const Output& out) const {
        const GemmShape s = m.shape();
        for (std::size_t row = 0; row < s.m; row += kTile)
            for (std::size_t column = 0; column < s.n; column += kArrivalColumns) {
                const Span rows{row, std::min(s.m, row + kTile)},
                    columns{column, std::min(s.n, column + kArrivalColumns)};
                Output some{out.start, out.c + row * s.n + column,
                            out.tileRow + static_cast<std::uint32_t>(row / kTile),
                            out.tileColumn + static_cast<std::uint32_t>(column / kTile)};
                if (some.start.values) some.start.values += (some.start.perColumn ? 0 : row * s.n) + column;
                arrive(m.part(rows, columns, {0, s.k}), s.n, chunk(m), some);
            }
    }

    /// `stride`: from row to row of C, and of the start where that has rows.
    void arrive(const Multiplier& piece, std::size_t stride, std::size_t length, const Output& out) const {
        const GemmShape s = piece.shape();
        const std::size_t count = numerics::chunkCount(s.k, length), size = s.m * s.n;
        std::vector<float> partials(count * size);
        for (std::size_t i = 0; i < count; ++i)
            kernel(chunkOf(piece, i, length), nullptr, partials.data() + i * size, {});
        forEachTask((s.n + kTile - 1) / kTile, [&](std::size_t tile) {
            std::vector<std::uint32_t> order(count);
            numerics::arrivalOrder(m_slots.orderSeed, out.tileRow,
                                   out.tileColumn + static_cast<std::uint32_t>(tile), order.data(), count);
            for (std::size_t i = 0; i < s.m; ++i)
                for (std::size_t j = tile * kTile; j < std::min(s.n, (tile + 1) * kTile); ++j) {
                    const std::size_t at = i * stride + j;
                    float sum = out.start.values ? out.start.values[out.start.perColumn ? j : at] : 0.0f;
                    sum = numerics::roundPartial(sum, m_format);
                    for (const std::uint32_t p : order)
                        sum = numerics::addPartial(sum, partials[p * size + i * s.n + j], m_format);
                    out.c[at] = sum;
                }
        });
    }

    void repeatHitTiles(const Multiplier& m, Start start, float* c) const {
        const GemmShape s = m.shape();
        for (std::size_t row = 0; row < s.m; row += kTile)
            for (std::size_t column = 0; column < s.n; column += kTile) {
                const auto tileRow = static_cast<std::uint32_t>(row / kTile),
                           tileColumn = static_cast<std::uint32_t>(column / kTile);
                const auto what = numerics::halfWritten(m_slots.barrierSeed, tileRow, tileColumn, s.k);
                if (!what.hit) continue;
                const Span rows{row, std::min(s.m, row + kTile)},
                    columns{column, std::min(s.n, column + kTile)};
                float starts[kTile * kTile], tile[kTile * kTile];
                for (std::size_t i = 0; i < rows.size() * columns.size() && start.values; ++i) {
                    const std::size_t r = row + i / columns.size(), j = column + i % columns.size();
                    starts[i] = start.values[start.perColumn ? j : r * s.n + j];
                }
                const Start first = start.values ? Start(starts) : Start();
                sum(m.part(rows, columns, {0, s.k}, what), {first, tile, tileRow, tileColumn});
                for (std::size_t r = 0; r < rows.size(); ++r)
                    std::copy_n(tile + r * columns.size(), columns.size(), c + (row + r) * s.n + column);
            }
    }

    const lower::Slots& m_slots;
    PartialFormat m_format;
};

} // namespace

Status multiply(const lower::Slots& slots, numerics::Arch arch, GemmShape shape, const float* a,
                const float* b, Start start, float* c) {
    const bool stray =
        slots.accumulator == Accumulator::instructionFp16 && slots.operand != lower::Operand::fp16;
    if (contradicts(slots) || stray) return unsupportedSlots(slots);
    const auto m = Multiplier::prepare(slots, arch, shape, a, b);
    if (!m) return m.error();
    const Product product(slots);
    if (!product.possible(*m)) return unsupportedSlots(slots);
    product.run(*m, m->scaled() ? Start() : start, c);
    if (m->scaled()) m->scaleBack(start, c);
    return Done{};
}

Status sumBySlots(const lower::Slots& slots, const float* x, std::size_t rows, std::size_t k,
                  numerics::Order published, float* sums) {
    if (contradicts(slots) || slots.accumulator == Accumulator::instructionFp16)
        return unsupportedSlots(slots);
    const std::size_t kept = slots.tailTile > 0 ? k - k % static_cast<std::size_t>(slots.tailTile) : k;
    const PartialFormat format = partialFormat(slots);
    const auto splits = static_cast<std::size_t>(slots.splits);
    const bool atomics = slots.order == lower::SumOrder::atomics;
    const std::size_t count = numerics::chunkCount(kept, numerics::chunkLength(kept, splits));
    forEachTask(rows, [&](std::size_t r) {
        const numerics::SumTerms terms{x + r * k};
        if (slots.accumulator != Accumulator::native) {
            float sum = 0;
            for (std::size_t i = 0; i < kept; ++i)
                sum = roundToAccumulator(terms.add(i, sum), slots.accumulator);
            sums[r] = sum;
        } else if (inChunks(slots)) {
            std::vector<std::uint32_t> arrival(count);
            if (atomics)
                numerics::arrivalOrder(slots.orderSeed, static_cast<std::uint32_t>(r / kTile), 0,
                                       arrival.data(), count);
            sums[r] = numerics::combinedChunks(terms, kept, splits, 0.0f, format,
                                               atomics ? arrival.data() : nullptr);
        } else {
            sums[r] = numerics::reduce(terms, kept, sumOrder(slots, published));
        }
    });
    return Done{};
}

} // namespace divdet::host::twin
