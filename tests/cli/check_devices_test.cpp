#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using CheckDevices = CliFixture;

TEST_F(CheckDevices, EveryDeviceAgrees) {
    const auto json = divdet("devices --check --json -");
    EXPECT_EQ(json.code, 0) << json.err;
    const auto doc = json.json();
    EXPECT_TRUE(doc["agrees"].get<bool>());
    ASSERT_GE(doc["devices"].size(), 4u);
    for (const auto& d : doc["devices"]) {
        if (!d["available"].get<bool>()) continue;
        EXPECT_TRUE(d["check"]["agrees"].get<bool>());
        EXPECT_GE(d["check"]["arithmetics"].size(), 19u);
        for (const auto& a : d["check"]["arithmetics"]) {
            EXPECT_EQ(a["result"], "agree") << d["id"] << a;
            EXPECT_GE(a["cases"].get<int>(), 1);
            EXPECT_TRUE(a["detail"].is_null());
        }
    }
    const auto text = divdet("devices --check");
    EXPECT_EQ(text.code, 0);
    for (const char* word :
         {"fp32-pairwise", "tf32", "fp16-accumulator", "fp8", "int8", "erf", "philox", "agree"})
        EXPECT_NE(text.out.find(word), std::string::npos) << word;
    EXPECT_EQ(text.out.find("differ"), std::string::npos);
}

TEST_F(CheckDevices, TheListAloneRunsNothing) {
    const auto doc = divdet("devices --json -").json();
    EXPECT_FALSE(doc["devices"][0].contains("check"));
    EXPECT_FALSE(doc.contains("agrees"));
}

/// The golden bits in the program are those that the script derives today.
TEST_F(CheckDevices, GoldenBitsAreWhatTheScriptDerives) {
    const std::string source = test::sourceFolder().string();
    if (std::system("/usr/bin/python3 -c 'import statistics' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
    const std::string out = (m_dir / "cases.inc").string();
    ASSERT_EQ(
        std::system(("/usr/bin/python3 '" + source + "/tests/golden/device_check.py' > " + out).c_str()), 0);
    EXPECT_EQ(std::system(("cmp '" + source + "/core/run/golden/cases.inc' " + out).c_str()), 0);
}

} // namespace
} // namespace divdet
