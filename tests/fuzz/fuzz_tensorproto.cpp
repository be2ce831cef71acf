#include "fuzz/dump_walk.h"
#include "proto_lite.h"

// A TensorProto file: the bytes as they are; and, for other inputs, as a model whose graph, node or
// initialiser they are, since plain mutation seldom keeps nested lengths right.

namespace divdet::fuzz {
namespace {

using testing::Proto;

void tensorproto(Input input) {
    openAndWalk("fuzz.pb", input);
    const std::string body(asText(input));
    const Proto asTensor = testing::onnxModel(Proto().bytes(5, body));
    openAndWalk("fuzz.onnx", asTensor.file());
    // A type and a dimension in front: later single fields of the input win, dimensions add up.
    const std::string framed = Proto().varint(2, 1).varint(1, 2).text + body;
    openAndWalk("fuzz.pb", asInput(framed));
}

std::vector<std::string> seeds() {
    std::vector<std::string> out = {testing::floatTensor("w", {1, 2, 3}).text};
    for (std::uint64_t type = 0; type < 30; ++type)
        out.push_back(Proto()
                          .varint(1, 2)
                          .varint(1, 2)
                          .varint(2, type)
                          .bytes(8, "n")
                          .bytes(9, "0123456789abcdef")
                          .text);
    for (const std::uint32_t field : {4u, 5u, 7u, 10u, 11u}) // typed values, packed
        out.push_back(Proto()
                          .varint(1, 2)
                          .varint(2, field == 4   ? 1
                                     : field == 5 ? 6
                                                  : field)
                          .bytes(field, "12345678")
                          .text);
    out.push_back(
        Proto().varint(1, 3).varint(2, 22).varint(5, 0x21).varint(5, 3).text); // int4, one number per field
    out.push_back(Proto()
                      .varint(1, 1)
                      .varint(2, 1)
                      .varint(14, 1)
                      .message(13, Proto().bytes(1, "location").bytes(2, "../data"))
                      .message(13, Proto().bytes(1, "offset").bytes(2, "18446744073709551615"))
                      .text);
    out.push_back(Proto().varint(1, 0).varint(2, 1).message(3, Proto().varint(1, 0)).bytes(12, "doc").text);
    return out;
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(tensorproto, divdet::fuzz::tensorproto, divdet::fuzz::seeds)
