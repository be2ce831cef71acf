#include "dump/open.h"

#include <fmt/format.h>

#include "dump/foreign_format.h"
#include "dump/reader.h"
#include "dump/runner_choice.h"

namespace divdet {

#define DIVDET_READER(format) Reader format##Reader();
#include "dump/readers.def"
#undef DIVDET_READER

namespace {

const std::vector<Reader>& readers() {
    static const std::vector<Reader> all = {
#define DIVDET_READER(format) format##Reader(),
#include "dump/readers.def"
#undef DIVDET_READER
    };
    return all;
}

} // namespace

Result<std::shared_ptr<const Dump>> openDump(std::shared_ptr<const FileBytes> file) {
    if (file->size() == 0)
        return Error{ErrorCode::truncated, "the file is empty", file->pathText(), "copy or save it again", 0};
    for (const Reader& reader : readers())
        if (reader.matches(*file)) return reader.open(std::move(file));
    const ForeignFormat foreign = foreignFormat(*file);
    if (!foreign.what.empty())
        return Error{ErrorCode::unsupported, fmt::format("this is {}", foreign.what), file->pathText(),
                     std::string(foreign.hint)};
    // What nothing else explains is what it is called: that reader tells what is wrong with it.
    const auto suffix = file->path().extension();
    if (suffix == ".safetensors") return safetensorsReader().open(std::move(file));
    if (suffix == ".onnx") return onnxReader().open(std::move(file));
    if (suffix == ".pb") return tensorprotoReader().open(std::move(file));
    return Error{ErrorCode::unsupported, "the content is of no known format", file->pathText(),
                 "npy, npz, safetensors, ONNX, Polygraphy JSON and folders of them are read"};
}

namespace {

Result<std::shared_ptr<const Dump>> openAll(const std::filesystem::path& path, const OpenOptions& options) {
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) {
        if (options.raw)
            return Error{ErrorCode::usage, "this is a folder; a shape is given for raw files only",
                         path.string(), ""};
        if (options.folders) return openFolder(path, options.ranks);
        return Error{ErrorCode::usage, "this is a folder, not a file", path.string(), ""};
    }
    auto file = FileBytes::open(path);
    if (!file) return file.error();
    if (options.raw) return openRaw(std::move(*file), *options.raw);
    return openDump(std::move(*file));
}

} // namespace

Result<std::shared_ptr<const Dump>> openDump(const std::filesystem::path& path, const OpenOptions& options) {
    auto dump = openAll(path, options);
    if (!dump || options.runner.empty()) return dump;
    return withRunner(std::move(*dump), options.runner);
}

} // namespace divdet
