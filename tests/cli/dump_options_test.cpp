// The options that say how a file is opened and how unequal shapes meet.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "shared_data.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

struct Output {
    int code = -1;
    std::string text; ///< stdout and stderr
};

Output divdet(const std::string& args) {
    Output o;
    FILE* pipe = popen((test::cliProgram() + " " + args + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer;
    for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        o.text.append(buffer.data(), n);
    o.code = WEXITSTATUS(pclose(pipe));
    return o;
}

TEST(DumpOptionsCli, RawFilesNeedDtypeAndShapeThatFit) {
    const fs::path file = fs::temp_directory_path() / ("divdet_raw_" + std::to_string(::getpid()) + ".bin");
    std::ofstream(file, std::ios::binary) << std::string(48, '\0');
    const std::string both = "compare " + file.string() + " " + file.string();
    const std::string candidate = " --candidate-dtype f32 --candidate-shape 3,4";
    EXPECT_EQ(divdet(both + " --reference-dtype f32 --reference-shape 3x4" + candidate).code, 0);
    const Output wrong = divdet(both + " --reference-dtype f32 --reference-shape 3x5" + candidate);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.text.find("needs 60 bytes, the file has 48"), std::string::npos) << wrong.text;
    EXPECT_NE(divdet(both + " --reference-shape 3x4").text.find("needs a dtype"), std::string::npos);
    EXPECT_EQ(divdet(both + " --reference-dtype f32 --reference-shape 3y4").code, 2);
    EXPECT_EQ(divdet(both).code, 2);
    fs::remove(file);
}

TEST(DumpOptionsCli, SeveralRunnersAreNamed) {
    DIVDET_NEEDS_SHARED("data/onnx/polygraphy");
    const std::string two = sharedPath("data/onnx/polygraphy/two_runners.json").string();
    const std::string one = sharedPath("data/onnx/polygraphy/mlp_fp32_final.json").string();
    const Output none = divdet("compare " + two + " " + one);
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.text.find("2 runners"), std::string::npos);
    EXPECT_NE(none.text.find("onnxrt-runner-N1"), std::string::npos);
    EXPECT_NE(none.text.find("--reference-runner"), std::string::npos);
    EXPECT_EQ(divdet("compare " + two + " " + one + " --reference-runner N1").code, 0);
    EXPECT_EQ(divdet("compare " + one + " " + two + " --candidate-runner N7").code, 2);
}

TEST(DumpOptionsCli, WrongWordsAreUsageErrors) {
    EXPECT_EQ(divdet("compare a b --ranks all").code, 2);
    EXPECT_EQ(divdet("compare a b --split qkv").code, 2);
}

} // namespace
} // namespace divdet
