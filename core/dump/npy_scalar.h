#pragma once
#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "tensor/dtype.h"

namespace divdet {

/// One type string of numpy. Text, dates and long double have a size but are no numbers here.
struct NpyScalar {
    enum class Kind { number, voidBytes, other } kind = Kind::number;
    DType dtype = DType::f32; ///< number only
    std::size_t item = 4;
    bool swapped = false;
};

/// `<f4`, `>i8`, `|b1`, `|V2`, `<U8`, `e`, `float32`, `bfloat16`, … Errors: refused for Python objects,
/// malformed for what numpy does not know either.
Result<NpyScalar> parseNpyScalar(std::string_view text);

} // namespace divdet
