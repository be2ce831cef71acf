#include "base/sigbus_guard.h"

#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

TEST(SigbusGuard, AFileThatShrinksIsAnError) {
    const ScratchFolder f;
    const std::vector<float> many(300'000, 1.f);
    const std::vector<NamedTensor> tensors = {{"x", tensorOf<float>(DType::f32, {300'000}, many)}};
    ASSERT_TRUE(writeNpz(f / "t.npz", tensors).ok());
    const auto dump = openDump(f / "t.npz");
    ASSERT_TRUE(dump.ok() && (*dump)->load(0).ok());
    std::filesystem::resize_file(f / "t.npz", 100);
    EXPECT_EQ((*dump)->load(0).error().code, ErrorCode::truncated);
    EXPECT_EQ((*dump)->load(0).error().code, ErrorCode::truncated); // the guard works more than once
}

TEST(SigbusGuard, RunsWhatIsHarmless) {
    int calls = 0;
    EXPECT_TRUE(guardMappedRead([&] { EXPECT_TRUE(guardMappedRead([&] { ++calls; })); }));
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace divdet::testing
