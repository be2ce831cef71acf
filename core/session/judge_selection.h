#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace divdet {

/// Which taps decide the verdict. By default a block's outputs and a dump's every pair.
struct JudgeSelection {
    enum class Kind { standard, outputs, all, named } kind = Kind::standard;
    std::vector<std::string> names; ///< with Kind::named
    friend bool operator==(const JudgeSelection&, const JudgeSelection&) = default;
};

/// `outputs`, `all`, or tap names with commas between them.
JudgeSelection parseJudgeSelection(std::string_view text);
std::string toString(const JudgeSelection& selection); ///< what parseJudgeSelection reads; empty for standard

/// Does a tap decide? `isOutput`: it is an output of a block. A dump's taps are all outputs here.
bool isJudged(const JudgeSelection& selection, std::string_view tap, bool isOutput);

} // namespace divdet
