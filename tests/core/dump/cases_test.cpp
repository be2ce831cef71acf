#include <iostream>

#include <nlohmann/json.hpp>

#include "dump_test_support.h"

namespace divdet::testing {
namespace {

Result<Tensor> loadOnly(const std::string& file, const LoadOptions& options = {}) {
    const auto dump = openDump(shared("cases") / file);
    if (!dump) return dump.error();
    return (*dump)->load(0, options);
}

std::string errorOf(const std::string& file, const LoadOptions& options = {}) {
    const auto t = loadOnly(file, options);
    return t ? "" : t.error().text();
}

TEST(Cases, HeadersOfNpy) { // D01, D02, D05
    DIVDET_NEED_SHARED(shared("cases/D02"));
    for (const char* good : {"one_dim", "long_suffix", "version2_70k", "version3", "key_order",
                             "double_quotes", "no_trailing_comma", "no_shape_items", "unpadded"})
        EXPECT_EQ(errorOf("D02/" + std::string(good) + ".npy"), "");
    for (const char* bad : {"version9", "no_shape_key", "cut"})
        EXPECT_NE(errorOf("D02/" + std::string(bad) + ".npy"), "");
    for (const char* bad : {"huge_header", "square_wrap", "product_wrap", "negative", "digits", "deep"})
        EXPECT_NE(errorOf("D05/" + std::string(bad) + ".npy"), "");
    for (const char* same : {"matrix_f", "spelling0", "spelling1", "spelling2", "spelling3"}) {
        const auto path = shared("cases/D01"), other = path / (std::string(same) + ".npy");
        EXPECT_EQ(hashOf(**openDump(path / "matrix_c.npy"), 0), hashOf(**openDump(other), 0)) << same;
    }
    const auto locale = openDump(shared("cases/D02/locale_comma.npy"));
    ASSERT_TRUE(locale.ok());
    EXPECT_EQ((*locale)->manifest().cautions.at(0).id, "size-mismatch");
}

TEST(Cases, HiddenBf16) { // D03
    DIVDET_NEED_SHARED(shared("cases/D03"));
    const LoadOptions bf16{DType::bf16, ""};
    for (const char* file : {"D03/void.npy", "D03/void_le.npy", "D03/named.npy", "D03/uint16.npy"}) {
        const auto t = loadOnly(file, bf16);
        ASSERT_TRUE(t.ok()) << t.error().text();
        EXPECT_EQ(t->dtype(), DType::bf16);
    }
    EXPECT_NE(errorOf("D03/void.npy").find("name the type"), std::string::npos);
    EXPECT_NE(errorOf("D03/void1.npy"), "");
    EXPECT_EQ(loadOnly("D03/void1.npy", {DType::f8e4m3, ""})->dtype(), DType::f8e4m3);
    EXPECT_EQ(loadOnly("D03/uint16.npy")->dtype(), DType::u16);
    EXPECT_NE(errorOf("D03/void.npy", {DType::f32, ""}).find("2-byte"), std::string::npos);
}

TEST(Cases, BeyondNumbers) { // D04
    DIVDET_NEED_SHARED(shared("cases/D04"));
    for (const char* good : {"big_endian", "half", "c8", "c16", "b1"})
        EXPECT_EQ(errorOf("D04/" + std::string(good) + ".npy"), "");
    EXPECT_NE(errorOf("D04/fields.npy").find("a, n"), std::string::npos);
    const auto a = loadOnly("D04/fields.npy", {std::nullopt, "a"});
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(a->dtype(), DType::f32);
    EXPECT_NE(errorOf("D04/fields.npy", {std::nullopt, "b"}), "");
    EXPECT_NE(errorOf("D04/object.npy").find("'|O'"), std::string::npos);
    EXPECT_NE(errorOf("D04/text.npy").find("U8"), std::string::npos);
    EXPECT_NE(errorOf("D04/dates.npy").find("M8"), std::string::npos);
}

TEST(Cases, MembersThatPromiseMore) { // D06
    DIVDET_NEED_SHARED(shared("cases/D06"));
    const auto dump = openDump(shared("cases/D06/cand.npz"));
    ASSERT_TRUE(dump.ok());
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
        const bool good = (*dump)->taps()[i].name == "good";
        EXPECT_EQ((*dump)->load(i).ok(), good) << (*dump)->taps()[i].name;
    }
}

TEST(Cases, ZipDialects) { // D07
    DIVDET_NEED_SHARED(shared("cases/D07"));
    const auto reference = openDump(shared("cases/D07/ref.npz"));
    for (const char* file :
         {"extra_true_sizes", "extra_ff_sizes", "streamed", "readme_first", "reordered", "duplicate"}) {
        const auto dump = openDump(shared("cases/D07") / (std::string(file) + ".npz"));
        ASSERT_TRUE(dump.ok()) << file;
        ASSERT_EQ((*dump)->taps().size(), 3u);
        const std::string caution =
            (*dump)->manifest().cautions.empty() ? "" : (*dump)->manifest().cautions[0].id;
        const std::string name = file;
        EXPECT_EQ(caution, name == "readme_first" ? "ignored-member"
                           : name == "duplicate"  ? "duplicate-member"
                                                  : "");
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string hash = hashOf(**dump, i);
            const auto same = (*reference)->find((*dump)->taps()[i].name);
            EXPECT_FALSE(hash.starts_with("error")) << file;
            EXPECT_TRUE(name == "duplicate" || hash == hashOf(**reference, *same)) << file;
        }
    }
}

