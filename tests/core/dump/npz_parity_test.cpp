#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "dump_test_support.h"

namespace divdet::testing {
namespace {

/// `file:member` numpy reads and this program does not.
const std::map<std::string, std::string> kStricter = {
    {"npz/edge_size_lie.npz:a", "two sizes for a stored member: a lying file is unreadable (formats.md)"},
    {"npz/edge_zip64_size_lie.npz:a", "the same in zip64"},
    {"npz/ok_lzma.npz:a", "LZMA members are refused by name; formats.md asks for stored and deflated"},
};

TEST(NpzParity, WithNumpy) {
    const auto folder = shared("data/onnx/formats");
    DIVDET_NEED_SHARED(folder / "expected.json");
    const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"))["files"];
    int files = 0, refusedFiles = 0, equal = 0, refused = 0, ignored = 0, stricter = 0;
    for (const auto& [name, want] : expected.items()) {
        if (!name.starts_with("npz/")) continue;
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / name);
        EXPECT_EQ(dump.ok(), want["accept"].get<bool>()) << (dump.ok() ? "" : dump.error().text());
        ++files;
        if (!dump.ok() || !want["accept"].get<bool>()) {
            ++refusedFiles;
            continue;
        }
        for (const auto& [member, array] : want["members"].items()) {
            SCOPED_TRACE(member);
            const auto tap = (*dump)->find(member);
            if (array.contains("raw_bytes")) { // not an array: no tap, or one that is unreadable
                ++ignored;
                if (name == "npz/edge_name_and_suffix.npz")
                    continue; // numpy gives the raw 'a', this program 'a.npy'
                EXPECT_TRUE(!tap || (*dump)->taps()[*tap].error);
                continue;
            }
            EXPECT_TRUE(tap) << "no such tap";
            if (!tap) continue;
            const std::string hash = hashOf(**dump, *tap);
            if (array.contains("error")) {
                EXPECT_TRUE(hash.starts_with("error: ")) << "read, numpy says " << array["error"];
                ++refused;
            } else if (kStricter.contains(name + ":" + member)) {
                EXPECT_TRUE(hash.starts_with("error: "));
                ++stricter;
            } else {
                EXPECT_EQ(hash, array["sha256_le"].get<std::string>());
                ++equal;
                if (!array.contains("shape")) continue; // one of many alike: the hash only
                EXPECT_EQ((*dump)->taps()[*tap].shape, array["shape"].get<Shape>());
                EXPECT_EQ(numpyKind((*dump)->taps()[*tap].dtype),
                          array["dtype"].get<std::string>().substr(1));
            }
        }
    }
    std::cout << "npz: " << files << " files (" << refusedFiles << " refused), members: " << equal
              << " equal, " << refused << " refused, " << stricter << " stricter on purpose, " << ignored
              << " not arrays\n";
    EXPECT_GT(equal, 1200);
}

} // namespace
} // namespace divdet::testing
