#pragma once
#include <memory>

#include "compare/chunk.h"
#include "compare/filter_table.h"

namespace divdet {

/// Working memory of one thread; its counts add up over all blocks the thread has seen.
class ScanScratch {
public:
    ScanScratch();
    ~ScanScratch();
    ScanScratch(ScanScratch&&) noexcept;
    /// Pairs per bin, those of every block since the start.
    const ErrorHistogram& histogram();

private:
    friend class BlockScanner;
    struct Buffers;
    void flushCells();
    std::unique_ptr<Buffers> m_buffers;
};

/// Scans the blocks of one chunk, in order.
class BlockScanner {
public:
    /// `before`: what all earlier chunks that are merged already know.
    BlockScanner(const ScanContext& ctx, const TileGrid& grid, const Known& before, ScanScratch& scratch,
                 Chunk& chunk);
    /// False when mapped memory went away.
    [[nodiscard]] bool scan(std::int64_t first, int count);
    /// Only the part that depends on the tolerance.
    [[nodiscard]] bool recount(std::int64_t first, int count);

private:
    template <class T>
    struct Block;
    template <class T>
    bool load(std::int64_t first, int count, Block<T>& block);
    template <class T>
    bool scanLanes(std::int64_t first, int count);
    template <class T>
    bool filter(Block<T>& block, int from, int count);
    template <class T>
    void findFirst(const Block<T>& block, int from, int count);
    template <class T>
    bool countKinds(const Block<T>& block, bool needed);
    template <class T>
    bool addRest(const Block<T>& block);
    template <class T>
    bool raiseUlp(const Block<T>& block, const kernels::UlpFacts& ulps);
    template <class T>
    bool widenPairs(const Block<T>& block);
    template <class T>
    void renewTable();
    bool loadPairs(std::int64_t first, int count);
    kernels::Ahead ahead(std::int64_t first) const;

    const ScanContext& m_ctx;
    const TileGrid& m_grid;
    Known m_before;
    ScanScratch::Buffers& m_buffers;
    ScanScratch& m_scratch;
    Chunk& m_chunk;
    int m_piece = 64; ///< elements filtered with one table; grows while the frontier is learnt
    std::uint64_t m_tableRevision = ~std::uint64_t{0};
    std::optional<double> m_tableSignificant;
    bool m_withFrontier = true;
    bool m_foundAbs = false, m_foundRel = false;
};

} // namespace divdet
