#include "compare/block_scanner.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/sigbus_guard.h"
#include "compare/fused_step.h"
#include "compare/ulp.h"
#include "tensor/convert.h"

namespace divdet {

struct ScanScratch::Buffers {
    kernels::Survivors<float> narrow;
    kernels::Survivors<double> wide;
    alignas(64) float narrowC[kernels::kBlock], narrowR[kernels::kBlock];
    alignas(64) double wideC[kernels::kBlock], wideR[kernels::kBlock];
    kernels::FilterTable<float> narrowTable;
    kernels::FilterTable<double> wideTable;
    ElementBlock pairs;
    ErrorHistogram histogram;
    std::vector<std::uint32_t> cells;
    std::int64_t inCells = 0; ///< pairs counted there since the last flush

    template <class T>
    auto& survivors() {
        if constexpr (sizeof(T) == 4)
            return narrow;
        else
            return wide;
    }
    template <class T>
    auto& table() {
        if constexpr (sizeof(T) == 4)
            return narrowTable;
        else
            return wideTable;
    }
};

ScanScratch::ScanScratch()
    : m_buffers(std::make_unique<Buffers>()) {}
ScanScratch::~ScanScratch() = default;
ScanScratch::ScanScratch(ScanScratch&&) noexcept = default;

void ScanScratch::flushCells() {
    Buffers& b = *m_buffers;
    if (b.inCells > 0) b.histogram.merge(b.cells.data(), kernels::kHistogramStride);
    std::fill(b.cells.begin(), b.cells.end(), 0u);
    b.inCells = 0;
}

const ErrorHistogram& ScanScratch::histogram() {
    flushCells();
    return m_buffers->histogram;
}

template <class T>
struct BlockScanner::Block {
    const T *c = nullptr, *r = nullptr; ///< not aligned where they lie in a file
    std::int64_t first = 0;
    int count = 0;
    bool special = false;
    std::int64_t equal = 0;
    double maxMagnitude = 0, minMagnitude = std::numeric_limits<double>::infinity();

    static double at(const T* p, int i) {
        T x;
        std::memcpy(&x, reinterpret_cast<const char*>(p) + static_cast<std::size_t>(i) * sizeof(T), sizeof x);
        return static_cast<double>(x);
    }
};

namespace {

/// Elements [first, first + count) of v as T: in place where they are that already, else in `buffer`.
template <class T>
const T* elements(const TensorView& v, std::int64_t first, int count, T* buffer, double* wide) {
    const std::byte* at = v.data + first * static_cast<std::int64_t>(itemSize(v.dtype));
    const bool ready = v.contiguous();
    if (ready && v.dtype == (sizeof(T) == 4 ? DType::f32 : DType::f64)) return reinterpret_cast<const T*>(at);
    if constexpr (sizeof(T) == 8) {
        loadAsDouble(v, first, {buffer, static_cast<std::size_t>(count)});
    } else if (ready && v.dtype == DType::bf16) {
        kernels::widenBf16(at, count, buffer);
    } else if (ready && v.dtype == DType::f16) {
        kernels::widenF16(at, count, buffer);
    } else {
        loadAsDouble(v, first, {wide, static_cast<std::size_t>(count)});
        for (int i = 0; i < count; ++i) buffer[i] = static_cast<T>(wide[i]);
    }
    return buffer;
}

} // namespace

BlockScanner::BlockScanner(const ScanContext& ctx, const TileGrid& grid, const Known& before,
                           ScanScratch& scratch, Chunk& chunk)
    : m_ctx(ctx)
    , m_grid(grid)
    , m_before(before)
    , m_buffers(*scratch.m_buffers)
    , m_scratch(scratch)
    , m_chunk(chunk)
    , m_foundAbs(before.anyAbs)
    , m_foundRel(before.anyRel) {
    if (ctx.full && m_buffers.cells.empty()) m_buffers.cells.resize(kernels::kHistogramCells);
}

bool BlockScanner::scan(std::int64_t first, int count) {
    if (m_ctx.lanes == Lanes::f32) return scanLanes<float>(first, count);
    if (m_ctx.lanes == Lanes::f64) return scanLanes<double>(first, count);
    if (!loadPairs(first, count)) return false;
    return addBlock(m_ctx, m_grid, first, m_buffers.pairs, m_buffers.histogram, m_chunk);
}

bool BlockScanner::loadPairs(std::int64_t first, int count) {
    return loadBlock(m_ctx.reference, m_ctx.candidate, first, count, m_buffers.pairs) &&
           (!m_ctx.mask || maskBlock(*m_ctx.mask, first, m_buffers.pairs));
}

bool BlockScanner::recount(std::int64_t first, int count) {
    m_withFrontier = false;
    m_foundAbs = m_foundRel = true;
    const auto lanes = [&]<class T>(Block<T> block) {
        return load(first, count, block) && filter(block, 0, count);
    };
    if (m_ctx.lanes == Lanes::f32) return lanes(Block<float>{});
    if (m_ctx.lanes == Lanes::f64) return lanes(Block<double>{});
    if (!loadPairs(first, count)) return false;
    const ElementBlock& b = m_buffers.pairs;
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        addAtTolerance(m_ctx,
                       {b.state[k], b.candidate[k], b.reference[k], b.error[k], b.magnitude[k], first + i},
                       m_chunk.part.at);
    }
    return true;
}

