#include "block/presets/lm_weights.h"

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "dump/open.h"
#include "tensor/convert.h"

// The assembler puts the file's bytes between two symbols; CMake names the file and rebuilds when it changes.
__asm__(".section .rodata\n"
        ".balign 64\n"
        ".global divdet_lm_begin\n"
        "divdet_lm_begin:\n"
        ".incbin \"" DIVDET_LM_FILE "\"\n"
        ".global divdet_lm_end\n"
        "divdet_lm_end:\n"
        ".byte 0\n"
        ".previous\n");

extern "C" const std::byte divdet_lm_begin[];
extern "C" const std::byte divdet_lm_end[];

namespace divdet::block::presets {
namespace {

Tensor asFp32(const Tensor& t) {
    std::vector<double> wide(static_cast<std::size_t>(t.elements()));
    loadAsDouble(t.view(), 0, wide);
    TensorBuilder out(DType::f32, t.shape());
    const auto to = out.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(wide[i]);
    return std::move(out).finish();
}

/// Nothing is read only in a broken build; a test holds that every weight of the graph is there.
std::vector<TrainedTensor> readAll() {
    std::vector<TrainedTensor> all;
    const auto dump =
        openDump(FileBytes::of("lm.safetensors", std::vector<std::byte>(divdet_lm_begin, divdet_lm_end)));
    if (!dump) return all;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i)
        if (const auto stored = (*dump)->load(i)) all.push_back({(*dump)->taps()[i].name, asFp32(*stored)});
    return all;
}

} // namespace

const std::vector<TrainedTensor>& trainedTensors() {
    static const std::vector<TrainedTensor> all = readAll();
    return all;
}

const Tensor* trainedTensor(std::string_view name) {
    for (const TrainedTensor& t : trainedTensors())
        if (t.name == name) return &t.tensor;
    return nullptr;
}

} // namespace divdet::block::presets
