// Per-target include guard: this file is compiled once for every instruction set.
#if defined(DIVDET_HOST_PANELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DIVDET_HOST_PANELS_INL_H
#undef DIVDET_HOST_PANELS_INL_H
#else
#define DIVDET_HOST_PANELS_INL_H
#endif

#include "host/gemm.h"
#include "host/parallel.h"
#include "host/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host {
namespace HWY_NAMESPACE {

/// Columns [column, column + width) of the product, width <= kPanel; a panel's lanes beyond width are zero.
struct PanelRange {
    std::size_t column, width;
};

/// `width` values, padded with zeros to kPanel.
template <class From, class To>
HWY_INLINE void packRow(const From* from, std::size_t width, To* to) {
    for (std::size_t j = 0; j < width; ++j) to[j] = static_cast<To>(from[j]);
    for (std::size_t j = width; j < kPanel; ++j) to[j] = To{};
}

/// Copies columns of B into consecutive rows of kPanel values, padded with zeros.
template <class From, class To>
HWY_INLINE void packColumns(const From* b, std::size_t n, std::size_t k, PanelRange range, To* panel) {
    for (std::size_t row = 0; row < k; ++row)
        packRow(b + row * n + range.column, range.width, panel + row * kPanel);
}

template <class Value>
HWY_INLINE void loadStart(const float* values, std::size_t stride, std::size_t rows, std::size_t width,
                          Value* tile) {
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t j = 0; j < kPanel; ++j) {
            tile[r * kPanel + j] = values && j < width ? static_cast<Value>(values[r * stride + j]) : Value{};
        }
    }
}

/// kRows rows through one panel; `Tile::run<kRows>(row, panel, range, start, out)` reads and writes
/// kRows * kPanel values.
template <std::size_t kRows, class Kernel, class Value>
HWY_NOINLINE void runRows(const Kernel& kernel, GemmShape s, Start start, Value* c, std::size_t row,
                          PanelRange range, const typename Kernel::Panel& panel) {
    HWY_ALIGN Value first[kRows * kPanel];
    HWY_ALIGN Value result[kRows * kPanel];
    const std::size_t stride = start.perColumn ? 0 : s.n;
    const float* values = start.values ? start.values + row * stride + range.column : nullptr;
    loadStart(values, stride, kRows, range.width, first);
    kernel.template run<kRows>(row, panel, range, first, result);
    for (std::size_t r = 0; r < kRows; ++r) {
        Value* to = c + (row + r) * s.n + range.column;
        for (std::size_t j = 0; j < range.width; ++j) to[j] = result[r * kPanel + j];
    }
}

/// Cuts C into column panels (and rows into groups where panels are too few for the threads) and runs
/// `kernel`, which packs a panel (`pack`) and computes Kernel::kRows, 2 or 1 rows of it at a time (`run`).
template <class Kernel, class Value>
HWY_INLINE void runPanels(const Kernel& kernel, GemmShape s, Start start, Value* c) {
    if (s.m == 0 || s.n == 0) return;
    const std::size_t panels = (s.n + kPanel - 1) / kPanel;
    const std::size_t wanted = threadCount() * 2;
    const std::size_t most = (s.m + 4 * Kernel::kRows - 1) / (4 * Kernel::kRows); // packing must pay
    std::size_t groups = panels >= wanted ? 1 : (wanted + panels - 1) / panels;
    if (groups > most) groups = most;
    const std::size_t rowsPerGroup =
        ((s.m + groups - 1) / groups + Kernel::kRows - 1) / Kernel::kRows * Kernel::kRows;
    forEachTask(panels * groups, [&](std::size_t task) {
        const std::size_t column = task / groups * kPanel;
        const PanelRange range{column, s.n - column < kPanel ? s.n - column : kPanel};
        std::size_t row = task % groups * rowsPerGroup;
        const std::size_t last = row + rowsPerGroup < s.m ? row + rowsPerGroup : s.m;
        if (row >= last) return;
        const typename Kernel::Panel panel = kernel.pack(range);
        for (; row + Kernel::kRows <= last; row += Kernel::kRows) {
            runRows<Kernel::kRows>(kernel, s, start, c, row, range, panel);
        }
        if constexpr (Kernel::kRows > 2) {
            for (; row + 2 <= last; row += 2) runRows<2>(kernel, s, start, c, row, range, panel);
        }
        for (; row < last; ++row) runRows<1>(kernel, s, start, c, row, range, panel);
    });
}

/// kRows x kVectors vectors: the part of C that lives in registers.
template <std::size_t kRows>
struct Tile {
    Floats at[kRows][kVectors];
};

#define DIVDET_FOR_TILE(r, v, rows)                                                                          \
    DIVDET_UNROLL(8)                                                                                         \
    for (std::size_t r = 0; r < (rows); ++r) DIVDET_UNROLL(4) for (std::size_t v = 0; v < kVectors; ++v)

template <std::size_t kRows>
HWY_INLINE Tile<kRows> loadTile(const float* from) {
    Tile<kRows> t;
    DIVDET_FOR_TILE(r, v, kRows) t.at[r][v] = hn::Load(kF, from + r * kPanel + v * kLaneCount);
    return t;
}

template <std::size_t kRows>
HWY_INLINE void storeTile(const Tile<kRows>& t, float* to) {
    DIVDET_FOR_TILE(r, v, kRows) hn::Store(t.at[r][v], kF, to + r * kPanel + v * kLaneCount);
}

template <std::size_t kRows>
HWY_INLINE Tile<kRows> zeroTile() {
    Tile<kRows> t;
    DIVDET_FOR_TILE(r, v, kRows) t.at[r][v] = hn::Zero(kF);
    return t;
}

template <std::size_t kRows>
HWY_INLINE Tile<kRows> addTiles(const Tile<kRows>& a, const Tile<kRows>& b) {
    Tile<kRows> t;
    DIVDET_FOR_TILE(r, v, kRows) t.at[r][v] = hn::Add(a.at[r][v], b.at[r][v]);
    return t;
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host
HWY_AFTER_NAMESPACE();

#endif // per-target guard
