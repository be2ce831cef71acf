#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "dump_test_support.h"

namespace divdet::testing {
namespace {

/// numpy accepts, this program refuses or reads otherwise: arrays that are not numbers (formats.md, D04).
bool isNotANumber(const std::string& dtype) {
    return dtype.find_first_of("SUMmO") == 1 || dtype == "<f16" || dtype == "<c32" || dtype == "|V0" ||
           dtype == "[]";
}

/// numpy refuses, this program reads.
const std::map<std::string, std::string> kLaxer = {
    {"npy/edge_header_over_10000.npy", "numpy's limit is a default; case D02 wants a 70 kB header read"},
    {"npy/edge_v2_pad_10k.npy", "the same"},
};

TEST(NpyParity, WithNumpy) {
    const auto folder = shared("data/onnx/formats");
    DIVDET_NEED_SHARED(folder / "expected.json");
    const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"))["files"];
    int accepted = 0, refused = 0, notNumbers = 0, hashed = 0, laxer = 0;
    for (const auto& [name, want] : expected.items()) {
        if (!name.starts_with("npy/")) continue;
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / name);
        if (!want["accept"].get<bool>()) {
            const bool allowed = kLaxer.contains(name) || want.value("accept_with_ml_dtypes", false);
            laxer += allowed && dump.ok();
            EXPECT_TRUE(allowed || !dump.ok());
            EXPECT_TRUE(dump.ok() || !dump.error().message.empty());
            ++refused;
            continue;
        }
        const auto& array = want["array"];
        const std::string dtype = array["dtype"];
        if (isNotANumber(dtype)) {
            EXPECT_FALSE(dump.ok()) << dtype;
            ++notNumbers;
            continue;
        }
        EXPECT_TRUE(dump.ok()) << dump.error().text();
        if (!dump.ok()) continue;
        ++accepted;
        const TapEntry& tap = (*dump)->taps().at(0);
        EXPECT_EQ(tap.shape, array["shape"].get<Shape>());
        const bool record = dtype[0] == '[';
        if (!record) {
            const bool isVoid = tap.dtype == DType::opaque;
            EXPECT_EQ(isVoid ? "V" + std::to_string(tap.opaqueItem) : numpyKind(tap.dtype), dtype.substr(1));
        }
        const bool wholeRecord = !record || !tap.fields.empty() || dtype == "[('a', '<f4')]";
        if (!wholeRecord) continue; // a single field stands for the record; its hash is another
        EXPECT_EQ(hashOf(**dump, 0, {.opaqueAs = DType::opaque, .field = ""}),
                  array["sha256_le"].get<std::string>());
        ++hashed;
    }
    std::cout << "npy: " << accepted << " accepted (" << hashed << " hashes equal), " << refused
              << " refused by numpy (" << laxer << " read on purpose), " << notNumbers << " not numbers\n";
    EXPECT_GT(accepted, 50);
    EXPECT_GT(refused, 50);
}

} // namespace
} // namespace divdet::testing
