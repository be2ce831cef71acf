// A list of tolerances may be a pipe, whose length nobody knows; no more of it is read than a list may have.
#include <fstream>

#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "session/tap_tolerance.h"

namespace divdet {
namespace {

ErrorCode codeOf(const std::filesystem::path& file) {
    const auto list = readTapTolerances(file);
    EXPECT_FALSE(list.ok()) << file;
    return list ? ErrorCode::internal : list.error().code;
}

TEST(TapToleranceFile, IsReadToALimit) {
    const test::ScratchFolder folder;
    const auto file = folder / "list.txt";
    std::ofstream(file) << "a* 1e-3 -\n";
    const auto list = readTapTolerances(file);
    ASSERT_TRUE(list.ok()) << list.error().text();
    ASSERT_EQ(list->size(), 1u);
    EXPECT_EQ(list->front().glob, "a*");
    EXPECT_EQ(list->front().overrides.rtol, 1e-3);
    std::ofstream(file, std::ios::app) << std::string((16u << 20) - 11, '#') << '\n'; // 16 MiB in all
    EXPECT_TRUE(readTapTolerances(file).ok());
    std::ofstream(file, std::ios::app) << '\n';
    EXPECT_EQ(codeOf(file), ErrorCode::refused);
    EXPECT_EQ(codeOf("/dev/zero"), ErrorCode::refused); // it has no end
    EXPECT_EQ(codeOf(folder / "none"), ErrorCode::io);
}

} // namespace
} // namespace divdet
