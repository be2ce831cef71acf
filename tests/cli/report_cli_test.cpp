#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/write.h"
#include "make_tensor.h"
#include "paths.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

/// Reports and result files of `divdet`, in a folder of their own.
class ReportCli : public testing::Test {
protected:
    void SetUp() override {
        m_dir = fs::temp_directory_path() / (std::string("divdet_report_") +
                                             testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(m_dir);
        fs::create_directories(m_dir);
        std::vector<double> r = test::normals(600, 1), c = r;
        const auto noise = test::normals(600, 2, 1e-4);
        for (std::size_t i = 0; i < r.size(); ++i) c[i] += noise[i];
        const std::string bad = "<script>alert('1')</script>|`x`\"\n\x01&";
        const std::vector<NamedTensor> reference{
            {"out", test::f64(r, {20, 30})}, {bad, test::f32({1, 2})}, {"only", test::f32({1})}};
        const std::vector<NamedTensor> candidate{{"out", test::f64(c, {20, 30})},
                                                 {bad, test::f32({1, 2.5f})}};
        ASSERT_TRUE(writeNpz(m_dir / "r.npz", reference).ok());
        ASSERT_TRUE(writeNpz(m_dir / "c.npz", candidate).ok());
        ASSERT_TRUE(writeNpy(m_dir / "r.npy", test::f64(r)).ok());
        ASSERT_TRUE(writeNpy(m_dir / "c.npy", test::f64(c)).ok());
    }
    void TearDown() override { fs::remove_all(m_dir); }

    /// Runs in the folder; stdout and stderr together.
    std::pair<int, std::string> run(const std::string& command) {
        FILE* pipe = popen(("cd '" + m_dir.string() + "' && " + command + " 2>&1").c_str(), "r");
        std::string out;
        std::array<char, 4096> buffer;
        for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
            out.append(buffer.data(), n);
        return {WEXITSTATUS(pclose(pipe)), out};
    }
    std::pair<int, std::string> divdet(const std::string& args) {
        return run(test::cliProgram() + " " + args);
    }
    std::string read(const std::string& name) {
        std::ifstream in(m_dir / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// A document without what differs from run to run.
    static nlohmann::json stable(const std::string& text) {
        auto j = nlohmann::json::parse(text);
        for (const char* key : {"seconds", "environment"}) j.erase(key);
        return j;
    }
    fs::path m_dir;
};

TEST_F(ReportCli, WritesEveryFormatAtOnce) {
    const auto [code, out] =
        divdet("compare r.npz c.npz --report a.md --report a.html --report a.json --json b.json");
    EXPECT_EQ(code, 1) << out;
    EXPECT_EQ(read("a.json"), read("b.json"));
    const std::string md = read("a.md");
    EXPECT_NE(md.find("| out | outside |"), std::string::npos) << md;
    EXPECT_NE(md.find("divdet compare r.npz c.npz --rtol 1e-5 --atol 1e-8"), std::string::npos);
    EXPECT_NE(md.find("Outside: "), std::string::npos);
    EXPECT_NE(md.find("- only\n"), std::string::npos);
    EXPECT_NE(md.find("**few-elements**: The tensor has so few"), std::string::npos);
    EXPECT_EQ(md.find("<script"), std::string::npos);
    // Every row of the table of pairs has as many cells as its head.
    std::size_t rows = 0;
    for (std::size_t at = md.find("| pair |"); at < md.size() && md[at] == '|';
         at = md.find('\n', at) + 1, ++rows) {
        int cells = 0;
        for (std::size_t i = at; md[i] != '\n'; ++i) cells += md[i] == '|' && (i == 0 || md[i - 1] != '\\');
        EXPECT_EQ(cells, 12 + 1) << md.substr(at, 200);
    }
    EXPECT_EQ(rows, 4u);
}

TEST_F(ReportCli, ThePageIsOneWellFormedFileOfItsOwn) {
    ASSERT_EQ(divdet("compare r.npz c.npz --report a.html").first, 1);
    const std::string html = read("a.html");
    for (const char* never : {"<script", "src=", "href=", "@import", "url(", "http-equiv", "nan\"", "Mnan"})
        EXPECT_EQ(html.find(never), std::string::npos) << never;
    for (const char* plot : {"Tolerances that pass", "Errors by size of the reference", "Distance in ulps",
                             "Where the error is", "Error along depth", "prefers-color-scheme:dark"})
        EXPECT_NE(html.find(plot), std::string::npos) << plot;
    if (run("/usr/bin/python3 -c pass").first != 0) GTEST_SKIP() << "no python3 to parse the page with";
    const auto [code, out] = run("/usr/bin/python3 -c \"import xml.etree.ElementTree as e; "
                                 "r=e.parse('a.html').getroot(); "
                                 "print(len([x for x in r.iter() if x.tag.endswith('}svg')]))\"");
    EXPECT_EQ(code, 0) << out;
    EXPECT_EQ(out, "9\n"); // along depth, and four of each pair
}

TEST_F(ReportCli, AnUnknownSuffixIsRefusedBeforeTheWork) {
    for (const char* name : {"a.pdf", "a", "a.md.gz"}) {
        const auto [code, out] = divdet(std::string("compare r.npz c.npz --report ") + name);
        EXPECT_EQ(code, 2);
        EXPECT_NE(out.find(".md, .html, .json or .xml"), std::string::npos) << out;
        EXPECT_EQ(out.find("OUTSIDE"), std::string::npos);
    }
    EXPECT_EQ(divdet("compare r.npz c.npz --report none/a.md").first, 2);
}

TEST_F(ReportCli, RunReportsTheBlock) {
    EXPECT_EQ(
        divdet("run mlp --tokens 4 --width 32 --hidden 64 --no-passes --report a.md --report a.html").first,
        0);
    EXPECT_NE(read("a.md").find("| block | mlp |"), std::string::npos);
    EXPECT_NE(read("a.md").find("divdet run mlp"), std::string::npos);
}

TEST_F(ReportCli, ASavedComparisonIsJudgedAgainWithoutTheDumps) {
    ASSERT_EQ(divdet("compare r.npz c.npz --save x.divdet --json a.json").first, 1);
    const auto at = divdet("compare r.npz c.npz --rtol 1e-3 --atol 1e-4 --json c.json").first;
    fs::remove(m_dir / "r.npz");
    fs::remove(m_dir / "c.npz");
    EXPECT_EQ(divdet("compare x.divdet --json b.json").first, 1);
    EXPECT_EQ(stable(read("a.json")), stable(read("b.json")));
    const auto [code, out] = divdet("compare x.divdet --rtol 1e-3 --atol 1e-4 --json d.json");
    EXPECT_EQ(code, at);
    EXPECT_NE(out.find("between "), std::string::npos) << out;
    const auto exact = stable(read("c.json")), bounds = stable(read("d.json"));
    EXPECT_EQ(exact["needed"], bounds["needed"]);
    const auto b = bounds["tensors"][0]["mismatch_bounds"];
    ASSERT_EQ(b.size(), 2u);
    EXPECT_LE(b[0].get<int>(), exact["tensors"][0]["mismatches"].get<int>());
    EXPECT_GE(b[1].get<int>(), exact["tensors"][0]["mismatches"].get<int>());
    EXPECT_EQ(divdet("compare x.divdet --judge out --rtol 1 --atol 1").first,
              3); // vacuous; the missing tap is not judged
    EXPECT_EQ(divdet("compare x.divdet --judge nothing").first, 2);
    EXPECT_EQ(divdet("compare x.divdet --skip out").first, 2);
    EXPECT_EQ(divdet("tolerance x.divdet").first, 0);
    EXPECT_NE(divdet("inspect x.divdet").second.find("a saved comparison, 2 taps"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(divdet("inspect x.divdet --json -").second)["files"][0]["format"],
              "divdet");
}

TEST_F(ReportCli, OneFileThatIsNoResultFileIsAUsageError) {
    const auto [code, out] = divdet("compare r.npz");
    EXPECT_EQ(code, 2);
    EXPECT_NE(out.find("no result file"), std::string::npos) << out;
    EXPECT_EQ(divdet("compare none.divdet").first, 2);
    ASSERT_EQ(divdet("compare r.npz c.npz --save x.divdet").first, 1);
    const auto asDump = divdet("compare r.npz x.divdet");
    EXPECT_EQ(asDump.first, 2);
    EXPECT_NE(asDump.second.find("a saved comparison"), std::string::npos) << asDump.second;
    EXPECT_EQ(divdet("compare r.npz c.npz c.npz --save y.divdet").first, 2);
    fs::resize_file(m_dir / "x.divdet", 100);
    EXPECT_EQ(divdet("compare x.divdet").first, 2);
}

/// The lines are run by the tool they are for.
TEST_F(ReportCli, TheLinesToPastePassInNumpy) {
    if (run("/usr/bin/python3 -c 'import numpy'").first != 0) GTEST_SKIP() << "no numpy";
    const auto [code, out] = divdet("tolerance r.npy c.npy --json t.json --report t.html --report t.md");
    ASSERT_EQ(code, 0);
    EXPECT_NE(out.find("to paste into a test"), std::string::npos) << out;
    EXPECT_NE(read("t.md").find("### Needed rtol at an atol"), std::string::npos);
    int lines = 0;
    const auto document = nlohmann::json::parse(read("t.json"));
    for (const auto& t : document["paste"]) {
        const auto python = run("/usr/bin/python3 -c \"import numpy; reference=numpy.load('r.npy'); "
                                "candidate=numpy.load('c.npy'); " +
                                t["numpy"].get<std::string>() + "\"");
        EXPECT_EQ(python.first, 0) << t["numpy"] << python.second;
        ++lines;
    }
    EXPECT_EQ(lines, 3);
}

} // namespace
} // namespace divdet
