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

/// A file that is mapped, cut short, and only then opened: every reader meets pages that are gone.
TEST(SigbusGuard, HeadersOfAFileThatShrinksAreAnErrorToo) {
    const ScratchFolder f;
    const std::vector<float> many(300'000, 1.f);
    const Tensor large = tensorOf<float>(DType::f32, {300'000}, many),
                 small = tensorOf<float>(DType::f32, {}, many);
    std::vector<NamedTensor> tensors = {{"x", large}};
    for (int i = 0; i < 2000; ++i) // a directory and a JSON header of many pages
        tensors.push_back({"tensor with a long name " + std::to_string(i), small});
    ASSERT_TRUE(writeNpy(f / "t.npy", tensors[0].tensor).ok());
    ASSERT_TRUE(writeNpz(f / "t.npz", tensors).ok());
    ASSERT_TRUE(writeSafetensors(f / "t.safetensors", tensors).ok());
    for (const char* name : {"t.npy", "t.npz", "t.safetensors"}) {
        SCOPED_TRACE(name);
        const auto whole = std::filesystem::file_size(f / name);
        for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{50}, whole / 2}) {
            std::filesystem::resize_file(f / name, whole);
            const auto bytes = FileBytes::open(f / name);
            ASSERT_TRUE(bytes.ok());
            std::filesystem::resize_file(f / name, left);
            const auto dump = openDump(*bytes);
            if (dump) { // what was read is still there
                for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) (void)(*dump)->load(i);
                continue;
            }
            // What is left of the last page reads as zeros without a signal: a contradiction is found, or
            // nothing.
            EXPECT_TRUE(dump.error().code == ErrorCode::truncated || left == 50) << dump.error().text();
        }
    }
}

TEST(SigbusGuard, OutsideAGuardMissingBytesReadAsZerosAndLoadingFails) {
    const ScratchFolder f;
    const std::vector<float> many(300'000, 1.f);
    ASSERT_TRUE(writeNpy(f / "t.npy", tensorOf<float>(DType::f32, {300'000}, many)).ok());
    const auto dump = openDump(f / "t.npy");
    ASSERT_TRUE(dump.ok());
    const auto tensor = (*dump)->load(0);
    ASSERT_TRUE(tensor.ok());
    std::filesystem::resize_file(f / "t.npy", 4096);
    EXPECT_EQ(elementAt(tensor->view(), 299'999), 0.0);
    EXPECT_EQ(elementAt(tensor->view(), 0), 1.0);
    EXPECT_EQ((*dump)->load(0).error().code, ErrorCode::truncated);
}

TEST(SigbusGuard, RunsWhatIsHarmless) {
    int calls = 0;
    EXPECT_TRUE(guardMappedRead([&] { EXPECT_TRUE(guardMappedRead([&] { ++calls; })); }));
    EXPECT_EQ(calls, 1);
}

} // namespace
} // namespace divdet::testing
