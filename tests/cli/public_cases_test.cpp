// Public bug reports as small inputs: `divdet` over each case, checked by the checker beside them. C12 is for
// the library, says the checker: tests/hunt/public_oracles_test.cpp.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "shared_data.h"

namespace {

namespace fs = std::filesystem;

class PublicCases : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> casesOf(char group) {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(sharedPath("cases")))
        if (entry.is_directory() && entry.path().filename().string().front() == group)
            out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

TEST_P(PublicCases, HaveTheRightAnswer) {
    DIVDET_NEEDS_SHARED("cases/check.py");
    auto ids = casesOf(GetParam().front());
    std::erase(ids, "C12"); // of the minimiser, not of the log reader
    ASSERT_FALSE(ids.empty());
    std::string command = "python3 '" + sharedPath("cases/check.py").string() + "' '" +
                          divdet::test::cliProgram() + "' '" + sharedPath("cases").string() + "'";
    for (const auto& id : ids) command += ' ' + id;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    ASSERT_TRUE(pipe);
    std::string said;
    std::array<char, 4096> buffer;
    for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        said.append(buffer.data(), n);
    EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0) << said;
    EXPECT_NE(said.find("0 failed, 0 skipped"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(Group, PublicCases, ::testing::Values("A", "B", "C", "D", "P"),
                         [](const auto& group) { return group.param; });
