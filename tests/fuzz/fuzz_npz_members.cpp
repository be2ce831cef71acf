#include "fuzz/dump_walk.h"
#include "fuzz/zip_builder.h"

// An npz archive built from the input, with right checksums, so that the bytes of the members are reached:
// per member how it is packed and what its directory entry lies about, a name, a length and the bytes.

namespace divdet::fuzz {
namespace {

constexpr std::uint8_t kDeflated = 1, kNpyName = 2, kLies = 4;

void npzMembers(Input input) {
    Choices choices(input);
    ZipBuilder zip;
    for (int member = 0; member < 12 && !choices.empty(); ++member) {
        const std::uint8_t how = choices.byte();
        std::string name = choices.text(choices.byte() % 32u);
        if (how & kNpyName) name += ".npy";
        if (how & kLies) {
            ZipBuilder::Lie lie;
            lie.size = static_cast<std::uint32_t>(choices.number(4));
            lie.compressed = static_cast<std::uint32_t>(choices.number(2));
            lie.crc = choices.byte();
            lie.header = static_cast<std::uint32_t>(choices.number(2));
            lie.flags = choices.byte();
            lie.method = choices.byte() % 16u;
            zip.lieNext(lie);
        }
        const Input data = choices.take(choices.number(2));
        zip.add(name, asText(data), how & kDeflated ? ZipBuilder::Pack::deflated : ZipBuilder::Pack::stored);
    }
    const std::string file = zip.finish();
    openAndWalk("fuzz.npz", asInput(file));
}

std::string member(std::uint8_t how, const std::string& name, const std::string& data,
                   const std::string& lie = {}) {
    std::string out;
    out += static_cast<char>(how);
    out += static_cast<char>(name.size());
    out += name + lie;
    out += static_cast<char>(data.size() >> 8);
    out += static_cast<char>(data.size() & 0xff);
    return out + data;
}

std::vector<std::string> seeds() {
    const auto npyOf = [](const NamedTensor& t) {
        return writtenFile(".npy", [&](const auto& path) { return writeNpy(path, t.tensor); });
    };
    const auto tensors = sampleTensors();
    const std::string a = npyOf(tensors[0]), b = npyOf(tensors[3]);
    const std::string noLie(10, '\0'), bomb = std::string("\x3f\xff\xff\xff", 4) + std::string(6, '\0');
    return {member(kNpyName, "a", a) + member(kNpyName | kDeflated, "b", b),
            member(kNpyName, "a", a) + member(kNpyName, "a", b) + member(0, "README", "text"),
            member(kNpyName | kDeflated | kLies, "../x", a, bomb) +
                member(kLies, std::string("d/\0e", 4), b, noLie)};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(npz_members, divdet::fuzz::npzMembers, divdet::fuzz::seeds)
