#pragma once
#include "compare/rules/rule_block.h"

namespace divdet::rules {

/// torch.isclose(candidate, reference, rtol, atol, equal_nan), per element: c == r, or both NaN with
/// equal-nan (floating and complex), or a finite |c − r| <= atol + |rtol·r|. Difference and bound are taken
/// in the tensors' type and each operation is rounded to it; of the Python numbers, atol is rounded to it
/// first, while rtol stays a float when it multiplies fp16 or bf16. Integers and bool go through float32.
/// With both tolerances 0 only equality counts. fp8, which isclose does not take, is compared as assert_close
/// does: bit for bit, whatever the tolerance. Errors: mismatch when the types differ; usage for a negative or
/// NaN tolerance. Both as in torch. Source: aten/src/ATen/native/TensorCompare.cpp, cpu/BinaryOpsKernel.cpp.
Result<BlockRule> torchRule(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance);

/// The tolerances of torch.testing.assert_close for a type.
struct TorchDefaults {
    double rtol, atol;
};
TorchDefaults assertCloseDefaults(DType t);

struct AssertClose {
    std::optional<TorchDefaults> tolerance; ///< none: the larger ones of the two types' defaults
    bool equalNan = false;
    bool checkDType = true;
};

/// torch.testing.assert_close(candidate, reference): the outcome of isclose after promotion to a common type.
/// With checkDType, tensors of different types fail with `note` and count no element.
Result<RuleOutcome> assertClose(const Tensor& reference, const Tensor& candidate, const AssertClose& options,
                                const Progress& progress = {});

} // namespace divdet::rules
