#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/gemm_f32.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "host/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::f32 {
namespace HWY_NAMESPACE {
using namespace divdet::host::HWY_NAMESPACE;

struct Operands {
    GemmShape shape;
    const float* a;
    const float* b;
    SumOrder order;

    using Panel = const float*;
    Panel pack(PanelRange range) const {
        float* panel = scratchOf<float>(0, shape.k * kPanel);
        packColumns(b, shape.n, shape.k, range, panel);
        return panel;
    }
};

/// The fma chain over k = first, first + step, ... below last, for a tile of outputs at once.
template <std::size_t kRows>
HWY_INLINE Tile<kRows> chain(const Operands& o, std::size_t row, const float* panel, std::size_t first,
                             std::size_t last, std::size_t step, Tile<kRows> acc) {
    const float* a = o.a + row * o.shape.k;
    for (std::size_t k = first; k < last; k += step) {
        Floats b[kVectors];
        DIVDET_UNROLL(4)
        for (std::size_t v = 0; v < kVectors; ++v) b[v] = hn::Load(kF, panel + k * kPanel + v * kLaneCount);
        DIVDET_UNROLL(8) for (std::size_t r = 0; r < kRows; ++r) {
            const Floats x = hn::Set(kF, a[r * o.shape.k + k]);
            DIVDET_UNROLL(4)
            for (std::size_t v = 0; v < kVectors; ++v) acc.at[r][v] = fused(x, b[v], acc.at[r][v]);
        }
    }
    return acc;
}

/// sequential and splitK: chains of consecutive k.
struct ChainKernel : Operands {
    static constexpr std::size_t kRows = 6;

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, Panel panel, PanelRange, const float* start, float* out) const {
        const std::size_t k = shape.k;
        const std::size_t splits = order.order == Order::splitK ? order.splits : 1;
        const std::size_t length = numerics::chunkLength(k, splits);
        Tile<kCount> sum = chain(*this, row, panel, 0, length, 1, loadTile<kCount>(start));
        for (std::size_t first = length; first < k; first += length) {
            const std::size_t last = first + length < k ? first + length : k;
            const Tile<kCount> part = chain(*this, row, panel, first, last, 1, zeroTile<kCount>());
            sum = addTiles(sum, part);
        }
        storeTile(sum, out);
    }
};

/// Position of strided lane number i in the order in which the tree of o = 128, ..., 1 joins neighbours: the
/// halving tree over lanes is the pairwise tree over lanes in bit-reversed order.
HWY_INLINE std::size_t reversedLane(std::size_t i) {
    std::size_t r = 0;
    for (std::size_t bit = 1; bit < numerics::kLanes; bit *= 2) r = r * 2 + (i & bit ? 1 : 0);
    return r;
}

/// pairwise and strided: a binary tree over leaves, kept as a binary counter whose digits are complete
/// subtrees.
struct TreeKernel : Operands {
    static constexpr std::size_t kRows = 2;

    template <std::size_t kCount>
    HWY_INLINE Tile<kCount> leaf(std::size_t row, Panel panel, std::size_t i, const float* start) const {
        const Tile<kCount> zero = zeroTile<kCount>();
        if (order.order == Order::strided) {
            const std::size_t lane = reversedLane(i);
            return chain(*this, row, panel, lane, shape.k, numerics::kLanes,
                         i == 0 ? loadTile<kCount>(start) : zero);
        }
        if (i == 0) return chain(*this, row, panel, 0, 1, 1, loadTile<kCount>(start));
        Tile<kCount> t;
        for (std::size_t r = 0; r < kCount; ++r) {
            const Floats x = hn::Set(kF, a[(row + r) * shape.k + i]);
            for (std::size_t v = 0; v < kVectors; ++v) {
                t.at[r][v] = hn::Mul(x, hn::Load(kF, panel + i * kPanel + v * kLaneCount));
            }
        }
        return t;
    }

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, Panel panel, PanelRange, const float* start, float* out) const {
        constexpr std::size_t kSize = kCount * kPanel;
        HWY_ALIGN float subtree[48 * kSize];
        const std::size_t count = order.order == Order::strided ? numerics::kLanes : shape.k;
        std::size_t depth = 0;
        // Pushes a subtree after joining it with the equally large ones before it, as carries in a counter.
        const auto push = [&](Tile<kCount> x, std::size_t index) HWY_ATTR {
            for (; index & 1; index >>= 1) x = addTiles(loadTile<kCount>(subtree + --depth * kSize), x);
            storeTile(x, subtree + depth++ * kSize);
        };
        std::size_t i = 0;
        for (; i + 4 <= count; i += 4) {
            const Tile<kCount> low =
                addTiles(leaf<kCount>(row, panel, i, start), leaf<kCount>(row, panel, i + 1, start));
            const Tile<kCount> high =
                addTiles(leaf<kCount>(row, panel, i + 2, start), leaf<kCount>(row, panel, i + 3, start));
            push(addTiles(low, high), i / 4);
        }
        for (; i < count; ++i) push(leaf<kCount>(row, panel, i, start), i);
        Tile<kCount> sum = loadTile<kCount>(subtree + --depth * kSize);
        while (depth > 0) sum = addTiles(loadTile<kCount>(subtree + --depth * kSize), sum);
        storeTile(sum, out);
    }
};

void gemm(GemmShape shape, const float* a, const float* b, Start start, float* c, SumOrder order) {
    const Operands operands{shape, a, b, order};
    const bool tree = order.order == Order::pairwise || order.order == Order::strided;
    if (tree && shape.k > 0)
        runPanels(TreeKernel{operands}, shape, start, c);
    else
        runPanels(ChainKernel{operands}, shape, start, c);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::f32
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace f32 {
HWY_EXPORT(gemm);
static auto chosen() {
    return HWY_DYNAMIC_DISPATCH(gemm);
}
} // namespace f32

void gemmF32(GemmShape shape, const float* a, const float* b, Start start, float* c, SumOrder order) {
    f32::chosen()(shape, a, b, start, c, order);
}

} // namespace divdet::host
#endif
