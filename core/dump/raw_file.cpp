#include "dump/raw_file.h"

#include <charconv>

#include <fmt/format.h>

#include "base/split.h"
#include "dump/checked.h"
#include "dump/limits.h"

namespace divdet {
namespace {

class RawDump final : public Dump {
public:
    RawDump(Manifest manifest, std::shared_ptr<const FileBytes> file)
        : Dump(std::move(manifest))
        , m_file(std::move(file)) {}

private:
    Result<Tensor> loadStored(std::size_t, const std::string&) const override {
        const TapEntry& tap = taps()[0];
        TensorView view{tap.dtype, tap.shape, rowMajorStrides(tap.shape, itemSize(tap.dtype)),
                        m_file->bytes().data(), false};
        return Tensor(std::move(view), m_file);
    }
    std::shared_ptr<const FileBytes> m_file;
};

} // namespace

std::optional<Shape> parseShape(const std::string& text) {
    Shape shape;
    if (text == "scalar") return shape;
    for (const std::string& part : split(text, text.find('x') != std::string::npos ? 'x' : ',')) {
        std::int64_t extent = 0;
        const auto r = std::from_chars(part.data(), part.data() + part.size(), extent);
        if (r.ec != std::errc() || r.ptr != part.data() + part.size() || extent < 0) return std::nullopt;
        shape.push_back(extent);
    }
    if (shape.empty() || shape.size() > limits::kNpyDims) return std::nullopt;
    return shape;
}

Result<std::shared_ptr<const Dump>> openRaw(std::shared_ptr<const FileBytes> file, const RawFormat& format) {
    const auto need = byteCount(format.shape, itemSize(format.dtype));
    if (!need || itemSize(format.dtype) == 0)
        return Error{ErrorCode::usage, "the shape has more bytes than 63 bits count", file->pathText(), ""};
    if (*need != file->size())
        return Error{ErrorCode::mismatch,
                     fmt::format("{} × {} needs {} bytes, the file has {}", toString(format.shape),
                                 name(format.dtype), *need, file->size()),
                     file->pathText(), "name the dtype and the shape that were written"};
    Manifest manifest{"raw", file->path(), {}, {}, {}, std::nullopt};
    TapEntry tap;
    tap.name = file->path().stem().string();
    tap.dtype = format.dtype;
    tap.shape = format.shape;
    manifest.taps.push_back(std::move(tap));
    auto dump = std::make_shared<RawDump>(std::move(manifest), file);
    dump->watch(std::move(file));
    return std::shared_ptr<const Dump>(std::move(dump));
}

} // namespace divdet
