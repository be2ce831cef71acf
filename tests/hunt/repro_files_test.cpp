// Files of a repro in a folder that has others: ours are replaced, a user's own are never touched.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "session/repro/repro.h"
#include "session/repro/repro_folder.h"
#include "small_repro.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

Result<std::vector<std::string>> written(const fs::path& folder,
                                         const char* pass = "wrong-accumulator=bf16") {
    Repro r = test::smallRepro();
    r.theCase.passes = {*lower::parsePass(pass)};
    return writeRepro(r, {}, nullptr, folder);
}

TEST(ReproFiles, AUsersOwnAreNeverTouched) {
    for (const char* name : {"repro.json", "repro.npz", "repro.py", "repro.md"})
        for (const char* pass : {"wrong-accumulator=bf16", "fp8"}) { // with a script, and without one
            SCOPED_TRACE(std::string(name) + ' ' + pass);
            test::ScratchFolder folder;
            write(folder / name, "{\"mine\": 1}");
            const auto names = written(folder.path(), pass);
            ASSERT_FALSE(names.ok());
            EXPECT_EQ(names.error().code, ErrorCode::usage);
            EXPECT_EQ(names.error().path, (folder / name).string());
            EXPECT_FALSE(names.error().hint.empty());
            EXPECT_EQ(contents(folder / name), "{\"mine\": 1}");
            EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
        }
    test::ScratchFolder folder;
    fs::create_directory(folder / "repro.md");
    EXPECT_FALSE(checkReproFolder(folder.path()).ok());
    EXPECT_TRUE(checkReproFolder(folder / "absent").ok());
}

TEST(ReproFiles, OursAreReplacedAndThoseOfAnEarlierCaseGo) {
    test::ScratchFolder folder;
    ASSERT_TRUE(written(folder.path()).ok());
    const std::string text = contents(folder / "repro.json");
    ASSERT_TRUE(fs::exists(folder / "repro.py"));
    // As if its numbers had been many.
    const auto at = text.find("\"graph\":");
    ASSERT_NE(at, std::string::npos);
    write(folder / "repro.json", std::string(text).insert(at, "\"inputs\": \"repro.npz\",\n"));
    write(folder / "repro.npz", "numbers");
    const auto names = written(folder.path(), "fp8");
    ASSERT_TRUE(names.ok()) << names.error().text();
    EXPECT_EQ(*names, (std::vector<std::string>{"repro.json", "repro.md"}));
    EXPECT_FALSE(fs::exists(folder / "repro.py"));
    EXPECT_FALSE(fs::exists(folder / "repro.npz"));
    EXPECT_TRUE(written(folder.path()).ok());
    EXPECT_EQ(contents(folder / "repro.json"), text);
}

TEST(ReproMarkdown, TheTitleSaysWhatVerdictAndClassSay) {
    Repro r = test::smallRepro();
    const auto title = [&] {
        const std::string md = reproMarkdown(r, {}, nullptr, "");
        return md.substr(0, md.find('\n'));
    };
    r.verdict = "outside", r.pairClass = "bug";
    EXPECT_EQ(title(), "# `wrong-accumulator=bf16` gives a wrong result");
    r.verdict = "within";
    EXPECT_EQ(title(), "# `wrong-accumulator=bf16` does not do the declared arithmetic");
    r.pairClass = "drift", r.symptom.bad = {BadWhen::Kind::finding, "coarse-grid"};
    EXPECT_EQ(title(), "# `wrong-accumulator=bf16` gives a result with the finding `coarse-grid`");
    r.symptom.bad = {BadWhen::Kind::crash};
    EXPECT_EQ(title(), "# `wrong-accumulator=bf16` ends in an error");
}

} // namespace
} // namespace divdet