TEST(Cases, SafetensorsHeaders) { // D08, D09, D10
    DIVDET_NEED_SHARED(shared("cases/D08"));
    for (const char* bad :
         {"duplicate_key", "overlap", "gap", "reversed_range", "size_mismatch", "trailing_bytes"})
        EXPECT_NE(errorOf("D08/" + std::string(bad) + ".safetensors"), "") << bad;
    const auto pastEnd = openDump(shared("cases/D08/past_end.safetensors"));
    ASSERT_TRUE(pastEnd.ok()); // the tap that ends within the file stays usable
    EXPECT_TRUE((*pastEnd)->load(0).ok());
    EXPECT_EQ((*pastEnd)->load(1).error().code, ErrorCode::truncated);
    EXPECT_NE(errorOf("D08/duplicate_key.safetensors").find("'x'"), std::string::npos);
    EXPECT_EQ(errorOf("D08/good.safetensors"), "");
    for (const char* bad :
         {"all_ones", "two_to_40", "beyond_file", "zero", "over_cap", "text", "zip", "pickle", "seven_bytes"})
        EXPECT_FALSE(openDump(shared("cases/D09") / (std::string(bad) + ".safetensors")).ok()) << bad;
    EXPECT_TRUE(openDump(shared("cases/D10/cand.safetensors")).ok());
    EXPECT_FALSE(openDump(shared("cases/D10/corrupt.safetensors")).ok());
    EXPECT_EQ(errorOf("D10/cand.pt"), "");
}

TEST(RealDumps, OpenInDepthOrder) {
    const auto folder = shared("data/torch/dumps");
    DIVDET_NEED_SHARED(folder / "truth.json");
    const auto truth = nlohmann::json::parse(std::ifstream(folder / "truth.json"));
    const auto order = truth["tap_order"].get<std::vector<std::string>>();
    int files = 0, taps = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto extension = entry.path().extension();
        if (extension != ".safetensors" && extension != ".npz" && extension != ".pt") continue;
        SCOPED_TRACE(entry.path().filename());
        const auto dump = openDump(entry.path());
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) {
            names.push_back((*dump)->taps()[i].name);
            EXPECT_TRUE((*dump)->load(i).ok());
        }
        EXPECT_EQ(names.size(), 49u); // the order, then input_ids and target_ids
        names.resize(order.size());
        EXPECT_EQ(names, order);
        ++files;
        taps += static_cast<int>((*dump)->taps().size());
    }
    std::cout << files << " real dumps, " << taps << " taps in depth order\n";
    EXPECT_GE(files, 14);
}

TEST(RealDumps, TheSameTensorsInEveryFormat) {
    const auto folder = shared("data/torch/dumps");
    DIVDET_NEED_SHARED(folder / "truth.json");
    for (const auto& [torch, other] : std::initializer_list<std::pair<const char*, const char*>>{
             {"eager_fp32.pt", "eager_fp32.safetensors"},
             {"eager_bf16.pt", "eager_bf16.safetensors"},
             {"bug_bf16_accumulator.pt", "bug_bf16_accumulator.safetensors"},
             {"eager_fp16.legacy.pt", "eager_fp16.safetensors"}}) {
        const auto a = openDump(folder / torch), b = openDump(folder / other);
        ASSERT_TRUE(a.ok() && b.ok()) << torch;
        EXPECT_EQ((*a)->format(), "torch");
        ASSERT_EQ((*a)->taps().size(), (*b)->taps().size());
        for (std::size_t i = 0; i < (*a)->taps().size(); ++i) {
            EXPECT_EQ((*a)->taps()[i].name, (*b)->taps()[i].name);
            EXPECT_EQ(hashOf(**a, i), hashOf(**b, i)) << (*a)->taps()[i].name;
        }
    }
}

} // namespace
} // namespace divdet::testing
