#pragma once
#include <QString>
#include <optional>

#include "base/progress.h"
#include "compare/comparison.h"

namespace divdet {

/// One element of a pair as it is stored; no tolerance changes it. Complex values by their modulus.
struct ElementFacts {
    std::int64_t index = -1;                             ///< flat, row-major
    double reference = 0, candidate = 0, difference = 0; ///< candidate − reference
    std::optional<double> ulps; ///< distance in the coarser floating type; none where a side is not finite
};

/// Reads the pair's elements: for a job. Errors: notFound without elements, usage beyond the last one, those
/// of loading.
Result<ElementFacts> elementFacts(const TapPair& pair, std::int64_t index);

/// The first element in a cell of ErrorHistogram; −1: none. Reads all elements up to it. Errors: as above,
/// cancelled.
Result<std::int64_t> firstInBin(const TapPair& pair, int column, int row, const Progress& progress);

/// What the judge knows of an element from the findings: the exact result and the bound of the declared
/// arithmetic.
struct JudgedElement {
    double exact = 0, bound = 0;
};
std::optional<JudgedElement> judgedElement(const TapPair& pair, std::int64_t index);

/// "[47, 104]", "47 104", "47,104" or a flat "6120". Nothing when it names no element of `shape`; `why` then
/// gets one sentence.
std::optional<std::int64_t> parseIndex(const QString& text, const Shape& shape, QString* why = nullptr);

} // namespace divdet
