#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "dump/small_float.h"
#include "tensor/dtype.h"

namespace divdet {

/// How one TensorProto.DataType is stored and what it is read as.
struct OnnxType {
    std::int32_t number;
    std::string_view name; ///< as onnx.proto has it
    DType dtype;           ///< what `load` gives: bits below a byte are unpacked, small floats widened to f32
    unsigned bits;         ///< per element in raw data; elements below 8 bits lie low bits first
    std::uint32_t field;   ///< number of the field that may hold the values instead
    unsigned perField = 1; ///< numbers of that field per element (complex: 2)
    bool isSigned = false; ///< of unpacked integers
    std::optional<SmallFloat> small = std::nullopt;

    bool unpacked() const { return bits < 8 || small.has_value(); }
};

/// Null for numbers that onnx.proto does not know and for STRING and UNDEFINED.
const OnnxType* onnxType(std::int32_t number);

} // namespace divdet
