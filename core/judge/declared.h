#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tensor/dtype.h"

namespace divdet {

/// A step that loses precision and that the user says is there: a drift pass of a live block, or one of the
/// finer ones of `divdet compare --declare`. A fault has none: it never declares itself.
enum class LossyStep : std::uint8_t {
#define DIVDET_LOSSY_STEP(name, id, operandBits, outputBits, text) name,
#include "judge/lossy_steps.def"
#undef DIVDET_LOSSY_STEP
};

struct LossyStepInfo {
    LossyStep step;
    std::string_view id;         ///< as in --declare
    int operandBits, outputBits; ///< significand left, with the leading one; 0: untouched
    std::string_view text;       ///< half a sentence
};
std::span<const LossyStepInfo> lossySteps(); ///< in the order of judge/lossy_steps.def
std::string_view id(LossyStep step);

/// What a backend is documented to do; its id stands for its steps in --declare.
struct BackendProfile {
    std::string_view id;
    std::string_view steps; ///< ids with commas
    std::string_view text;  ///< what the backend's documentation says
};
std::span<const BackendProfile> backendProfiles();

/// The lossy steps of a comparison. Reassociation is always allowed, whether it is named or not.
class Declared {
public:
    /// Ids of steps and profiles with commas; the empty text declares nothing. Errors: usage for an id that
    /// is neither, with the nearest one.
    static Result<Declared> parse(std::string_view text);
    static Declared of(std::span<const LossyStep> steps);

    bool has(LossyStep step) const;
    bool empty() const { return m_steps.empty(); }                  ///< nothing was named
    const std::vector<LossyStep>& steps() const { return m_steps; } ///< each once, in the order of the table

    /// Half an ulp of 1 in the coarsest type that operands of products are rounded to; 0: none is declared.
    /// `op` is the kind of operator where it is known: TF32 of convolutions alone counts for those only.
    double operandRoundoff(std::string_view op = {}) const;
    /// Half an ulp of 1 in the coarsest type that results are stored in; 0: none is declared.
    double outputRoundoff() const;
    bool int8() const; ///< 8-bit or 4-bit integers: errors are steps of a scale, not of a value
    bool int4() const; ///< 4-bit integers are among them
    bool fp8() const;
    /// Partial sums of a product whose result has this type may be added in bf16; likewise in fp16.
    bool bf16Partials(DType result) const;
    bool fp16Partials(DType result) const;

    std::string text() const; ///< ids with commas, which parse() reads back

    bool operator==(const Declared&) const = default;

private:
    std::vector<LossyStep> m_steps;
};

} // namespace divdet
