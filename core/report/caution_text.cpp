#include "report/caution_text.h"

#include <utility>

namespace divdet {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
    {"vacuous-tolerance",
     "The tolerance tests nothing here: a tensor of zeros in the candidate's place would pass "
     "too. Use a smaller atol or rtol."},
    {"empty", "The tensors hold no elements, so there was nothing to compare."},
    {"all-nan", "Every element is NaN on both sides; nothing was really compared."},
    {"rules-disagree",
     "Other tools would give another verdict for the same numbers, because their rule rounds or "
     "combines the tolerances in another way."},
    {"low-precision-reference",
     "The reference itself is stored with ten significant bits or fewer, so part of the "
     "difference is its own rounding. Compare both with an fp32 or fp64 run."},
    {"few-elements", "The tensor has so few elements that means and shares say little."},
    {"subset-compared", "Only a selection of the taps was compared; the rest was left out on request."},
    {"taps-changed-result", "Capturing intermediate values changed the result of the run itself."},
    {"dtype-differs",
     "The two sides have different element types. Both are widened before they are compared."},
    {"guessed-dtype", "The file does not tell the element type; it was guessed. Name it to be sure."},
    {"near-zero-reference",
     "Some reference values are zero or almost zero. There a relative error explodes without "
     "meaning; look at the absolute one."},
    {"signed-zero", "Some zeros differ in their sign. They count as equal."},
    {"tied", "A tap missing on one side is the same tensor as another that is there (shared weights)."},
    {"dequantised", "The file holds quantised integers; they are read as the f32 values they stand for."},
    {"widened", "The file holds a small floating type; its values are read as f32, exactly."},
    {"argmax-tie", "The two largest scores are so close that a tiny error swaps them."},
    {"function-of-input", "The error depends on the input in a regular way, which rounding does not do."},
    {"separable-gain", "The candidate is the reference times a factor per row or column."},
    {"quant-granularity", "The error follows the steps of a quantisation."},
    {"suggest-fp64", "A run in fp64 would tell whose error it is."},
    {"size-mismatch", "The file is longer than its header says; the rest was ignored."},
    {"ignored-member", "A part of the file that holds no tensor was ignored."},
    {"duplicate-member",
     "The file holds two tensors of that name; which one a tool reads is a matter of chance."},
    {"two-data-fields", "The file stores the values twice, in two fields; one of them was read."},
};

} // namespace

std::string_view cautionText(std::string_view id) {
    for (const auto& [name, text] : kTexts)
        if (name == id) return text;
    return "See divdet help for this caution.";
}

} // namespace divdet
