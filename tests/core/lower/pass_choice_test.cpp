#include <gtest/gtest.h>

#include "base/nearest_name.h"
#include "block/presets.h"
#include "lower/lower.h"

namespace divdet::lower {
namespace {

block::BoundGraph bound(std::string_view preset) {
    return *block::bind(*block::preset(preset));
}

TEST(PassChoice, ReadsVariantsAndOps) {
    const auto full = parsePass("wrong-accumulator=fp16@up,down");
    ASSERT_TRUE(full.ok());
    EXPECT_EQ(*full, (PassChoice{"wrong-accumulator", "fp16", {"up", "down"}}));
    EXPECT_EQ(toString(*full), "wrong-accumulator=fp16@up,down");
    EXPECT_EQ(*parsePass("reassociate"), (PassChoice{"reassociate", "splitk:8", {}}));
    EXPECT_EQ(parsePass("reassociate=splitk:016")->variant, "splitk:16");
    EXPECT_EQ(parsePass("fuse@up")->variant, "");
}

TEST(PassChoice, EveryPassReadsBackWhatItPrints) {
    for (const PassInfo& info : passList()) {
        EXPECT_FALSE(info.text.empty());
        std::vector<std::string> texts{info.id};
        for (const auto& v : info.variants) texts.push_back(info.id + '=' + v);
        for (const auto& text : texts) {
            const auto choice = parsePass(text);
            ASSERT_TRUE(choice.ok()) << text;
            EXPECT_EQ(*parsePass(toString(*choice)), *choice);
        }
        EXPECT_EQ(findPass(info.id)->title, info.title);
    }
    EXPECT_FALSE(findPass("int9").has_value());
}

TEST(PassChoice, UnknownNamesGetHelp) {
    const auto near = parsePass("reasociate");
    EXPECT_EQ(near.error().code, ErrorCode::usage);
    EXPECT_EQ(near.error().hint, "did you mean reassociate?");
    EXPECT_NE(parsePass("zzzzzzzz").error().hint.find("the passes are reassociate"), std::string::npos);
    EXPECT_EQ(parsePass("").error().code, ErrorCode::usage);
    EXPECT_EQ(parsePass("tf32=down").error().hint, "it has rne, rna, rz");
    EXPECT_NE(parsePass("reassociate=tree").error().hint.find("splitk:N (N from 2 to 1024)"),
              std::string::npos);
    EXPECT_NE(parsePass("fuse=all").error().hint.find("leave out"), std::string::npos);
    for (const char* bad : {"reassociate=splitk:", "reassociate=splitk:1", "reassociate=splitk:1025",
                            "reassociate=splitk:8x", "reassociate=splitk:N", "tf32=", "tf32@", "tf32@up,"})
        EXPECT_EQ(parsePass(bad).error().code, ErrorCode::usage) << bad;
}

TEST(PassChoice, FitSaysWhy) {
    const auto reduction = bound("reduction"), mlp = bound("mlp");
    const auto none = checkFit(reduction, *parsePass("tf32"));
    EXPECT_EQ(none.error().code, ErrorCode::usage);
    EXPECT_EQ(none.error().message, "tf32 does not fit: this block has no matrix product");
    const auto wrongOp = checkFit(mlp, *parsePass("int8@up,norm"));
    EXPECT_EQ(wrongOp.error().message, "int8 does not fit: norm is rmsnorm, not a matrix product");
    EXPECT_EQ(wrongOp.error().hint, "it fits up, down");
    EXPECT_EQ(checkFit(mlp, *parsePass("int8@sideways")).error().code, ErrorCode::notFound);
    EXPECT_FALSE(checkFit(reduction, *parsePass("fuse")).ok());
    EXPECT_TRUE(checkFit(reduction, *parsePass("wrong-accumulator")).ok());
    EXPECT_FALSE(checkFit(mlp, {"nothing", "", {}}).ok());
    EXPECT_FALSE(checkFit(mlp, {"tf32", "bogus", {}}).ok());
}

TEST(PassChoice, FittingOpsAndDefaults) {
    const auto mlp = bound("mlp");
    using Names = std::vector<std::string>;
    EXPECT_EQ(fittingOps(mlp, "reassociate"), (Names{"norm", "up", "down"}));
    EXPECT_EQ(fittingOps(mlp, "tf32"), (Names{"up", "down"}));
    EXPECT_EQ(fittingOps(mlp, "fuse"), (Names{"up", "down"}));
    EXPECT_EQ(fittingOps(mlp, "bf16"), (Names{"norm", "up", "act", "down", "out"}));
    EXPECT_EQ(fittingOps(bound("linear"), "fuse"), (Names{"out"}));
    const std::vector<PassChoice> standard{
        {"reassociate", "splitk:8", {}}, {"tf32", "rne", {}}, {"int8", "per-token", {}}};
    EXPECT_EQ(defaultPasses(mlp), standard);
    EXPECT_EQ(defaultPasses(bound("reduction")), std::vector<PassChoice>{standard[0]});
}

TEST(NearestName, NeedsSomethingInCommon) {
    const std::vector<std::string> names{"tf32", "bf16", "int8"};
    EXPECT_EQ(nearestName("tf23", names), "tf32");
    EXPECT_EQ(nearestName("int", names), "int8");
    EXPECT_EQ(nearestName("quantise", names), "");
}

} // namespace
} // namespace divdet::lower
