#pragma once
#include <memory>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/file_bytes.h"
#include "dump/onnx_external.h"
#include "dump/onnx_type.h"
#include "dump/tensorproto_fields.h"

namespace divdet {

/// A TensorProto message whose numbers are checked against the bytes that are there.
struct TensorProto {
    TensorProtoFields fields;
    const OnnxType* type = nullptr;
    std::shared_ptr<const FileBytes>
        holder; ///< of `data`: the model, or an external file; null: typed values
    ByteRange data;
};

/// Reads the message without its values. What is wrong with it is the error of `tap`; a name that is no UTF-8
/// counts as Latin-1; an empty one stays empty.
TensorProto describeTensorProto(const std::shared_ptr<const FileBytes>& file, ByteRange message,
                                OnnxExternalFiles& external, TapEntry& tap, std::vector<Caution>& cautions);

/// A window on raw and external data of whole-byte types; a new buffer for typed values, packed bits and
/// small floats. Precondition: the tap has no error.
Result<Tensor> loadTensorProto(const FileBytes& file, const TensorProto& tensor, const Shape& shape);

} // namespace divdet
