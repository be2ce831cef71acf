// What can be asked of the advisor, for forms, and how it is asked on the command line.
#include <gtest/gtest.h>

#include "session/advise/advised_block.h"
#include "session/lists.h"

namespace divdet {
namespace {

TEST(AdviseSizes, AreThoseOfTheOpWithTheirDefaults) {
    const auto sizes = adviseSizes("matmul");
    ASSERT_TRUE(sizes.ok());
    ASSERT_EQ(sizes->size(), 3u);
    EXPECT_EQ((*sizes)[2].option, "k");
    EXPECT_EQ((*sizes)[2].value, 512);
    EXPECT_EQ(adviseSizes("softmax")->size(), 2u);
    const auto block = adviseSizes("transformer");
    ASSERT_TRUE(block.ok());
    const auto named = [&](const std::string& name) {
        for (const auto& s : *block)
            if (s.name == name) return s.option;
        return std::string("none");
    };
    EXPECT_EQ(named("tokens"), "m");
    EXPECT_EQ(named("width"), "k");
    EXPECT_EQ(named("hidden"), "n");
    EXPECT_EQ(named("vocab"), "vocab");
    EXPECT_EQ(adviseSizes("lm")->size(), 1u); // its weights fix the others
    EXPECT_EQ(adviseSizes("mat").error().code, ErrorCode::notFound);
}

/// A form offers them all, so that each must be taken: another size changes the block.
TEST(AdviseSizes, CanAllBeGiven) {
    auto ops = adviseOps();
    for (const auto& block : listBlocks()) ops.push_back(block.id);
    for (const std::string& op : ops) {
        const auto sizes = adviseSizes(op);
        ASSERT_TRUE(sizes.ok()) << op;
        ASSERT_FALSE(sizes->empty()) << op;
        for (const AdviseSize& size : *sizes) {
            AdviseRequest request;
            request.op = op;
            request.sizes[size.option] = size.value / 2; // lm has no more than its own tokens
            const auto made = advisedBlock(request);
            ASSERT_TRUE(made.ok()) << op << " --" << size.option << ": " << made.error().text();
            EXPECT_EQ(made->block.dims.at(size.name), size.value / 2) << op << ' ' << size.name;
        }
    }
}

TEST(AdviseRequest, ChoicesAreTaken) {
    for (const std::string& dtype : adviseDTypes())
        for (const std::string& output : adviseOutputs()) {
            AdviseRequest request;
            request.dtype = dtype;
            request.output = output;
            EXPECT_TRUE(advisedBlock(request).ok()) << dtype << ' ' << output;
        }
    for (const std::string& accumulator : adviseAccumulators()) {
        AdviseRequest request;
        request.accumulator = accumulator;
        EXPECT_TRUE(advisedBlock(request).ok()) << accumulator;
    }
}

/// Rows are as many as the elements need, rounded up, and at most 4,096; no sum on the way overflows.
TEST(AdviseRequest, RowsFollowTheElements) {
    const auto rows = [](std::int64_t elements) {
        AdviseRequest request;
        request.elements = elements;
        const auto block = advisedBlock(request);
        EXPECT_TRUE(block.ok()) << block.error().text();
        return block ? block->block.dims.at("m") : 0;
    };
    AdviseRequest plain;
    const std::int64_t n = advisedBlock(plain)->block.dims.at("n");
    EXPECT_EQ(rows(1), 1);
    EXPECT_EQ(rows(n), 1);
    EXPECT_EQ(rows(n + 1), 2);
    EXPECT_EQ(rows(INT64_MAX), 4096);
}

TEST(AdviseRequest, IsWrittenAsACommandLine) {
    AdviseRequest request;
    EXPECT_EQ(commandLine(request), "divdet advise matmul");
    request.op = "linear";
    request.sizes = {{"k", 4096}, {"m", 16}};
    request.dtype = "bf16";
    request.accumulator = "fp16";
    request.output = "f32";
    request.inputs = "large-mean";
    request.elements = 1024;
    request.p = 1e-4;
    request.rtol = 1e-2;
    request.atol = 0.0;
    request.seed = 3;
    request.device = "cpu:sm_90";
    EXPECT_EQ(commandLine(request),
              "divdet advise linear --k 4096 --m 16 --dtype bf16 --acc fp16 --out f32 --inputs large-mean "
              "--elements 1024 --p 1e-4 --rtol 1e-2 --atol 0 --seed 3 --device cpu:sm_90");
}

} // namespace
} // namespace divdet
