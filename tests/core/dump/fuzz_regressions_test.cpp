#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "dump_test_support.h"
#include "fuzz/target.h"

namespace divdet::testing {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> crashesOf(std::string_view target) {
    std::vector<fs::path> files;
    const fs::path folder = test::sourceFolder() / "tests/data/fuzz/crashes" / target;
    if (fs::exists(folder))
        for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void run(const fuzz::Target& target, fuzz::Input input, const std::string& what) {
    SCOPED_TRACE(what);
    EXPECT_NO_THROW(target.run(input)) << "reproduce with fuzz_" << target.name;
}

class FuzzTarget : public ::testing::TestWithParam<fuzz::Target> {};

TEST_P(FuzzTarget, PastCrashesStayFixed) {
    for (const fs::path& file : crashesOf(GetParam().name))
        run(GetParam(), readAll(file), file.filename().string());
}

/// Seeds whole, cut at every byte and with every byte changed: what a fuzzer tries first, in the normal
/// build.
TEST_P(FuzzTarget, SeedsCutAndChanged) {
    const auto seeds = GetParam().seeds();
    ASSERT_FALSE(seeds.empty());
    for (std::size_t s = 0; s < seeds.size(); ++s) {
        const fuzz::Input whole = fuzz::asInput(seeds[s]);
        run(GetParam(), whole, fmt::format("seed {}", s));
        const std::size_t step = 1 + whole.size() / 400;
        for (std::size_t n = 0; n < whole.size(); n += step) {
            run(GetParam(), whole.first(n), fmt::format("seed {} cut at {}", s, n));
            std::vector<std::byte> changed(whole.begin(), whole.end());
            changed[n] ^= std::byte{0xff};
            run(GetParam(), changed, fmt::format("seed {} changed at {}", s, n));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, ::testing::ValuesIn(fuzz::targets()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FuzzCrashes, EachFolderHasItsTarget) {
    const fs::path crashes = test::sourceFolder() / "tests/data/fuzz/crashes";
    if (!fs::exists(crashes)) return;
    for (const auto& entry : fs::directory_iterator(crashes)) {
        const std::string folder = entry.path().filename().string();
        const auto& all = fuzz::targets();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& t) { return t.name == folder; }))
            << folder;
    }
}

} // namespace
} // namespace divdet::testing
