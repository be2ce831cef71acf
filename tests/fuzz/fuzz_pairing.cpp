#include <algorithm>
#include <vector>

#include "dump/pairing.h"
#include "fuzz/target.h"

// Two dumps of nothing but names, and what the user asks for. Names are any bytes; one may repeat a few bytes
// thousands of times, because names that long must not cost more than time in proportion.

namespace divdet::fuzz {
namespace {

class Names final : public Dump {
public:
    explicit Names(Manifest manifest)
        : Dump(std::move(manifest)) {}

private:
    Result<Tensor> loadStored(std::size_t, const std::string&) const override {
        return Error{ErrorCode::usage, "there are only names here", "", ""};
    }
};

std::string nameFrom(Choices& choices) {
    const std::uint8_t length = choices.byte();
    if (length != 0xff) return choices.text(length % 64u);
    const std::string part = choices.text(choices.byte() % 16u);
    std::string out;
    for (std::uint64_t left = choices.number(2) % 1000; left > 0; --left) out += part;
    return out;
}

std::vector<std::string> namesFrom(Choices& choices, std::size_t most) {
    std::vector<std::string> out(choices.byte() % (most + 1));
    for (std::string& name : out) name = nameFrom(choices);
    return out;
}

Names dumpFrom(Choices& choices) {
    Manifest m{"fuzz", "fuzz", {}, {}, {}, std::nullopt};
    for (std::string& name : namesFrom(choices, 12)) {
        TapEntry tap;
        tap.name = std::move(name);
        const std::uint8_t kind = choices.byte();
        if (kind & 1) tap.shape = {kind % 4};
        if (kind == 0x80) tap.error = Error{ErrorCode::malformed, "damaged", "", ""};
        m.taps.push_back(std::move(tap));
    }
    return Names(std::move(m));
}

void checkEachOnce(const Pairing& p, std::size_t references, std::size_t candidates, bool all) {
    std::vector<int> r(references), c(candidates);
    for (const Pair& pair : p.pairs) {
        require(pair.reference < references && pair.candidate < candidates, "pairs are of existing taps");
        ++r[pair.reference];
        ++c[pair.candidate];
    }
    for (const std::size_t i : p.onlyReference) ++r.at(i);
    for (const std::size_t i : p.onlyCandidate) ++c.at(i);
    for (const auto* counts : {&r, &c})
        for (const int n : *counts) require(all ? n == 1 : n <= 1, "each tap is somewhere once");
}

void pairing(Input input) {
    Choices choices(input);
    const Names reference = dumpFrom(choices), candidate = dumpFrom(choices);
    const auto plain = pairTaps(reference, candidate);
    require(plain.ok(), "without wishes every two dumps can be paired");
    checkEachOnce(*plain, reference.taps().size(), candidate.taps().size(), true);

    PairingOptions options;
    const auto pick = [&](const Names& dump) {
        const std::uint8_t which = choices.byte();
        return which < dump.taps().size() ? dump.taps()[which].name : nameFrom(choices);
    };
    for (std::uint8_t n = choices.byte() % 4; n > 0; --n) {
        std::string r = pick(reference);
        options.explicitPairs.emplace_back(std::move(r), pick(candidate));
    }
    options.only = namesFrom(choices, 2);
    options.skip = namesFrom(choices, 2);
    for (std::uint8_t n = choices.byte() % 4; n > 0; --n) options.order.push_back(pick(reference));
    const auto wished = pairTaps(reference, candidate, options);
    if (wished)
        checkEachOnce(*wished, reference.taps().size(), candidate.taps().size(),
                      options.only.empty() && options.skip.empty());
    else
        require(wished.error().code == ErrorCode::usage && wished.error().text().size() < 4096,
                "what cannot be paired is the user's request, told in short");
}

std::vector<std::string> seeds() {
    using namespace std::string_literals;
    const auto list = [](const std::vector<std::string>& names) {
        std::string out(1, static_cast<char>(names.size()));
        for (const std::string& n : names) (out += static_cast<char>(n.size())) += n + '\1';
        return out;
    };
    const std::string longName = "\1\xff\7module.\x40\0\1"s;
    return {list({"a", "b", "../c"}) + list({"module.a", "B:0", "/c/Reshape_output_0"}),
            list({"n\0l"s, "\x1b[2J", "\xff\xfe"}) + list({"n\0l"s, "x"}),
            list({"a", "b"}) + list({"a", "c"}) + "\1\1\1\1\1*\1\2?b"s, longName + longName};
}

} // namespace
} // namespace divdet::fuzz

DIVDET_FUZZ_TARGET(pairing, divdet::fuzz::pairing, divdet::fuzz::seeds)
