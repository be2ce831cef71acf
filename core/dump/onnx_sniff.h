#pragma once
#include "dump/file_bytes.h"

namespace divdet {

/// Protobuf names no type: it is told by the first fields and their wire types.
enum class OnnxKind { none, tensor, model };
OnnxKind onnxKind(const FileBytes& file);

} // namespace divdet
