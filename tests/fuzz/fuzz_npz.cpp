#include "fuzz/dump_walk.h"

// A zip archive as it is.

namespace divdet::fuzz {
namespace {

void npz(Input input) {
    openAndWalk("fuzz.npz", input);
}

std::vector<std::string> seeds() {
    const auto tensors = sampleTensors();
    return {
        writtenFile(".npz", [&](const auto& path) { return writeNpz(path, tensors); }),
        writtenFile(".npz", [&](const auto& path) { return writeNpz(path, std::span(tensors).first(1)); }),
        std::string("PK\5\6", 4) + std::string(18, '\0')};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(npz, divdet::fuzz::npz, divdet::fuzz::seeds)
