#include "cuda/module/multiply.h"

#include <algorithm>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/library_gemm.h"
#include "cuda/module/multiplier.h"
#include "numerics/half_written.h"

namespace divdet::cuda {
namespace {

constexpr std::size_t kTile = numerics::kArrivalTile;
static_assert(kTile == numerics::kRaceTile);

/// A matrix of results and where its first tile lies in the whole product.
struct Output {
    StartValues start;
    float* c;
    std::uint32_t tileRow = 0, tileColumn = 0;
};

class Product {
public:
    explicit Product(const ProductContext& on)
        : m_on(on)
        , m_slots(on.slots)
        , m_stream(on.queue.stream()) {}

    void run(const OperandView& v, StartValues start, float* c) const {
        sum(v, {start, c});
        if (m_slots.missingBarrier && v.shape.k > 0) repeatHitTiles(v, start, c);
    }

private:
    void sum(const OperandView& v, const Output& out) const {
        const bool plain = v.integers || m_slots.roundedSum() || !m_slots.inChunks();
        if (plain)
            whole(v, out);
        else if (m_slots.order == Slots::Order::atomics)
            asTheyArrive(v, out);
        else
            inOrder(v, out);
    }

    void whole(const OperandView& v, const Output& out) const {
        if (m_slots.roundedSum()) {
            const StartValues start = v.integers ? StartValues{} : out.start;
            return gemmChains(m_stream, v.shape, v.operands(), start, m_slots.accumulatorFormat(), v.shape.k,
                              1, out.c);
        }
        if (v.integers || v.spec.exists()) return chunks(v, v.shape.k, 1, out.start, out.c);
        if (m_slots.order == Slots::Order::pairwise)
            return gemmPairwise(m_stream, v.shape, v.operands(), out.start, out.c);
        if (m_slots.order == Slots::Order::strided)
            return gemmStrided(m_stream, v.shape, v.operands(), out.start, out.c);
        chunks(v, v.shape.k, 1, out.start, out.c);
    }

    /// Results of `count` chunks of `length` terms, one matrix after the other; the first begins with
    /// `start`.
    void chunks(const OperandView& v, std::size_t length, std::size_t count, StartValues start,
                float* c) const {
        if (!v.integers && !v.spec.exists())
            return gemmChains(m_stream, v.shape, v.operands(), start, numerics::PartialFormat::f32, length,
                              count, c);
        const MmaKind kind = v.kind();
        const std::size_t each = elementsPerWord(kind);
        const std::size_t perRow = (v.shape.k + 4 * each - 1) / (4 * each) * 4;
        const Words a(m_on.queue, v.shape.m * perRow * 4 / sizeof(std::uint32_t));
        const Words b(m_on.queue, v.shape.n * perRow * 4 / sizeof(std::uint32_t));
        packOperand(m_stream, kind, v.a, v.shape.m, v.shape.k, v.lda, 1, perRow, a.get());
        packOperand(m_stream, kind, v.b, v.shape.n, v.shape.k, 1, v.ldb, perRow, b.get());
        const std::size_t words = count == 1 ? std::max<std::size_t>(perRow, 4) : length / each;
        gemmMma(m_stream, kind, v.shape.m, v.shape.n, {a.get(), perRow}, {b.get(), perRow}, perRow, words,
                count, start, c);
    }

    struct Cut {
        std::size_t length, count;
    };
    Cut cut(const OperandView& v) const {
        const std::size_t unit = v.spec.exists() ? static_cast<std::size_t>(v.spec.instructionK) : 1;
        const std::size_t length = numerics::chunkLength(v.shape.k, m_slots.splits, unit);
        return {length, numerics::chunkCount(v.shape.k, length)};
    }

    void inOrder(const OperandView& v, const Output& out) const {
        const Cut pieces = cut(v);
        const std::size_t count = std::max<std::size_t>(1, pieces.count), size = v.shape.m * v.shape.n;
        const Floats partials(m_on.queue, count * size);
        chunks(v, pieces.length, count, out.start, partials.get());
        combineInOrder(m_stream, partials.get(), count, size, m_slots.partials, out.c);
    }

