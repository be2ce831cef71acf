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

/// The fma chain over k = first, ..., last - 1 for a tile of outputs at once.
template <std::size_t kRows>
HWY_INLINE Tile<kRows> chain(const Operands& o, std::size_t row, const float* panel, std::size_t first,
                             std::size_t last, Tile<kRows> acc) {
    const float* a = o.a + row * o.shape.k;
    for (std::size_t k = first; k < last; ++k) {
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
        Tile<kCount> sum = chain(*this, row, panel, 0, length, loadTile<kCount>(start));
        for (std::size_t first = length; first < k; first += length) {
            const std::size_t last = first + length < k ? first + length : k;
            const Tile<kCount> part = chain(*this, row, panel, first, last, zeroTile<kCount>());
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
/// subtrees. Subtrees of kBase leaves never leave the registers.
template <bool kStrided>
struct TreeKernel : Operands {
    static constexpr std::size_t kRows = 2;
    static constexpr std::size_t kBase = 8;

    /// Rows of B in the order in which the leaves read them.
    Panel pack(PanelRange range) const {
        if constexpr (!kStrided) return Operands::pack(range);
        float* panel = scratchOf<float>(0, shape.k * kPanel);
        float* to = panel;
        for (std::size_t i = 0; i < numerics::kLanes; ++i) {
            for (std::size_t k = reversedLane(i); k < shape.k; k += numerics::kLanes, to += kPanel)
                packRow(b + k * shape.n + range.column, range.width, to);
        }
        return panel;
    }

    /// Leaf i, whose rows of B begin at `rows`; moves `rows` to the next leaf's. Leaf 0 starts from `start`,
    /// which is null for the others.
    template <std::size_t kCount>
    HWY_INLINE Tile<kCount> leaf(std::size_t row, const float*& rows, std::size_t i,
                                 const float* start) const {
        if constexpr (kStrided) {
            Tile<kCount> t = start ? loadTile<kCount>(start) : zeroTile<kCount>();
            for (std::size_t k = reversedLane(i); k < shape.k; k += numerics::kLanes, rows += kPanel)
                fuseProduct(row, rows, k, t);
            return t;
        }
        Tile<kCount> t;
        if (start) {
            t = loadTile<kCount>(start);
            fuseProduct(row, rows, i, t);
        } else {
            DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
                const Floats x = hn::Set(kF, a[(row + r) * shape.k + i]);
                DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v) {
                    t.at[r][v] = hn::Mul(x, hn::Load(kF, rows + v * kLaneCount));
                }
            }
        }
        rows += kPanel;
        return t;
    }

    template <std::size_t kCount>
    HWY_INLINE void fuseProduct(std::size_t row, const float* rows, std::size_t k, Tile<kCount>& t) const {
        DIVDET_UNROLL(4) for (std::size_t r = 0; r < kCount; ++r) {
            const Floats x = hn::Set(kF, a[(row + r) * shape.k + k]);
            DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v) {
                t.at[r][v] = fused(x, hn::Load(kF, rows + v * kLaneCount), t.at[r][v]);
            }
        }
    }

    template <std::size_t kCount, std::size_t kLeaves>
    HWY_INLINE Tile<kCount> subtree(std::size_t row, const float*& rows, std::size_t i,
                                    const float* start) const {
        if constexpr (kLeaves == 1) {
            return leaf<kCount>(row, rows, i, start);
        } else {
            constexpr std::size_t kHalf = kLeaves / 2;
            const Tile<kCount> left = subtree<kCount, kHalf>(row, rows, i, start);
            return addTiles(left, subtree<kCount, kHalf>(row, rows, i + kHalf, nullptr));
        }
    }

    template <std::size_t kCount>
    HWY_INLINE void run(std::size_t row, Panel panel, PanelRange, const float* start, float* out) const {
        constexpr std::size_t kSize = kCount * kPanel;
        HWY_ALIGN float digits[48 * kSize];
        const std::size_t count = kStrided ? numerics::kLanes : shape.k;
        std::size_t depth = 0;
        // Pushes a subtree after joining it with the equally large ones before it, as carries in a counter.
        const auto push = [&](Tile<kCount> x, std::size_t index) HWY_ATTR {
            for (; index & 1; index >>= 1) x = addTiles(loadTile<kCount>(digits + --depth * kSize), x);
            storeTile(x, digits + depth++ * kSize);
        };
        std::size_t i = 0;
        const float* rows = panel;
        if (count >= kBase) {
            push(subtree<kCount, kBase>(row, rows, 0, start), 0);
            for (i = kBase; i + kBase <= count; i += kBase)
                push(subtree<kCount, kBase>(row, rows, i, nullptr), i / kBase);
        }
        for (; i < count; ++i) push(leaf<kCount>(row, rows, i, i ? nullptr : start), i);
        Tile<kCount> sum = loadTile<kCount>(digits + --depth * kSize);
        while (depth > 0) sum = addTiles(loadTile<kCount>(digits + --depth * kSize), sum);
        storeTile(sum, out);
    }
};

void gemm(GemmShape shape, const float* a, const float* b, Start start, float* c, SumOrder order) {
    const Operands operands{shape, a, b, order};
    if (order.order == Order::pairwise && shape.k > 0)
        runPanels(TreeKernel<false>{operands}, shape, start, c);
    else if (order.order == Order::strided && shape.k > 0)
        runPanels(TreeKernel<true>{operands}, shape, start, c);
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
