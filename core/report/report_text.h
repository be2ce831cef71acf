#pragma once
#include <string>
#include <vector>

#include "compare/comparison.h"

/// The words of a report, the same in every format; unescaped.
namespace divdet::report {

/// The verdict in one sentence that needs no manual.
std::string verdictSentence(const Comparison& comparison, const Judgement& judgement);

/// What the tolerance says, as a formula with its numbers.
std::string toleranceSentence(const Tolerance& tolerance);

/// What it needs to pass: over all judged pairs. Empty when nothing could be compared.
std::string needSentence(const Comparison& comparison, const Judgement& judgement);

/// Head and cells of the table of pairs.
std::vector<std::string> pairHead(bool withClass);
struct PairRow {
    std::size_t pair = 0; ///< in Comparison::pairs
    std::vector<std::string> cells;
};
std::vector<PairRow> pairRows(const Comparison& comparison, const Judgement& judgement);
bool anyClass(const Comparison& comparison);

/// Every caution met, once: id, its explanation, and where it was met.
struct CautionLine {
    std::string id, text;
    std::vector<std::string> pairs; ///< empty: the files as a whole
};
std::vector<CautionLine> cautionLines(const Comparison& comparison, const Judgement& judgement);

/// `12`, or `between 3 and 40` where only the dumps could tell.
std::string countWords(const CountBounds& bounds);

/// Pairs with a summary, those that need most first.
std::vector<std::size_t> byNeed(const Comparison& comparison, const Judgement& judgement);

/// `a, b and 5 more`
std::string someNames(const std::vector<std::string>& names, std::size_t shown);

} // namespace divdet::report
