#include "dump/npy_layout.h"
#include "dump/reader.h"

#include <fmt/format.h>

namespace divdet {
namespace {

class NpyDump final : public Dump {
public:
    NpyDump(Manifest manifest, std::shared_ptr<const FileBytes> file, NpyLayout layout)
        : Dump(std::move(manifest))
        , m_file(std::move(file))
        , m_layout(std::move(layout)) {}

private:
    Result<Tensor> loadStored(std::size_t, const std::string& field) const override {
        auto tensor = npyTensor(m_layout, m_file->bytes().data(), m_file, field);
        if (tensor) return tensor;
        Error e = tensor.error();
        e.path = m_file->pathText();
        return e;
    }
    std::shared_ptr<const FileBytes> m_file;
    NpyLayout m_layout;
};

Result<std::shared_ptr<const Dump>> open(std::shared_ptr<const FileBytes> file) {
    auto layout = readNpyLayout(file->bytes(), file->size());
    if (!layout) {
        Error e = layout.error();
        e.path = file->pathText();
        return e;
    }
    Manifest m{"npy", file->path(), {}, {}, {}, std::nullopt};
    TapEntry tap;
    tap.name = file->path().stem().string();
    describeNpy(*layout, tap);
    if (layout->trailing)
        m.cautions.push_back(
            {"size-mismatch",
             fmt::format("{} bytes follow the array of shape {}", layout->trailing, toString(layout->shape)),
             tap.name});
    m.taps.push_back(std::move(tap));
    return std::shared_ptr<const Dump>(
        std::make_shared<NpyDump>(std::move(m), std::move(file), std::move(*layout)));
}

} // namespace

Reader npyReader() {
    return {[](const FileBytes& file) { return startsLikeNpy(file.bytes()); }, open};
}

} // namespace divdet
