#include "fuzz/dump_walk.h"
#include "fuzz/torch_sample.h"
#include "fuzz/zip_builder.h"

// A zip file of torch.save: as it is; and built around the input as the opcodes of its pickle, with two
// storages.

namespace divdet::fuzz {
namespace {

std::string archive(std::string_view opcodes, bool bigEndian, ZipBuilder::Pack pack) {
    ZipBuilder zip;
    zip.add("archive/data.pkl", "\x80\2" + std::string(opcodes) + ".", pack);
    zip.add("archive/byteorder", bigEndian ? "big" : "little");
    zip.add("archive/data/0", std::string(32, '\x3f'), pack);
    zip.add("archive/data/1", std::string(16, '\x3f'));
    zip.add("archive/version", "3\n");
    return zip.finish();
}

void torch(Input input) {
    openAndWalk("fuzz.pt", input);
    const std::size_t how = input.size() % 4;
    const std::string file =
        archive(asText(input), how & 1, how & 2 ? ZipBuilder::Pack::deflated : ZipBuilder::Pack::stored);
    openAndWalk("fuzz.pt", asInput(file));
}

std::vector<std::string> seeds() {
    return {archive(torchDict(), false, ZipBuilder::Pack::stored),
            torchDict(),
            torchTensor("Half", "0"),
            "ctorch._utils\n_rebuild_parameter\n("s + torchTensor("Double", "0") +
                "\x88"
                "ccollections\nOrderedDict\n)RtR",
            "ctorch._utils\n_rebuild_qtensor\n((X\7\0\0\0storagectorch\nQInt8Storage\nX\1\0\0\0"
            "0X\3\0\0\0cpuK\x08tQK\0K\2K\2\x86K\2K"
            "\1\x86(ctorch\nper_tensor_affine\nG?\xe0\0\0\0\0\0\0K\3t\x89"
            "ccollections\nOrderedDict\n)RtR"s,
            "cposix\nsystem\nX\2\0\0\0id\x85R"s,
            "}q\0(X\1\0\0\0ah\0X\1\0\0\0bh\0u"s};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(torch, divdet::fuzz::torch, divdet::fuzz::seeds)