template <class T>
bool BlockScanner::load(std::int64_t first, int count, Block<T>& block) {
    block.first = first;
    block.count = count;
    return guardMappedRead([&] {
        if constexpr (sizeof(T) == 4) {
            block.c = elements<T>(m_ctx.candidate, first, count, m_buffers.narrowC, m_buffers.wideC);
            block.r = elements<T>(m_ctx.reference, first, count, m_buffers.narrowR, m_buffers.wideR);
        } else {
            block.c = elements<T>(m_ctx.candidate, first, count, m_buffers.wideC, nullptr);
            block.r = elements<T>(m_ctx.reference, first, count, m_buffers.wideR, nullptr);
        }
    });
}

template <class T>
bool BlockScanner::scanLanes(std::int64_t first, int count) {
    Block<T> block;
    if (!load(first, count, block)) return false;
    for (int at = 0; at < count;) {
        const int n = std::min(count - at, m_piece);
        if (!filter(block, at, n)) return false;
        at += n;
        m_piece = std::min(2 * m_piece, kernels::kBlock);
    }
    Summary& s = m_chunk.part;
    s.elements += count;
    bool needed = block.special || block.minMagnitude == 0;
    kernels::SignCounts signs;
    if (m_ctx.full) {
        if (!guardMappedRead([&] { kernels::countSigns(block.c, block.r, count, signs); })) return false;
        needed = needed || signs.minCandidate == 0 || signs.minCandidate < m_ctx.normalCandidate ||
                 block.minMagnitude < m_ctx.normalReference;
    }
    if (!countKinds(block, needed)) return false;
    if (!needed) {
        s.above += signs.above;
        s.below += m_ctx.full ? count - block.equal - signs.above : 0;
    }
    return addRest(block);
}

template <class T>
void BlockScanner::renewTable() {
    const auto& own = m_chunk.part.at.significantMaxRel;
    Known known{m_withFrontier ? &m_chunk.frontier.floors() : nullptr, m_before.significantMaxRel};
    if (own && (!known.significantMaxRel || *own > *known.significantMaxRel)) known.significantMaxRel = own;
    if (m_tableRevision == m_chunk.frontier.revision() && m_tableSignificant == known.significantMaxRel)
        return;
    m_tableRevision = m_chunk.frontier.revision();
    m_tableSignificant = known.significantMaxRel;
    m_buffers.table<T>() = filterTable<T>(m_ctx, known);
}