    void asTheyArrive(const OperandView& v, const Output& out) const {
        const Cut pieces = cut(v);
        const TileGrid tiles{(v.shape.m + kTile - 1) / kTile, (v.shape.n + kTile - 1) / kTile, out.tileRow,
                             out.tileColumn};
        const Floats partials(m_on.queue, pieces.count * v.shape.m * v.shape.n);
        const Words order(m_on.queue, tiles.rows * tiles.columns * pieces.count);
        if (pieces.count) chunks(v, pieces.length, pieces.count, {}, partials.get());
        drawArrivals(m_stream, tiles, m_slots.orderSeed, pieces.count, order.get());
        combineAsTheyArrived(m_stream, v.shape, partials.get(), pieces.count, tiles, order.get(), out.start,
                             m_slots.partials, out.c);
    }

    /// Computes the tiles that lost a barrier once more, from B as they read it.
    void repeatHitTiles(const OperandView& v, StartValues start, float* c) const {
        for (std::size_t row = 0; row < v.shape.m; row += kTile)
            for (std::size_t column = 0; column < v.shape.n; column += kTile) {
                const auto tileRow = static_cast<std::uint32_t>(row / kTile);
                const auto tileColumn = static_cast<std::uint32_t>(column / kTile);
                const auto what = numerics::halfWritten(m_slots.barrierSeed, tileRow, tileColumn, v.shape.k);
                if (what.hit) repeatTile(v, row, column, what, start, c);
            }
    }

    void repeatTile(const OperandView& v, std::size_t row, std::size_t column, numerics::HalfWritten what,
                    StartValues start, float* c) const {
        const std::size_t n = v.shape.n;
        OperandView part = v;
        part.shape.m = std::min(kTile, v.shape.m - row);
        part.shape.n = std::min(kTile, n - column);
        const Floats read(m_on.queue, part.shape.k * part.shape.n);
        readHalfWritten(m_stream, v.b + column, v.ldb, part.shape.k, part.shape.n, what, read.get());
        part.a = v.a + row * v.lda;
        part.b = read.get();
        part.ldb = part.shape.n;
        Floats begin;
        if (start.values && start.perColumn) {
            start.values += column;
        } else if (start.values) {
            begin = Floats(m_on.queue, part.shape.m * part.shape.n);
            takeTile(m_stream, start.values + row * n + column, n, part.shape.m, part.shape.n, begin.get());
            start.values = begin.get();
        }
        const Floats tile(m_on.queue, part.shape.m * part.shape.n);
        sum(part, {start, tile.get(), static_cast<std::uint32_t>(row / kTile),
                   static_cast<std::uint32_t>(column / kTile)});
        putTile(m_stream, tile.get(), part.shape.m, part.shape.n, c + row * n + column, n);
    }

    const ProductContext& m_on;
    const Slots& m_slots;
    cudaStream_t m_stream;
};

} // namespace

void checkProduct(const Slots& slots, numerics::Arch arch) {
    if (slots.contradictory()) unsupported("partial sums need an order in chunks");
    if (slots.accumulator == Slots::Accumulator::instructionFp16 && slots.operand != Slots::Operand::fp16)
        unsupported("the tensor core's fp16 accumulator takes fp16 operands only");
    const numerics::TcSpec spec = specOf(slots, arch);
    const bool tree = slots.order == Slots::Order::pairwise || slots.order == Slots::Order::strided;
    if (tree && spec.exists() && !slots.roundedSum())
        unsupported("a tensor core sums in groups of its own, not in another tree");
    if (onTensorCore(slots) && !spec.exists())
        unsupported("sm_" + std::to_string(static_cast<int>(arch)) +
                    " has no tensor-core instruction for these operands");
}

bool libraryCan(const Slots& s) {
    using Operand = Slots::Operand;
    const bool operand = s.operand == Operand::f32 || s.operand == Operand::tf32 ||
                         s.operand == Operand::bf16 || s.operand == Operand::fp16 ||
                         s.operand == Operand::int8;
    return operand && s.order == Slots::Order::published && s.accumulator == Slots::Accumulator::native &&
           !s.missingBarrier;
}

void multiply(const ProductContext& on, GemmShape shape, const float* a, const float* b, StartValues start,
              float* c) {
    checkProduct(on.slots, on.arch);
    const Multiplier m(on, shape, a, b);
    const StartValues begin = m.scaled() ? StartValues{} : start;
    if (on.library && libraryCan(on.slots))
        on.library->multiply(on.queue, m.view(), on.slots, begin, c);
    else
        Product(on).run(m.view(), begin, c);
    if (m.scaled()) m.scaleBack(start, c);
    checkLaunch("multiplying");
}

} // namespace divdet::cuda
