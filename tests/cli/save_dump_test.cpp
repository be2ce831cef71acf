#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "dump/open.h"

namespace divdet {
namespace {

using SaveDump = CliFixture;

/// What a live run and a comparison of its dumps must share. The class may differ: the live judge knows the
/// graph and the inputs of every op, a dump alone leaves more unclear.
nlohmann::json numbers(const nlohmann::json& doc) {
    nlohmann::json out = {{"verdict", doc["verdict"]}};
    for (const auto& t : doc["tensors"])
        for (const char* key : {"name", "judged", "dtype", "shape", "verdict", "mismatches", "max_abs",
                                "max_rel", "worst", "max_ulp", "rms", "sqnr_db", "cosine", "bias", "needed"})
            out["tensors"][t["name"].get<std::string>()][key] = t[key];
    return out;
}

TEST_F(SaveDump, ComparedAgainTheyGiveTheLiveRunsNumbers) {
    for (const char* ending : {"safetensors", "npz"}) {
        const std::string cand = (m_dir / ("c." + std::string(ending))).string(),
                          ref = (m_dir / ("r." + std::string(ending))).string();
        const std::string run =
            "run stack:2 --dim tokens=12 --pass int8 --judge all --rtol 1e-2 --atol 1e-3 --json - ";
        const auto live = divdet(run + "--save-dump " + cand + " --save-reference-dump " + ref);
        ASSERT_EQ(live.code, 1) << live.err;
        const auto again =
            divdet("compare " + ref + " " + cand + " --declare int8 --rtol 1e-2 --atol 1e-3 --json -");
        EXPECT_EQ(again.code, 1) << again.err;
        EXPECT_EQ(numbers(live.json()), numbers(again.json())) << ending;
        EXPECT_EQ(live.json()["class"], "drift");
        EXPECT_NE(again.json()["class"], "bug");
        ASSERT_EQ(divdet(run + "--save-dump " + (m_dir / ("d." + std::string(ending))).string()).code, 1);
        EXPECT_EQ(divdet("compare " + cand + " " + (m_dir / ("d." + std::string(ending))).string() +
                         " --rtol 0 --atol 0")
                      .code,
                  0);
    }
}

TEST_F(SaveDump, DTypesAndNamesAreKept) {
    const std::string file = (m_dir / "c.safetensors").string();
    ASSERT_NE(divdet("run attention --pass bf16 --save-dump " + file).code, 2);
    const auto dump = *openDump(file);
    const auto live = divdet("run attention --pass bf16 --json -").json();
    ASSERT_EQ(dump->taps().size(), live["tensors"].size());
    for (std::size_t i = 0; i < dump->taps().size(); ++i) {
        EXPECT_EQ(dump->taps()[i].name, live["tensors"][i]["name"]);
        EXPECT_EQ(name(dump->taps()[i].dtype), live["tensors"][i]["dtype"][1]);
    }
    EXPECT_EQ(dump->taps()[*dump->find("out")].dtype, DType::bf16);
    const std::string npz = (m_dir / "c.npz").string();
    ASSERT_NE(divdet("run attention --pass bf16 --save-dump " + npz).code, 2);
    EXPECT_EQ(divdet("compare " + file + " " + npz + " --candidate-dtype bf16 --rtol 0 --atol 0").code, 0);
}

TEST_F(SaveDump, AnUnknownEndingIsRefusedBeforeAnythingRuns) {
    for (const char* file : {"c.pt", "dump", "c.npy"}) {
        const auto o = divdet("run stack:2 --save-dump " + (m_dir / file).string());
        EXPECT_EQ(o.code, 2);
        EXPECT_NE(o.err.find(".safetensors, .npz"), std::string::npos) << o.err;
        EXPECT_TRUE(o.out.empty());
        EXPECT_FALSE(std::filesystem::exists(m_dir / file));
    }
    EXPECT_EQ(divdet("run linear --save-reference-dump x.txt").code, 2);
    EXPECT_EQ(divdet("run linear --save-dump /nowhere/at/all/c.npz").code, 2);
}

} // namespace
} // namespace divdet
