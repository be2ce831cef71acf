#include "fuzz/dump_walk.h"
#include "fuzz/torch_sample.h"

// A file of torch.save before zip: as it is; and built around the input as the opcodes of the object's
// pickle.

namespace divdet::fuzz {
namespace {

std::string legacy(std::string_view opcodes) {
    std::string out = "\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19." // the magic number
                      "\x80\2M\xe9\3."                                          // version 1001
                      "\x80\2}(X\x0d\0\0\0little_endian\x88u."s;
    out += "\x80\2" + std::string(opcodes) + ".";
    out += "\x80\2](X\1\0\0\0"
           "0X\1\0\0\0"
           "1e."s; // keys, then the storages
    for (const std::size_t bytes : {32u, 16u}) out += "\x08\0\0\0\0\0\0\0"s + std::string(bytes, '\x3f');
    return out;
}

void torchLegacy(Input input) {
    openAndWalk("fuzz.pt", input);
    const std::string file = legacy(asText(input));
    openAndWalk("fuzz.pt", asInput(file));
}

std::vector<std::string> seeds() {
    return {legacy(torchDict()), torchDict(), torchTensor("Long", "0"), "cbuiltins\neval\nX\1\0\0\0x\x85R"s};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(torch_legacy, divdet::fuzz::torchLegacy, divdet::fuzz::seeds)
