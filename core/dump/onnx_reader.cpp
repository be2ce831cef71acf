#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/sigbus_guard.h"
#include "dump/onnx_graph.h"
#include "dump/onnx_sniff.h"
#include "dump/reader.h"
#include "dump/tensorproto.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

class OnnxDump final : public Dump {
public:
    OnnxDump(Manifest manifest, std::shared_ptr<const FileBytes> file, std::vector<TensorProto> tensors)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_tensors(std::move(tensors)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string&) const override {
        return loadTensorProto(*m_file, m_tensors[index], taps()[index].shape);
    }
    std::shared_ptr<const FileBytes> m_file;
    std::vector<TensorProto> m_tensors;
};

/// The name of a sparse tensor is that of its values (field 1).
TapEntry sparseTap(const std::shared_ptr<const FileBytes>& file, ByteRange message) {
    TapEntry tap;
    OnnxExternalFiles none(*file);
    std::vector<Caution> ignored;
    std::optional<ByteRange> values;
    const std::byte* bytes = file->bytes().data();
    const bool there = guardMappedRead([&] {
        ProtobufWalker walker(bytes, message);
        WireField f;
        while (walker.next(f))
            if (f.is(1, WireType::bytes)) values = f.payload;
    });
    if (there && values) describeTensorProto(file, *values, none, tap, ignored);
    tap.shape.clear();
    tap.error = Error{ErrorCode::unsupported, "the initialiser is sparse", file->pathText(),
                      "store it dense to compare it", message.offset};
    return tap;
}

class Builder {
public:
    explicit Builder(std::shared_ptr<const FileBytes> file)
        : m_file(std::move(file))
        , m_external(*m_file) {}

    Manifest manifest;
    std::vector<TensorProto> tensors;

    void add(const OnnxInitialiser& from) {
        std::vector<Caution> cautions;
        TapEntry tap;
        TensorProto tensor;
        if (from.sparse)
            tap = sparseTap(m_file, from.message);
        else
            tensor = describeTensorProto(m_file, from.message, m_external, tap, cautions);
        if (tap.name.empty()) tap.name = fmt::format("initializer_{}", tensors.size());
        tap.name = from.prefix + tap.name;
        for (Caution& c : cautions) {
            c.tap = tap.name;
            manifest.cautions.push_back(std::move(c));
        }
        const auto [slot, fresh] = m_at.try_emplace(tap.name, tensors.size());
        if (fresh) {
            manifest.taps.push_back(std::move(tap));
            tensors.push_back(std::move(tensor));
            return;
        }
        manifest.cautions.push_back(
            {"duplicate-member", inQuotes(tap.name) + " is there twice; the last one counts", tap.name});
        tensors[slot->second] = std::move(tensor);
        manifest.taps[slot->second] = std::move(tap);
    }

private:
    std::shared_ptr<const FileBytes> m_file;
    OnnxExternalFiles m_external;
    std::unordered_map<std::string, std::size_t> m_at;
};

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    auto found = onnxInitialisers(*file);
    if (!found) return found.error();
    if (found->empty())
        return Error{ErrorCode::unsupported,
                     "the ONNX model has no initialisers, so there is nothing to compare", file->pathText(),
                     "save its outputs, e.g. as npz"};
    Builder builder(file);
    builder.manifest = Manifest{"onnx", file->path(), {}, {}, {}, std::nullopt};
    for (const OnnxInitialiser& initialiser : *found) builder.add(initialiser);
    return std::shared_ptr<const Dump>(
        std::make_shared<OnnxDump>(std::move(builder.manifest), std::move(file), std::move(builder.tensors)));
}

} // namespace

Reader onnxReader() {
    return {[](const FileBytes& file) { return onnxKind(file) == OnnxKind::model; }, open};
}

} // namespace divdet
