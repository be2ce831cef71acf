#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "torch_file.h"

namespace divdet::testing {
namespace {

using nlohmann::json;

json expected() {
    return json::parse(std::ifstream(shared("data/torch/pt/expected.json")));
}

/// As Python's str() of the values in expected.json.
std::string pythonText(const json& v) {
    if (v.is_null()) return "None";
    if (v.is_boolean()) return v.get<bool>() ? "True" : "False";
    if (v.is_string()) return v.get<std::string>();
    if (v.is_number_integer()) return v.dump();
    std::string s = fmt::format("{}", v.get<double>());
    return s == "1.1805916207174113e+21" ? "1180591620717411303424"
                                         : s; // 2 ** 70 does not fit nlohmann's integers
}

double numberOf(const json& v) {
    if (!v.is_string()) return v.get<double>();
    const auto s = v.get<std::string>();
    return s == "nan" ? NAN : s == "inf" ? INFINITY : -INFINITY;
}

/// The hash of the bytes in the file, whatever they are shown as; expected.json has torch's own type.
void checkTensor(const Dump& dump, std::size_t tap, const json& want) {
    const TapEntry& entry = dump.taps()[tap];
    EXPECT_EQ(entry.shape, want["shape"].get<Shape>());
    LoadOptions raw;
    if (entry.storedAs)
        raw.opaqueAs = entry.storedAs;
    else
        EXPECT_EQ(entry.dtype, parseDType(want["dtype"].get<std::string>()));
    EXPECT_EQ(hashOf(dump, tap, raw), want["sha256"].get<std::string>());
    if (kind(entry.dtype) == DTypeKind::complex) return;
    const auto values = pt::values(dump, tap);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += values[i];
        if (i >= want["first"].size()) continue;
        const double first = numberOf(want["first"][i]);
        EXPECT_TRUE(values[i] == first || (std::isnan(values[i]) && std::isnan(first))) << i;
    }
    if (std::isfinite(sum)) {
        EXPECT_NEAR(sum, numberOf(want["sum"]), 1e-9 * (1 + std::fabs(sum)));
    }
}

TEST(TorchParity, EveryFile) {
    DIVDET_NEED_SHARED(shared("data/torch/pt/expected.json"));
    const auto folder = shared("data/torch/pt");
    int accepted = 0, refused = 0, tensors = 0, values = 0, others = 0;
    const json all = expected();
    for (const auto& [file, want] : all["files"].items()) {
        SCOPED_TRACE(file);
        const auto dump = openDump(folder / file);
        bool clean = dump.ok();
        if (clean)
            for (const TapEntry& tap : (*dump)->taps()) clean = clean && !tap.error && (*dump)->load(0).ok();
        if (want["read"].is_boolean() && !want["read"].get<bool>()) {
            EXPECT_FALSE(clean);
            ++refused;
            continue;
        }
        if (file == "sparse.pt") { // "densifies or refuses with a message that names the sparse tensor"
            for (const TapEntry& tap : (*dump)->taps())
                EXPECT_NE(tap.error->text().find(tap.name), std::string::npos) << tap.error->text();
            EXPECT_NE((*dump)->taps()[0].error->text().find("sparse_coo"), std::string::npos);
            EXPECT_NE((*dump)->taps()[1].error->text().find("sparse_csr"), std::string::npos);
            ++others;
            continue;
        }
        ASSERT_TRUE(clean) << (dump ? "a tap" : dump.error().text());
        ++accepted;
        const json wantTensors = want.value("tensors", json::object());
        for (const auto& [name, about] : wantTensors.items()) {
            SCOPED_TRACE(name);
            const auto tap = (*dump)->find(name.empty() ? std::filesystem::path(file).stem().string() : name);
            ASSERT_TRUE(tap);
            checkTensor(**dump, *tap, about);
            ++tensors;
        }
        const json wantValues = want.value("others", json::object());
        for (const auto& [name, value] : wantValues.items()) {
            const auto& kept = (*dump)->manifest().metadata;
            const auto at =
                std::find_if(kept.begin(), kept.end(), [&](const auto& m) { return m.first == name; });
            ASSERT_NE(at, kept.end()) << name;
            EXPECT_EQ(at->second, pythonText(value)) << name;
            ++values;
        }
    }
    std::cout << "torch: " << accepted << " files accepted with " << tensors << " equal tensors and "
              << values << " values, " << refused << " refused, " << others << " refused by tap\n";
    EXPECT_EQ(accepted + refused + others, 64);
    EXPECT_FALSE(std::filesystem::exists("PWNED"));
}

TEST(TorchParity, OrderIsThatOfTheDict) {
    DIVDET_NEED_SHARED(shared("data/torch/pt/ordered.pt"));
    const auto dump = openDump(shared("data/torch/pt/ordered.pt"));
    ASSERT_TRUE(dump.ok());
    std::string names;
    for (const TapEntry& tap : (*dump)->taps()) names += tap.name;
    EXPECT_EQ(names, "zam");
}

TEST(TorchParity, EvilFilesAreRefusedByNameAndRunNothing) {
    DIVDET_NEED_SHARED(shared("data/torch/pt/evil_system.pt"));
    for (const auto& [file, name] : {std::pair{"evil_system.pt", "posix.system"},
                                     {"evil_legacy.pt", "posix.system"},
                                     {"evil_eval.pt", "builtins.eval"},
                                     {"module_whole.pt", "torch.nn.modules.container.Sequential"}}) {
        const auto dump = openDump(shared("data/torch/pt") / file);
        ASSERT_FALSE(dump.ok()) << file;
        EXPECT_EQ(dump.error().code, ErrorCode::refused);
        EXPECT_NE(dump.error().message.find(name), std::string::npos) << dump.error().message;
        EXPECT_TRUE(dump.error().offset.has_value());
    }
    EXPECT_FALSE(std::filesystem::exists("PWNED"));
}

TEST(TorchParity, QuantisedTensorsAsValuesAndAsIntegers) {
    DIVDET_NEED_SHARED(shared("data/torch/pt/quantized.pt"));
    const json want = expected()["files"]["quantized.pt"];
    const auto dump = openDump(shared("data/torch/pt/quantized.pt"));
    ASSERT_TRUE(dump.ok());
    for (const auto& [name, type] : {std::pair{"per_tensor", DType::i8}, {"per_channel", DType::u8}}) {
        const auto tap = (*dump)->find(name);
        ASSERT_TRUE(tap);
        EXPECT_EQ((*dump)->taps()[*tap].dtype, DType::f32);
        EXPECT_EQ((*dump)->taps()[*tap].storedAs, type);
        std::vector<double> values, integers;
        for (const auto& row : want[name]["dequantized"])
            for (const auto& x : row) values.push_back(x.get<double>());
        for (const auto& row : want[name]["int_repr"])
            for (const auto& x : row) integers.push_back(x.get<double>());
        EXPECT_EQ(pt::values(**dump, *tap), values);
        EXPECT_EQ(pt::values(**dump, *tap, {type, ""}), integers);
    }
    ASSERT_EQ((*dump)->manifest().cautions.size(), 2u);
    EXPECT_NE((*dump)->manifest().cautions[0].text.find("scale 0.05 and zero point 3"), std::string::npos);
}

TEST(TorchParity, EveryVersionOfTorchGivesTheSame) {
    const auto folder = shared("data/torch/pt/by_version");
    DIVDET_NEED_SHARED(folder);
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".pt") continue;
        SCOPED_TRACE(entry.path().filename());
        const auto dump = openDump(entry.path());
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        std::vector<double> w(24), wt(24), half(6), bf(6), p(6);
        for (std::size_t i = 0; i < 24; ++i) w[i] = static_cast<double>(i) / 8;
        for (std::size_t i = 0; i < 24; ++i) wt[i] = w[i % 4 * 6 + i / 4];
        for (std::size_t i = 0; i < 6; ++i) half[i] = w[6 + i], bf[i] = w[12 + i], p[i] = w[i];
        ASSERT_EQ((*dump)->taps().size(), 6u);
        EXPECT_EQ(pt::values(**dump, 0), w);
        EXPECT_EQ(pt::values(**dump, 1), wt);
        EXPECT_EQ(pt::values(**dump, 2), half);
        EXPECT_EQ(pt::values(**dump, 3), bf);
        EXPECT_EQ(pt::values(**dump, 4), (std::vector<double>{0, 1, 2, 3, 4}));
        EXPECT_EQ(pt::values(**dump, 5), p);
        EXPECT_EQ((*dump)->taps()[3].dtype, DType::bf16);
        EXPECT_EQ((*dump)->manifest().metadata.at(0), (std::pair<std::string, std::string>{"step", "3"}));
        ++files;
    }
    EXPECT_EQ(files, 10);
}

} // namespace
} // namespace divdet::testing
