#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

const block::DimValues kSmall{{"tokens", 3}, {"width", 8}, {"hidden", 16}};

TEST(PassCrash, TheRunEndsInAnErrorThatNamesOpAndPass) {
    PassRun r("mlp", kSmall);
    const auto e = r.tryRun({"crash@down"}).error();
    EXPECT_EQ(e.code, ErrorCode::unsupported);
    EXPECT_EQ(e.path, "down");
    EXPECT_EQ(e.message, "there is no kernel for matmul (raised by the pass crash)");
    EXPECT_EQ(r.tryRun({"crash"}).error().path, "norm") << "the first op of all that it fits";
    EXPECT_TRUE(r.tryRun({}).ok());
}

TEST(PassCrash, TheAssertionFailsFrom16ColumnsOn) {
    PassRun r("mlp", kSmall);
    EXPECT_EQ(lower::fittingOps(r.block, "crash", "assert"), (std::vector<std::string>{"up", "act"}));
    const auto e = r.tryRun({"crash=assert"}).error();
    EXPECT_EQ(e.code, ErrorCode::assertion);
    EXPECT_EQ(e.path, "up");
    EXPECT_NE(r.fit("crash=assert@down").error().message.find("fewer than 16 columns"), std::string::npos);
    EXPECT_TRUE(r.fit("crash@down").ok());
    PassRun small("mlp", {{"tokens", 3}, {"width", 8}, {"hidden", 15}});
    EXPECT_FALSE(small.fit("crash=assert").ok());
}

TEST(PassCrash, AnOpInAFusedKernelStillRaises) {
    PassRun r("mlp", kSmall);
    EXPECT_FALSE(r.tryRun({"fuse", "crash@act"}).ok());
    EXPECT_TRUE(r.tryRun({"fuse"}).ok());
}

TEST(PassCrash, NothingOfItStaysInTheCache) {
    run::OpCache cache;
    PassRun r("mlp", kSmall);
    r.cache = &cache;
    EXPECT_FALSE(r.tryRun({"crash@down"}).ok());
    EXPECT_TRUE(r.tryRun({}).ok());
    EXPECT_FALSE(r.tryRun({"crash@down"}).ok());
}

} // namespace
} // namespace divdet
