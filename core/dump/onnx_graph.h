#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/file_bytes.h"
#include "dump/protobuf_walker.h"

namespace divdet {

/// A TensorProto among the initialisers of a model.
struct OnnxInitialiser {
    ByteRange message;
    std::string prefix;  ///< of subgraphs: `node/attribute/`, else empty
    bool sparse = false; ///< a SparseTensorProto
};

/// Initialisers of the main graph and of the subgraphs of its nodes (If, Loop, Scan), as stored. Names of a
/// subgraph are prefixed by the node that holds it (its name, or `Op#number` of one without), so that the
/// branches of an If keep theirs apart. Errors: malformed or truncated protobuf with its offset; refused
/// beyond kProtobufDepth or kOnnxTensors.
Result<std::vector<OnnxInitialiser>> onnxInitialisers(const FileBytes& file);

} // namespace divdet
