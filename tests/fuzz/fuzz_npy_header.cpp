#include "dump/npy_layout.h"
#include "dump/npy_literal.h"
#include "dump/npy_scalar.h"
#include "fuzz/dump_walk.h"

// The header of an npy file alone: whatever its text, the lengths around it are right, and there is data for
// a small array. First byte: format version; second: bytes of data / 8.

namespace divdet::fuzz {
namespace {

std::string framed(int version, std::string_view header, std::size_t dataBytes) {
    std::string out("\x93NUMPY", 6);
    out += static_cast<char>(version);
    out += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        out += static_cast<char>(header.size() >> (8 * i) & 0xff);
    return out.append(header).append(dataBytes, '\x3f');
}

std::size_t parts(const NpyLiteral& v) {
    std::size_t n = 1;
    for (const NpyLiteral& item : v.items) n += parts(item);
    require(v.kind != NpyLiteral::Kind::dict || v.items.size() % 2 == 0, "a dictionary has pairs");
    return n;
}

void npyHeader(Input input) {
    Choices choices(input);
    const int version = 1 + choices.byte() % 3;
    const std::size_t dataBytes = 8u * choices.byte();
    const std::string_view text = asText(choices.rest()).substr(0, 0xffff);
    const auto literal = parseNpyLiteral(text, version < 3);
    if (literal) {
        require(parts(*literal) <= text.size() + 1, "a literal has no more parts than characters");
        (void)parseNpyType(*literal);
    }
    (void)parseNpyScalar(text);
    const std::string file = framed(version, text, dataBytes);
    openAndWalk("fuzz.npy", asInput(file));
}

std::vector<std::string> seeds() {
    std::vector<std::string> out;
    for (const char* header : {
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
             "{'descr': '|V2', 'fortran_order': True, 'shape': (2, 3)}",
             "{\"shape\": (0x10, 0o7L, 0b1,), r'descr': u'<c16', 'fortran_order': True} # note",
             "{'descr': [('a', '<f4'), (('title', 'b'), '>i2', (2, 2)), ('c', [('d', '|b1'), ('e', "
             "'<u8')])], "
             "'fortran_order': False, 'shape': (1, 2)}",
             "{'descr': '<f4,>i2,3f8', 'fortran_order': False, 'shape': ()}",
             "{'descr': 'float8_e4m3fn', 'fortran_order': False, 'shape': (3,)}",
             "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (9223372036854775807, 0, 4)}",
             "{'descr': '\\x3c\\u0066' '4', 'fortran_order': False, 'shape': (1_0,), 'shape': (+1, )}",
         })
        out.push_back(std::string("\0\x10", 2) + header);
    return out;
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(npy_header, divdet::fuzz::npyHeader, divdet::fuzz::seeds)
