#include "session/save_taps.h"

#include <fmt/format.h>

#include "dump/write.h"

namespace divdet {
namespace {

bool isSafetensors(const std::filesystem::path& file) {
    return file.extension() == ".safetensors";
}

} // namespace

Status checkDumpEnding(const std::filesystem::path& file) {
    if (isSafetensors(file) || file.extension() == ".npz") return Done{};
    return Error{ErrorCode::usage,
                 file.has_extension() ? fmt::format("no dump is written as {}", file.extension().string())
                                      : std::string("the name of a dump needs an ending"),
                 file.string(), "endings are .safetensors, .npz"};
}

Status saveTaps(const run::Taps& taps, const std::filesystem::path& file) {
    if (auto s = checkDumpEnding(file); !s) return s;
    std::vector<NamedTensor> tensors;
    for (const run::Tap& t : taps.taps) tensors.push_back({t.name, t.tensor});
    return isSafetensors(file) ? writeSafetensors(file, tensors) : writeNpz(file, tensors);
}

} // namespace divdet
