#include "dump/safetensors_layout.h"
#include "fuzz/dump_walk.h"

// The JSON header of a safetensors file, its length always right, with as much data behind it as the first
// two bytes say.

namespace divdet::fuzz {
namespace {

void safetensorsHeader(Input input) {
    Choices choices(input);
    const std::size_t dataBytes = choices.number(2) % 4096;
    const std::string_view json = asText(choices.rest());
    if (const auto header = parseSafetensorsHeader(json))
        require(header->entries.size() + header->metadata.size() <= json.size(),
                "no more entries than characters");
    std::string file;
    for (int i = 0; i < 8; ++i) file += static_cast<char>(json.size() >> (8 * i) & 0xff);
    file.append(json).append(dataBytes, '\x3f');
    openAndWalk("fuzz.safetensors", asInput(file));
}

std::vector<std::string> seeds() {
    const auto with = [](std::size_t dataBytes, const std::string& json) {
        return std::string{static_cast<char>(dataBytes >> 8), static_cast<char>(dataBytes & 0xff)} + json;
    };
    return {with(24, R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})"),
            with(6, R"({"__metadata__":{"tap_order":"[\"b\",\"a\"]","x":"y"},)"
                    R"("a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},)"
                    R"("b":{"shape":[],"data_offsets":[4,6],"dtype":"I16","more":{"z":[1,2.5,null,true]}}})"),
            with(3, R"({"a":{"dtype":"F4","shape":[6],"data_offsets":[0,3]},)"
                    R"("b":{"dtype":"U8","shape":[0,18446744073709551615],"data_offsets":[3,3]}})"),
            with(0, R"({"\u0000\u001b[2J":{"dtype":"BOOL","shape":[0],"data_offsets":[0,0]}})")};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(safetensors_header, divdet::fuzz::safetensorsHeader, divdet::fuzz::seeds)