/// Looks at the pairs [from, from + count) that the table lets through.
template <class T>
bool BlockScanner::filter(Block<T>& block, int from, int count) {
    renewTable<T>();
    auto& survivors = m_buffers.survivors<T>();
    kernels::FilterFacts facts;
    const bool read = guardMappedRead([&] {
        kernels::filterPairs(block.c + from, block.r + from, count, m_buffers.table<T>(), survivors, facts);
        if (!m_foundAbs || !m_foundRel) findFirst(block, from, count);
    });
    if (!read) return false;
    const std::int64_t first = block.first + from;
    for (int k = 0; k < survivors.count; ++k) {
        const PairValues p =
            realPair(static_cast<double>(survivors.candidate[k]), static_cast<double>(survivors.reference[k]),
                     first + survivors.index[k]);
        if (m_withFrontier)
            m_chunk.addExtremes(m_ctx, p);
        else
            addAtTolerance(m_ctx, p, m_chunk.part.at);
    }
    block.equal += facts.equal;
    block.special = block.special || facts.special;
    block.maxMagnitude = std::max(block.maxMagnitude, facts.maxMagnitude);
    block.minMagnitude = std::min(block.minMagnitude, facts.minMagnitude);
    return true;
}

/// A pair without error raises an extreme only when it is the first one there is.
template <class T>
void BlockScanner::findFirst(const Block<T>& block, int from, int count) {
    for (int i = from; i < from + count && !(m_foundAbs && m_foundRel); ++i) {
        const PairValues p = realPair(Block<T>::at(block.c, i), Block<T>::at(block.r, i), block.first + i);
        const bool counts =
            finitePair(p.state, p.magnitude) ||
            (p.state == PairState::never && std::isfinite(p.candidate) && std::isfinite(p.reference));
        if (!counts) continue;
        if (!m_foundAbs) m_chunk.part.maxAbs = {p.error, p.index};
        m_foundAbs = true;
        if (m_foundRel || p.magnitude == 0) continue;
        m_chunk.part.maxRel = {p.error / p.magnitude, p.index};
        m_foundRel = true;
    }
}

template <class T>
bool BlockScanner::countKinds(const Block<T>& block, bool needed) {
    Summary& s = m_chunk.part;
    if (!needed) {
        s.equal += block.equal;
        s.finite += block.count;
        s.finiteReference += block.count;
        s.maxMagnitude = std::max(s.maxMagnitude, block.maxMagnitude);
        s.minMagnitude = std::min(s.minMagnitude, block.minMagnitude);
        return true;
    }
    kernels::KindCounts k;
    const bool read = guardMappedRead([&] {
        kernels::countKinds(block.c, block.r, block.count, static_cast<T>(m_ctx.normalCandidate),
                            static_cast<T>(m_ctx.normalReference), k);
    });
    if (!read) return false;
    s.equal += k.equal;
    s.finite += k.finite;
    s.infiniteRel += k.infiniteRel;
    s.finiteReference += k.finiteReference;
    s.maxMagnitude = std::max(s.maxMagnitude, k.maxMagnitude);
    s.minMagnitude = std::min(s.minMagnitude, k.minMagnitude);
    s.never += k.never;
    s.overflowedError += k.overflowed;
    s.signedZero += k.signedZero;
    const auto add = [](SideCounts& to, std::int64_t r, std::int64_t c, std::int64_t both) {
        to.reference += r;
        to.candidate += c;
        to.both += both;
    };
    add(s.nan, k.nanR, k.nanC, k.nanBoth);
    add(s.inf, k.infR, k.infC, k.infBoth);
    if (!m_ctx.full) return true;
    s.above += k.above;
    s.below += k.below;
    add(s.zero, k.zeroR, k.zeroC, k.zeroBoth);
    add(s.subnormal, k.subnormalR, k.subnormalC, k.subnormalBoth);
    return true;
}

