#include <array>

#include "fuzz/dump_walk.h"

// Any bytes under any name: which reader takes them, or what they are called instead.

namespace divdet::fuzz {
namespace {

constexpr std::array kNames = {"x",    "x.npy",    "x.npz",  "x.safetensors",
                               "x.pt", "x.bin",    "x.onnx", "x.json",
                               "x.pb", "x.divdet", "x.txt",  "a/../x-00001-of-00000002.pth"};

void sniff(Input input) {
    Choices choices(input);
    const std::string name = kNames[choices.byte() % kNames.size()];
    openAndWalk(name, choices.rest());
}

std::vector<std::string> seeds() {
    using namespace std::string_literals;
    std::vector<std::string> out;
    for (const std::string& magic :
         {"\x1f\x8b"s, "BZh"s, "\x28\xb5\x2f\xfd"s, "\x89HDF\r\n\x1a\n"s, "GGUF"s, "\xef\xbb\xbf{"s,
          "<!DOCTYPE"s, "\x7f"s + "ELF"s, "\x80\x02}q\0."s, "\x08\x07\x12\x02pt"s, "{\"weight_map\": {}}"s,
          "[1, 2]"s, "text\n"s, "PK\3\4"s, "\x93NUMPY\1\0"s, "\4\0\0\0\0\0\0\0{}  "s,
          std::string(257, ' ') + "ustar\0"s})
        out.push_back("\0"s + magic);
    return out;
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(sniff, divdet::fuzz::sniff, divdet::fuzz::seeds)
