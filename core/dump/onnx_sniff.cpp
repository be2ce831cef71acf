#include "dump/onnx_sniff.h"

#include "base/sigbus_guard.h"
#include "dump/limits.h"
#include "dump/protobuf_walker.h"

namespace divdet {
namespace {

/// Which fields were seen, and whether all were such as onnx.proto has them.
struct Seen {
    bool typeOfTensor = false, rawOrDims = false;       ///< of a TensorProto
    bool version = false, graph = false, opset = false; ///< of a ModelProto
    bool producer = false;
    bool tensorOnly = true, modelOnly = true, whole = true;
    std::size_t fields = 0;
};

bool fitsTensor(const WireField& f) {
    const bool packable = f.type == WireType::bytes;
    switch (f.number) {
    case 1:
    case 5:
    case 7:
    case 11:
        return packable || f.type == WireType::varint;
    case 2:
        return f.type == WireType::varint && f.value < 256;
    case 14:
        return f.type == WireType::varint;
    case 4:
        return packable || f.type == WireType::fixed32;
    case 10:
        return packable || f.type == WireType::fixed64;
    default:
        return packable && f.number <= 16;
    }
}

bool fitsModel(const WireField& f) {
    if (f.number == 1) return f.type == WireType::varint && f.value < 10'000;
    if (f.number == 5) return f.type == WireType::varint;
    return f.type == WireType::bytes &&
           (f.number <= 14 || f.number == 20 || f.number == 25 || f.number == 26);
}

Seen look(const FileBytes& file) {
    Seen seen;
    ProtobufWalker walker(file.bytes().data(), {0, file.size()});
    WireField f;
    while (seen.fields < limits::kOnnxSniffFields && walker.next(f)) {
        ++seen.fields;
        seen.tensorOnly = seen.tensorOnly && fitsTensor(f);
        seen.modelOnly = seen.modelOnly && fitsModel(f);
        seen.typeOfTensor |= f.is(2, WireType::varint);
        seen.rawOrDims |= f.number == 1 || f.is(9, WireType::bytes) || f.is(4, WireType::bytes);
        seen.version |= f.is(1, WireType::varint);
        seen.producer |= f.is(2, WireType::bytes);
        seen.graph |= f.is(7, WireType::bytes);
        seen.opset |= f.is(8, WireType::bytes);
    }
    seen.whole = !walker.fault();
    return seen;
}

} // namespace

OnnxKind onnxKind(const FileBytes& file) {
    Seen seen;
    if (!guardMappedRead([&] { seen = look(file); })) return OnnxKind::none;
    // A tensor tells its type by a number in field 2, where a model has the producer's name.
    const bool tensor = seen.typeOfTensor && seen.rawOrDims && !seen.producer;
    const bool model = !seen.typeOfTensor && seen.version && (seen.graph || seen.opset || seen.producer);
    if (tensor && (seen.tensorOnly || (seen.whole && seen.fields > 2))) return OnnxKind::tensor;
    if (model && (seen.modelOnly || (seen.whole && seen.graph))) return OnnxKind::model;
    if (model && seen.graph && seen.opset) return OnnxKind::model;
    return OnnxKind::none;
}

} // namespace divdet
