#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

const block::DimValues kSmall{{"tokens", 4}, {"width", 8}, {"heads", 2}};

TEST(PassSwappedWeight, TwoOpsReadEachOthersWeight) {
    PassRun r("attention", kSmall);
    const auto check = [&](const PassRun::Passes& passes, const char* a, const char* b) {
        PassRun exchanged("attention", kSmall);
        const std::string wa = std::string(a) + ".weight", wb = std::string(b) + ".weight";
        exchanged.give(wa.c_str(), r.given(wb.c_str()));
        exchanged.give(wb.c_str(), r.given(wa.c_str()));
        const auto wrong = r.run(passes), expected = exchanged.run({}), plain = r.run({});
        for (const char* tap : {"q", "k", "v", "out"})
            EXPECT_EQ(test::floats(wrong.find(tap)->tensor), test::floats(expected.find(tap)->tensor)) << tap;
        EXPECT_NE(test::floats(wrong.find(a)->tensor), test::floats(plain.find(a)->tensor));
    };
    check({"swapped-weight"}, "q", "k");
    check({"swapped-weight@q"}, "q", "k");
    check({"swapped-weight@v"}, "v", "proj");
}

TEST(PassSwappedWeight, WithNoOpNamedTheFirstPairAlone) {
    PassRun r("attention", kSmall);
    EXPECT_EQ(lower::fittingOps(r.block, "swapped-weight"), (std::vector<std::string>{"q", "k", "v"}));
    EXPECT_EQ(lower::actingOps(r.block, *lower::parsePass("swapped-weight")), std::vector<std::string>{"q"});
    EXPECT_EQ(lower::actingOps(r.block, *lower::parsePass("int8")),
              (std::vector<std::string>{"q", "k", "v", "proj"}));
    EXPECT_EQ(r.tap({"swapped-weight"}, "v"), r.tap({}, "v"));
}

TEST(PassSwappedWeight, SaysWhenNoTwoWeightsAreAlike) {
    EXPECT_EQ(PassRun("mlp").fit("swapped-weight").error().message,
              "swapped-weight does not fit: no two products of this block have weights of the same shape");
    PassRun r("attention", kSmall);
    EXPECT_NE(r.fit("swapped-weight@proj").error().message.find("no product after proj"), std::string::npos);
    EXPECT_NE(r.fit("swapped-weight@scores").error().message.find("no weight of its own"), std::string::npos);
}

} // namespace
} // namespace divdet
