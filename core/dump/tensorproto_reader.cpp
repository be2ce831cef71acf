#include "dump/onnx_sniff.h"
#include "dump/reader.h"
#include "dump/tensorproto.h"

namespace divdet {
namespace {

class TensorProtoDump final : public Dump {
public:
    TensorProtoDump(Manifest manifest, std::shared_ptr<const FileBytes> file, TensorProto tensor)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_tensor(std::move(tensor)) {}

private:
    Result<Tensor> loadStored(std::size_t, const std::string&) const override {
        return loadTensorProto(*m_file, m_tensor, taps()[0].shape);
    }
    std::shared_ptr<const FileBytes> m_file;
    TensorProto m_tensor;
};

/// A file is one message; its damage is that of the whole.
Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    Manifest manifest{"tensorproto", file->path(), {}, {}, {}, std::nullopt};
    OnnxExternalFiles external(*file);
    TapEntry tap;
    TensorProto tensor = describeTensorProto(file, {0, file->size()}, external, tap, manifest.cautions);
    if (tensor.fields.fault) {
        Error e = *tap.error;
        e.path = file->pathText();
        return e;
    }
    if (tap.name.empty()) tap.name = file->path().stem().string();
    for (Caution& caution : manifest.cautions) caution.tap = tap.name;
    manifest.taps.push_back(std::move(tap));
    return std::shared_ptr<const Dump>(
        std::make_shared<TensorProtoDump>(std::move(manifest), std::move(file), std::move(tensor)));
}

} // namespace

Reader tensorprotoReader() {
    return {[](const FileBytes& file) { return onnxKind(file) == OnnxKind::tensor; }, open};
}

} // namespace divdet
