#include <cmath>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "dump/onnx_type.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

/// The library accepts, this program does not.
const std::map<std::string, std::string> kStricter = {
    {"bad_dims_minus1.pb",
     "numpy's reshape infers -1 by accident; onnx.checker refuses it, and so does case D15"},
};

/// The library refuses it as a TensorProto; here content decides, not the suffix.
const std::map<std::string, std::string> kOtherContent = {{"is_a_model.pb", "onnx"}, {"is_npy.pb", "npy"}};

double jsonNumber(const nlohmann::json& j) {
    return j.is_string() ? std::stod(j.get<std::string>()) : j.get<double>();
}

/// The bytes as ml_dtypes holds them: sub-byte integers in the low bits of a byte. Widened floats are looked
/// up in the table of their values, where each bit pattern but nan stands once.
std::string libraryHash(const Tensor& loaded, const OnnxType& type) {
    const Tensor t = compacted(loaded);
    std::vector<std::byte> bytes(static_cast<std::size_t>(t.elements()) * itemSize(t.dtype()));
    if (!bytes.empty()) std::memcpy(bytes.data(), t.view().data, bytes.size()); // null where there is nothing
    const unsigned mask = (1u << std::min(type.bits, 8u)) - 1;
    if (type.small) {
        const auto values = smallFloatValues(*type.small);
        bytes.clear();
        for (const float v : t.as<float>()) {
            unsigned code = 0;
            const auto same = [&](float x) {
                return std::isnan(v) ? std::isnan(x) : v == x && std::signbit(v) == std::signbit(x);
            };
            while (code <= mask && !same(values[code])) ++code;
            EXPECT_LE(code, mask);
            bytes.push_back(static_cast<std::byte>(code));
        }
    } else if (type.bits < 8) {
        for (std::byte& b : bytes) b &= static_cast<std::byte>(mask);
    }
    return sha256(bytes);
}

TEST(TensorProtoParity, WithTheLibrary) {
    const auto folder = shared("data/onnx/tensorproto");
    DIVDET_NEED_SHARED(folder / "expected.json");
    const auto expected = nlohmann::json::parse(std::ifstream(folder / "expected.json"))["files"];
    int equal = 0, refused = 0, stricter = 0, other = 0;
    for (const auto& [name, want] : expected.items()) {
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / name);
        if (kOtherContent.contains(name)) {
            EXPECT_TRUE(!dump.ok() || (*dump)->format() == kOtherContent.at(name));
            ++other;
            continue;
        }
        const auto tensor = dump ? (*dump)->load(0) : Result<Tensor>(dump.error());
        if (!want["accept"].get<bool>() || kStricter.contains(name)) {
            ASSERT_FALSE(tensor.ok());
            EXPECT_FALSE(tensor.error().path.empty());
            ++(kStricter.contains(name) ? stricter : refused);
            continue;
        }
        ASSERT_TRUE(tensor.ok()) << tensor.error().text();
        EXPECT_EQ((*dump)->format(), "tensorproto");
        EXPECT_EQ((*dump)->taps()[0].shape, want["shape"].get<Shape>());
        EXPECT_EQ(tensor->shape(), want["shape"].get<Shape>());
        const OnnxType* type = onnxType(want["data_type"].get<int>());
        ASSERT_TRUE(type);
        EXPECT_EQ((*dump)->taps()[0].dtype, type->dtype);
        if (!type->unpacked()) {
            EXPECT_EQ(parseDType(want["np_dtype"].get<std::string>()), tensor->dtype());
        }
        EXPECT_EQ(libraryHash(*tensor, *type), want["sha256_le"].get<std::string>());
        if (kind(tensor->dtype()) != DTypeKind::complex)
            for (std::size_t i = 0; i < want["values"].size(); ++i) {
                const double truth = jsonNumber(want["values"][i]);
                const double have = elementAt(tensor->view(), static_cast<std::int64_t>(i));
                EXPECT_TRUE(std::isnan(truth) ? std::isnan(have) : have == truth) << i << ": " << have;
            }
        if (want["name"].is_string() && !want["name"].get<std::string>().empty()) {
            EXPECT_EQ((*dump)->taps()[0].name, want["name"].get<std::string>());
        }
        ++equal;
    }
    std::cout << "tensorproto: " << equal << " accepted with equal type, shape, bytes and values, " << refused
              << " refused as by the library, " << stricter << " stricter on purpose, " << other
              << " of other content\n";
    EXPECT_EQ(equal + refused + stricter + other, static_cast<int>(expected.size()));
    EXPECT_GT(equal, 85);
}

} // namespace
} // namespace divdet::testing
