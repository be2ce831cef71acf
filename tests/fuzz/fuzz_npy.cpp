#include "fuzz/dump_walk.h"

// An npy file as it is, versions 1 to 3.

namespace divdet::fuzz {
namespace {

void npy(Input input) {
    openAndWalk("fuzz.npy", input);
}

std::string npyOf(int version, std::string header, const std::string& data) {
    std::string out("\x93NUMPY", 6);
    out += static_cast<char>(version);
    out += '\0';
    header += '\n';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        out += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return out + header + data;
}

std::vector<std::string> seeds() {
    std::vector<std::string> out;
    for (const NamedTensor& t : sampleTensors())
        out.push_back(writtenFile(".npy", [&](const auto& path) { return writeNpy(path, t.tensor); }));
    const std::string data = "0123456789abcdefghijklmnopqrstuvwxyzABCD";
    out.push_back(npyOf(2, "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 2), }", data));
    out.push_back(npyOf(3,
                        "{'descr': [('a', '<f4', (2,)), ('b', [('c', '>i2'), ('', '|V1')])], "
                        "'fortran_order': False, 'shape': (3,)}",
                        data));
    out.push_back(npyOf(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (4L,)}", data));
    out.push_back(npyOf(1, "{'descr': '|V2', 'fortran_order': True, 'shape': (3, 2)}", data));
    out.push_back(npyOf(1, "{'descr': 'i4,<f8', 'fortran_order': False, 'shape': ()}", data));
    out.push_back(npyOf(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", data));
    return out;
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(npy, divdet::fuzz::npy, divdet::fuzz::seeds)
