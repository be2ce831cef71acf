#include "fuzz/dump_walk.h"
#include "fuzz/scratch.h"
#include "proto_lite.h"

// An ONNX model: bytes as they are; and a graph built from the input, with nodes, subgraphs, initialisers and
// external data in a folder that has one data file and a link out of it.

namespace divdet::fuzz {
namespace {

using testing::Proto;

Proto tensorFrom(Choices& choices) {
    const std::uint8_t how = choices.byte();
    Proto t;
    for (int d = how % 4; d > 0; --d) t.varint(1, choices.byte() % 8u);
    t.varint(2, choices.byte() % 32u);
    if (how & 0x10) t.bytes(8, choices.line());
    if (how & 0x20) {
        t.varint(14, 1).message(13, Proto().bytes(1, "location").bytes(2, choices.line()));
        if (how & 0x40) t.message(13, Proto().bytes(1, "offset").bytes(2, choices.line()));
        if (how & 0x80) t.message(13, Proto().bytes(1, "length").bytes(2, choices.line()));
    } else {
        const std::uint32_t fields[] = {9, 4, 5, 7, 10, 11, 6, 13};
        t.bytes(fields[how >> 5], choices.text(choices.byte()));
    }
    return t;
}

Proto graphFrom(Choices& choices, int depth) {
    Proto graph;
    for (int i = 0; i < 8 && !choices.empty(); ++i) {
        const std::uint8_t what = choices.byte();
        if (what % 4 == 0 && depth < 110) {
            Proto node, attribute;
            if (what & 0x10) node.bytes(3, choices.line());
            attribute.bytes(1, choices.line()).message(what & 0x20 ? 11 : 6, graphFrom(choices, depth + 1));
            graph.message(1, node.message(5, attribute).bytes(4, "If"));
        } else if (what % 4 == 1) {
            graph.message(15, Proto().message(1, tensorFrom(choices)));
        } else if (what % 4 == 2) {
            graph.message(5, tensorFrom(choices));
        } else {
            break;
        }
    }
    return graph;
}

void onnx(Input input) {
    openAndWalk("fuzz.onnx", input);
    Choices choices(input);
    const std::string model = testing::onnxModel(graphFrom(choices, 0)).text;
    openAndWalk("fuzz.onnx", asInput(model)); // not a file of its own: no external data
    if (asText(input).find("data") == std::string_view::npos) return;
    const auto folder = emptyScratch();
    writeText(folder / "data", std::string(64, 'd'));
    std::filesystem::create_symlink("/proc/self/status", folder / "data.link");
    writeText(folder / "m.onnx", model);
    if (const auto dump = openDump(folder / "m.onnx"))
        walkDump(**dump, std::max<std::uint64_t>(model.size(), 64));
}

std::vector<std::string> seeds() {
    using namespace std::string_literals;
    const Proto branch = Proto().message(5, testing::floatTensor("w", {5}));
    const Proto node =
        Proto().message(5, Proto().bytes(1, "then").message(6, branch).message(6, branch)).bytes(4, "If");
    return {testing::onnxModel(Proto().message(1, node).message(5, testing::floatTensor("w", {1, 2}))).text,
            "\x02\x11\x02\x01name\n\x08"
            "12345678\x02\x21\x01\x01"
            "data\n"s,
            "\x02\xe1\x02\x01"
            "data\n4\n8\n\x02\x21\x01\x01"
            "../data\n\x02\x21\x01\x01"
            "data.link\n"s,
            "\0then\n\0else\n\x02\x11\x02\x06w\n\x08"
            "12345678"s};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(onnx, divdet::fuzz::onnx, divdet::fuzz::seeds)
