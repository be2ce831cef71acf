#pragma once
/// Who decides the order of additions where several passes do. Chunks win over trees, because they are what
/// narrow partial sums need; an order of arrival wins over a fixed one.
namespace divdet::lower {

inline constexpr int kTreeRank = 0;      ///< reassociate=pairwise, strided
inline constexpr int kAnyChunksRank = 1; ///< a pass that needs chunks, whichever
inline constexpr int kChunksRank = 2;    ///< reassociate=splitk:N
inline constexpr int kArrivalRank = 3;   ///< atomics

/// Chunks of k where a pass needs some and no number is given.
inline constexpr int kDefaultSplits = 8;

} // namespace divdet::lower
