#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "compare/comparison.h"

namespace divdet::cli {

struct CandidateColumn {
    std::string name; ///< the candidate's path
    std::shared_ptr<const Comparison> comparison;
    Judgement judgement;
};

/// A table with a row per tap and a column per candidate: the verdict and how many elements fail. Columns are
/// numbered; the names stand above the table.
std::string candidateMatrix(const std::vector<CandidateColumn>& columns, const Paint& paint);

} // namespace divdet::cli
