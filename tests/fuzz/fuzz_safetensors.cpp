#include "fuzz/dump_walk.h"

// A safetensors file as it is.

namespace divdet::fuzz {
namespace {

void safetensors(Input input) {
    openAndWalk("model-00001-of-00002.safetensors", input);
}

std::vector<std::string> seeds() {
    const auto tensors = sampleTensors();
    const std::vector<std::pair<std::string, std::string>> about = {{"format", "pt"}};
    return {
        writtenFile(".safetensors", [&](const auto& path) { return writeSafetensors(path, tensors, about); }),
        writtenFile(".safetensors",
                    [&](const auto& path) { return writeSafetensors(path, std::span(tensors).first(1)); })};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(safetensors, divdet::fuzz::safetensors, divdet::fuzz::seeds)
