#pragma once
#include <array>
#include <string>
#include <vector>

#include "lower/lowered.h"
#include "tensor/tensor.h"

namespace divdet {

/// An op with its inputs, for backends to agree on.
struct OpCase {
    lower::LoweredOp op;
    std::vector<Tensor> inputs;
    bool mustRun = false; ///< else both may refuse it

    std::string text() const; ///< kind and slots
};

/// Products [m, k, n] with every value of every slot, and combinations that only make sense together.
std::vector<OpCase> productCases(const std::vector<std::array<std::int64_t, 3>>& shapes);
std::vector<OpCase> fusedCases(); ///< batches, biases, and steps behind a product
std::vector<OpCase> convolutionCases();
std::vector<OpCase> rowCases();
std::vector<OpCase> pointwiseCases();
std::vector<OpCase> dataCases(); ///< moves, gathers, codes, ordered scatter-adds
std::vector<OpCase> emptyCases();

/// Equal dtype, shape and bits (NaNs: equal places). Says the first difference; empty: there is none.
std::string difference(const Tensor& got, const Tensor& wanted);

} // namespace divdet
