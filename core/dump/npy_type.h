#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/npy_literal.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace divdet {

/// A numeric field of a record; nested ones are named `outer.inner`.
struct NpyField {
    std::string name;
    DType dtype = DType::f32;
    bool swapped = false;
    std::size_t offset = 0; ///< bytes from the start of the record
    Shape shape;            ///< of a sub-array field; empty for one number
};

/// What one element of an npy array is.
struct NpyType {
    DType dtype = DType::f32; ///< opaque for void and for records
    std::size_t item = 4;     ///< bytes
    bool swapped = false;     ///< big-endian
    bool record = false;
    std::vector<NpyField> fields; ///< records: the numeric ones, at least one
};

/// The `descr` of a header: numpy's type strings (`<f4`, `|V2`, `float32`, `<i4,<f4`), ml_dtypes' names
/// (bfloat16, …) and lists of fields. Errors: refused for Python objects; unsupported, with the type named,
/// for text, dates, long double and records without numbers; malformed otherwise.
Result<NpyType> parseNpyType(const NpyLiteral& descr);

} // namespace divdet
