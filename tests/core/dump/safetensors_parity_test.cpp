#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "dump/safetensors_layout.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

/// The library accepts, this program does not.
const std::map<std::string, std::string> kStricter = {
    {"safetensors/dup_key_same.safetensors", "duplicate key (formats.md)"},
    {"safetensors/dup_key_shape.safetensors", "duplicate key (formats.md)"},
    {"safetensors/array_form.safetensors",
     "a tensor as a list is an accident of one JSON library, not the format"},
    {"safetensors/shape_zero_huge.safetensors", "an extent beyond 63 bits; numpy cannot load it either"},
};

/// The library refuses, this program reads: content decides, not the suffix.
const std::map<std::string, std::string> kOtherContent = {
    {"safetensors/npy_inside.safetensors", "npy"},
    {"safetensors/zip_inside.safetensors", "npz"},
};

TEST(SafetensorsParity, WithTheLibrary) {
    const auto folder = shared("data/onnx/formats");
    DIVDET_NEED_SHARED(folder / "expected.json");
    const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"))["files"];
    int accepted = 0, refused = 0, stricter = 0, equal = 0, unsupported = 0;
    for (const auto& [name, want] : expected.items()) {
        if (!name.starts_with("safetensors/")) continue;
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / name);
        bool clean = dump.ok();
        if (clean)
            for (const TapEntry& tap : (*dump)->taps()) clean = clean && !tap.error;
        if (!want["accept"].get<bool>()) {
            EXPECT_NE(clean, !kOtherContent.contains(name));
            EXPECT_TRUE(!clean || (*dump)->format() == kOtherContent.at(name));
            ++refused;
            continue;
        }
        if (kStricter.contains(name)) {
            EXPECT_FALSE(clean);
            ++stricter;
            continue;
        }
        EXPECT_TRUE(dump.ok()) << dump.error().text();
        if (!dump.ok()) continue;
        ++accepted;
        EXPECT_EQ((*dump)->taps().size(), want["n_tensors"].get<std::size_t>());
        for (const auto& [tensor, about] : want["tensors"].items()) {
            SCOPED_TRACE(tensor.substr(0, 40));
            const auto tap = (*dump)->find(tensor);
            ASSERT_TRUE(tap);
            EXPECT_EQ((*dump)->taps()[*tap].shape, about["shape"].get<Shape>());
            const auto dtype = safetensorsDType(about["dtype"].get<std::string>());
            if (!dtype) { // exists in the format, refused by name
                EXPECT_NE(hashOf(**dump, *tap).find("'" + about["dtype"].get<std::string>() + "'"),
                          std::string::npos);
                ++unsupported;
                continue;
            }
            EXPECT_EQ((*dump)->taps()[*tap].dtype, *dtype);
            EXPECT_EQ(hashOf(**dump, *tap), about["sha256"].get<std::string>());
            ++equal;
        }
        if (!want["metadata"].is_object()) continue;
        for (const auto& [key, value] : (*dump)->manifest().metadata)
            EXPECT_EQ(want["metadata"].value(key, "?"), value);
    }
    std::cout << "safetensors: " << accepted << " accepted (" << equal << " tensors equal, " << unsupported
              << " of types refused by name), " << refused << " refused by the library, " << stricter
              << " stricter on purpose\n";
    EXPECT_GT(equal, 60);
    EXPECT_GT(refused, 60);
}

} // namespace
} // namespace divdet::testing
