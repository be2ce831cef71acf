#pragma once
#include <optional>

#include "compare/block_kernels.h"
#include "compare/chunk.h"

namespace divdet {

/// What is known before a pair is looked at, from pairs that come earlier.
struct Known {
    const FrontierBuilder::Floors* floors = nullptr; ///< null: only the tolerance matters
    std::optional<double> significantMaxRel;
    bool anyAbs = false, anyRel = false; ///< a finite pair was there; one with r != 0
};

/// The filter that lets through every pair that could change the extremes, the frontier or the counts at the
/// tolerance; see addExtremes.
template <class T>
kernels::FilterTable<T> filterTable(const ScanContext& ctx, const Known& known);

} // namespace divdet