/// Bytes, and at full depth sums, histograms and tiles.
template <class T>
bool BlockScanner::addRest(const Block<T>& block) {
    Chunk& chunk = m_chunk;
    Summary& s = chunk.part;
    const int n = block.count;
    // Pairs that are not equal and not both NaN have other bytes.
    const bool mayBeSame = m_ctx.comparableBytes && chunk.sameBytes && (block.special || block.equal == n);
    const std::int64_t item = static_cast<std::int64_t>(itemSize(m_ctx.reference.dtype));
    Sums sums;
    [[maybe_unused]] WideSums wide; // of the types that need it
    LargestValues largest;
    kernels::UlpFacts ulps;
    ulps.most = static_cast<std::uint32_t>(s.maxUlp.value_or(0));
    const kernels::Ahead next = ahead(block.first + n);
    const bool narrowUlps = sizeof(T) == 4 && m_ctx.ulpType.has_value();
    const bool read = guardMappedRead([&] {
        chunk.sameBytes = mayBeSame && std::memcmp(m_ctx.reference.data + block.first * item,
                                                   m_ctx.candidate.data + block.first * item,
                                                   static_cast<std::size_t>(n * item)) == 0;
        if (!m_ctx.full) return;
        bool tiled = !m_ctx.tiles || block.special, summed = false;
        if constexpr (sizeof(T) == 4) {
            LaneSums lanes;
            summed = !block.special && fuseBlock({block.c, block.r, block.first, n}, m_grid, next,
                                                 m_buffers.cells.data(), chunk.tiles, lanes, tiled);
            if (summed) sums = lanes.folded();
        }
        if (!summed) {
            kernels::sumPairs(block.c, block.r, n, block.special, next, sums, largest);
            kernels::histogramPairs(block.c, block.r, n, block.special, m_buffers.cells.data(), next);
        }
        if constexpr (sizeof(T) == 4) {
            if (narrowUlps) kernels::ulpPairs(block.c, block.r, n, block.special, m_ctx.ulpFormat, ulps);
        }
        if (!tiled) chunk.tiles.add(m_grid, block.first, block.c, block.r, n);
    });
    if (!read || !m_ctx.full) return read;
    if ((m_buffers.inCells += n) > std::int64_t{1} << 31) m_scratch.flushCells();
    if (narrowUlps) {
        for (std::size_t i = 0; i < s.ulpHistogram.size(); ++i) s.ulpHistogram[i] += ulps.bins[i];
        if (!s.maxUlp) s.maxUlp = 0;
    }
    const bool slowTiles = m_ctx.tiles && block.special, slowUlps = m_ctx.ulpType && !narrowUlps;
    const bool slowSums = squaresLeaveRange(largest);
    if (ulps.mostAt >= 0 && !raiseUlp(block, ulps)) return false;
    if (slowTiles || slowUlps || slowSums) {
        if (!widenPairs(block)) return false;
        const ElementBlock& pairs = m_buffers.pairs;
        if (slowTiles) chunk.tiles.add(m_grid, block.first, pairs);
        if (slowUlps) addUlps(m_ctx, pairs, chunk);
    }
    if (slowSums)
        chunk.wideSums.push(wideSums(m_buffers.pairs));
    else
        chunk.sums.push(sums);
    return true;
}

/// The block that starts at element `first`, where both sides lie in memory one element after the other.
kernels::Ahead BlockScanner::ahead(std::int64_t first) const {
    if (first >= m_ctx.reference.elements()) return {};
    const auto at = [first](const TensorView& v, const std::byte*& from, std::size_t& bytes) {
        if (!v.contiguous()) return;
        const std::size_t item = itemSize(v.dtype);
        from = v.data + static_cast<std::size_t>(first) * item;
        bytes = kernels::kBlock * item;
    };
    kernels::Ahead next;
    at(m_ctx.candidate, next.candidate, next.candidateBytes);
    at(m_ctx.reference, next.reference, next.referenceBytes);
    return next;
}

template <class T>
bool BlockScanner::raiseUlp(const Block<T>& block, const kernels::UlpFacts& ulps) {
    double c = 0, r = 0;
    const bool read = guardMappedRead([&] {
        c = Block<T>::at(block.c, ulps.mostAt);
        r = Block<T>::at(block.r, ulps.mostAt);
    });
    if (read) m_chunk.raiseUlp(ulps.most, c, r);
    return read;
}

/// The pairs of a block one by one, for what has no fast loop.
template <class T>
bool BlockScanner::widenPairs(const Block<T>& block) {
    ElementBlock& out = m_buffers.pairs;
    out.count = block.count;
    return guardMappedRead([&] {
        for (int i = 0; i < block.count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const PairValues p =
                realPair(Block<T>::at(block.c, i), Block<T>::at(block.r, i), block.first + i);
            out.state[k] = p.state;
            out.candidate[k] = p.candidate;
            out.reference[k] = p.reference;
            out.error[k] = p.error;
            out.magnitude[k] = p.magnitude;
        }
    });
}

} // namespace divdet
