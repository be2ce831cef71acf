#include <iostream>
#include <numeric>

#include "dump/runner_choice.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

constexpr const char* kNpy = // float32 [2]: 1, 2
    "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIA/AAAAQA==";

std::string array(const std::string& payload) {
    return R"({"values": {"array": ")" + payload +
           R"(", "polygraphy_class": "ndarray"}, "polygraphy_class": "LazyArray"})";
}

std::string results(const std::string& outputs, const std::string& runner = "r") {
    return R"(["r", [{"outputs": {)" + outputs + R"(}, "runtime": 1, "runner_name": ")" + runner +
           R"(", "polygraphy_class": "IterationResult"}]])";
}

Result<std::shared_ptr<const Dump>> openText(const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return openBytes("x.json", {first, first + text.size()});
}

Result<std::shared_ptr<const Dump>> openOutputs(const std::string& outputs) {
    return openText(R"({"lst": [)" + results(outputs) + R"(], "polygraphy_class": "RunResults"})");
}

TEST(PolygraphyReader, NamesWithEscapes) {
    const auto dump = openOutputs(R"("a\u00e9\ud83d\ude00\n\"": )" + array(kNpy));
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    EXPECT_EQ((*dump)->taps()[0].name, "a\u00e9\U0001F600\n\"");
    EXPECT_EQ(elementAt((*dump)->load(0)->view(), 1), 2);
}

TEST(PolygraphyReader, EscapedSlashesInBase64) {
    std::string payload = kNpy;
    for (std::size_t at = 0; (at = payload.find('/', at)) != std::string::npos; at += 2)
        payload.insert(at, "\\");
    const auto dump = openOutputs(R"("y": )" + array(payload));
    ASSERT_TRUE(dump.ok());
    ASSERT_TRUE((*dump)->load(0).ok()) << (*dump)->load(0).error().text();
    EXPECT_EQ(elementAt((*dump)->load(0)->view(), 1), 2);
}

TEST(PolygraphyReader, ADamagedTapLeavesTheOthers) {
    std::string bad = kNpy;
    bad[bad.size() - 6] = '!';
    const auto dump = openOutputs(R"("bad": )" + array(bad) + R"(, "good": )" + array(kNpy) +
                                  R"(, "torch": {"tensor": "Z2FyYmFnZQ==", "polygraphy_class": "Tensor"})" +
                                  R"(, "odd": {"array": "", "polygraphy_class": "Zork"})");
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    const auto error = (*dump)->load(0);
    ASSERT_FALSE(error.ok());
    EXPECT_TRUE(error.error().offset);
    EXPECT_TRUE((*dump)->load(1).ok());
    EXPECT_NE((*dump)->load(2).error().message.find("torch.save"), std::string::npos);
    EXPECT_NE((*dump)->load(3).error().message.find("Zork"), std::string::npos);
}

TEST(PolygraphyReader, OneRunnerOfSeveral) {
    const auto both = openText(R"({"lst": [)" + results(R"("y": )" + array(kNpy)) + ", " +
                               results(R"("z": )" + array(kNpy)) + R"(], "polygraphy_class": "RunResults"})");
    ASSERT_TRUE(both.ok());
    EXPECT_EQ((*both)->taps()[1].name, "r#2/z");
    EXPECT_NE(severalRunners(**both, "--x").text().find("'r', 'r#2'"), std::string::npos);
    const auto second = withRunner(*both, "#2");
    ASSERT_TRUE(second.ok());
    ASSERT_EQ((*second)->taps().size(), 1u);
    EXPECT_EQ((*second)->taps()[0].name, "z");
    EXPECT_TRUE((*second)->load(0).ok());
    EXPECT_EQ((*withRunner(*both, "r"))->taps()[0].name, "y"); // the whole name wins over a part of another
    EXPECT_EQ(withRunner(*both, "q").error().code, ErrorCode::usage);
}

TEST(PolygraphyReader, StrictAsPythonsJson) {
    const std::string good = R"({"lst": [], "polygraphy_class": "RunResults"})";
    ASSERT_TRUE(openText(good).ok());
    for (const char* bad : {R"({"lst": [], "polygraphy_class": "RunResults"} x)",
                            R"({"lst": [], "polygraphy_class": "RunResults",})",
                            R"({"lst": [,], "polygraphy_class": "RunResults"})",
                            R"({"lst": [] "polygraphy_class": "RunResults"})",
                            R"({"lst" [], "polygraphy_class": "RunResults"})",
                            R"({"lst": [01], "polygraphy_class": "RunResults"})",
                            R"({"lst": [1.], "polygraphy_class": "RunResults"})",
                            R"({"lst": [], "polygraphy_class": "RunResults\q"})",
                            R"({'lst': [], "polygraphy_class": "RunResults"})",
                            R"({"lst": [], "polygraphy_class": "RunResults"])",
                            "{\"lst\": [], \"a\": \"\n\", \"polygraphy_class\": 1}"}) {
        const auto dump = openText(bad);
        ASSERT_FALSE(dump.ok()) << bad;
        EXPECT_TRUE(dump.error().offset) << bad;
    }
}

TEST(PolygraphyReader, CutAndChangedAnywhere) {
    const std::string text =
        R"({"lst": [)" + results(R"("y": )" + array(kNpy)) + R"(], "polygraphy_class": "RunResults"})";
    for (std::size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(openText(text.substr(0, n)).ok()) << n;
    int refused = 0, opened = 0;
    for (std::size_t n = 0; n < text.size(); ++n)
        for (const unsigned flip : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 0xffu}) {
            std::string changed = text;
            changed[n] = static_cast<char>(static_cast<unsigned char>(changed[n]) ^ flip);
            const auto dump = openText(changed);
            ++(dump ? opened : refused);
            if (dump)
                for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) hashOf(**dump, i);
        }
    std::cout << refused << " refused, " << opened << " opened\n";
    EXPECT_GT(refused, 100);
}

TEST(PolygraphyReader, DeepAndWideFilesAreRefused) {
    const std::string deep = R"({"polygraphy_class": )" + std::string(100'000, '[');
    EXPECT_EQ(openText(deep).error().code, ErrorCode::refused);
    std::string wide = R"({"polygraphy_class": [0)";
    for (int i = 0; i < 1'000'001; ++i) wide += ",0";
    EXPECT_EQ(openText(wide + "]}").error().code, ErrorCode::refused);
}

} // namespace
} // namespace divdet::testing
