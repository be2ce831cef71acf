// Names and files made to harm, through the program: nothing in them reaches the terminal as a command, and
// the program ends with an exit code, not with a signal.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/text_encoding.h"
#include "dump/write.h"
#include "make_tensor.h"
#include "paths.h"

namespace divdet {
namespace {
namespace fs = std::filesystem;

struct Output {
    int code = -1;
    std::string text; ///< stdout, then stderr
};

class HostileNames : public ::testing::Test {
protected:
    void SetUp() override {
        m_dir = fs::temp_directory_path() / ("divdet_hostile_" + std::to_string(::getpid()));
        fs::create_directories(m_dir);
    }
    void TearDown() override { fs::remove_all(m_dir); }

    Output divdet(const std::string& args) {
        const std::string command = test::cliProgram() + " " + args + " 2>&1 </dev/null";
        Output o;
        FILE* pipe = popen(command.c_str(), "r");
        std::array<char, 4096> buffer;
        for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            o.text.append(buffer.data(), n);
        const int status = pclose(pipe);
        o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return o;
    }

    std::string saved(const std::string& file, const std::vector<std::string>& names, float first = 1) {
        std::vector<NamedTensor> tensors;
        for (const std::string& n : names) tensors.push_back({n, test::f32({first, 2})});
        EXPECT_TRUE(writeSafetensors(m_dir / file, tensors).ok());
        return "'" + (m_dir / file).string() + "'";
    }

    /// One line each, and every character of a line can be seen.
    static void expectHarmless(const std::string& text) {
        EXPECT_TRUE(isUtf8(text));
        std::string line;
        for (std::size_t at = 0; at < text.size(); at += line.size() + 1) {
            line = text.substr(at, text.find('\n', at) - at);
            EXPECT_EQ(printable(line), line);
        }
    }

    fs::path m_dir;
};

const std::vector<std::string> kNames = {"\x1b[2J\x1b]0;owned\a",
                                         "a\r\nWITHIN  all elements pass",
                                         "\xc2\x9b"
                                         "31m",
                                         "\u202etfel",
                                         "../../etc/passwd",
                                         std::string("n\0l", 3)};

TEST_F(HostileNames, NothingInThemSteersTheTerminal) {
    const auto r = saved("r.safetensors", kNames), c = saved("c.safetensors", kNames, 3);
    const Output compared = divdet("compare " + r + " " + c);
    EXPECT_EQ(compared.code, 1);
    expectHarmless(compared.text);
    EXPECT_NE(compared.text.find("\\x1b[2J"), std::string::npos) << compared.text;
    for (const std::string& args : std::vector<std::string>{
             "inspect " + r, "compare " + r + " " + saved("d.safetensors", {"x", "\x1b[1m"}),
             "compare " + r + " " + c + " --only 'no\x1b[1m'", "inspect '\x1b[31mno.npy'",
             "compare " + r + " " + c + " --\x1b[1m", "tolerance " + r + " " + c})
        expectHarmless(divdet(args).text);
}

TEST_F(HostileNames, JsonKeepsThemWhole) {
    const auto r = saved("r.safetensors", kNames);
    const auto j = nlohmann::json::parse(divdet("compare " + r + " " + r + " --json -").text);
    ASSERT_EQ(j["tensors"].size(), kNames.size());
    std::vector<std::string> got;
    for (const auto& tap : j["tensors"]) got.push_back(tap["name"]);
    for (const std::string& n : kNames) EXPECT_NE(std::find(got.begin(), got.end(), n), got.end());
}

TEST_F(HostileNames, BytesThatAreNoUtf8AreReplacedInJson) {
    fs::create_directory(m_dir / "folder");
    EXPECT_TRUE(writeNpy(m_dir / "folder" / "\xff\xfe.npy", test::f32({1, 2})).ok());
    const std::string folder = "'" + (m_dir / "folder").string() + "'";
    const Output o = divdet("inspect " + folder + " --json -");
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(nlohmann::json::parse(o.text)["files"][0]["taps"][0]["name"], "\ufffd\ufffd");
    expectHarmless(divdet("inspect " + folder).text);
}

TEST_F(HostileNames, OfMegabytesDoNotFillTheScreen) {
    const std::vector<std::string> names = {std::string(10'000'000, 'x'), "y"};
    const auto r = saved("r.safetensors", names), c = saved("c.safetensors", names, 3);
    const Output o = divdet("compare " + r + " " + c);
    EXPECT_EQ(o.code, 1);
    EXPECT_LT(o.text.size(), 10'000u);
    EXPECT_LT(divdet("inspect " + r).text.size(), 10'000u);
}

TEST_F(HostileNames, JsonGoesIntoDevicesAndNeverReplacesThem) {
    const auto r = saved("r.safetensors", {"x"});
    EXPECT_EQ(divdet("compare " + r + " " + r + " --json /dev/null").code, 0);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const Output full = divdet("compare " + r + " " + r + " --json /dev/full");
    EXPECT_EQ(full.code, 2);
    EXPECT_NE(full.text.find("/dev/full"), std::string::npos) << full.text;
    EXPECT_EQ(divdet("compare " + r + " " + r + " --json " + (m_dir / "no/such/folder.json").string()).code,
              2);
}

TEST_F(HostileNames, PipesAndLoopsAreRefused) {
    ASSERT_EQ(::mkfifo((m_dir / "pipe").c_str(), 0600), 0);
    fs::create_symlink("loop", m_dir / "loop");
    for (const char* name : {"pipe", "loop"})
        EXPECT_EQ(divdet("inspect " + (m_dir / name).string()).code, 2) << name;
    EXPECT_EQ(divdet("inspect /dev/zero").code, 2);
}

} // namespace
} // namespace divdet
