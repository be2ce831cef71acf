// Names in repro.py: Python reads the same string, whatever is in it, and nothing else.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "dump/write.h"
#include "scratch_folder.h"
#include "session/repro/python_text.h"
#include "session/repro/script.h"
#include "small_repro.h"

namespace divdet {
namespace {

bool runs(const std::string& command) {
    return std::system(command.c_str()) == 0;
}

TEST(PythonText, IsAsciiOnOneLine) {
    EXPECT_EQ(pythonText("a_b"), "'a_b'");
    EXPECT_EQ(pythonText("\xc3\xa9"), "'\\u00e9'");
    EXPECT_EQ(pythonText("\xf0\x9d\x84\x9e"), "'\\U0001d11e'");
    EXPECT_EQ(pythonText("it's\\\n\x7f"), "'it\\'s\\\\\\u000a\\u007f'");
    EXPECT_EQ(pythonText("\xff\xc3("), "'\\ufffd\\ufffd('");
    EXPECT_EQ(pythonText("\xe2\x82"), "'\\ufffd\\ufffd'");
    for (const char c : pythonText("\xe2\x80\xae\x1b[0m\r\xc2\x85")) EXPECT_TRUE(c >= 0x20 && c < 0x7F);
}

TEST(PythonText, PythonReadsTheSameString) {
    if (!runs("/usr/bin/python3 -c ''")) GTEST_SKIP() << "no python3";
    test::ScratchFolder folder;
    const std::vector<std::string> names{"\xc3\xa9",        "\xc3\xbc/w",         "\xf0\x9d\x84\x9e",
                                         "'); import os #", "a\\u00e9\n\r\x01\"", "\xe2\x80\xa8x"};
    std::ofstream script(folder / "read.py");
    script << "import sys\nfor s in [";
    for (const auto& n : names) script << pythonText(n) << ", ";
    script << "]:\n    sys.stdout.buffer.write(s.encode('utf-8') + b'\\0')\n";
    script.close();
    ASSERT_TRUE(runs("/usr/bin/python3 '" + (folder / "read.py").string() + "' > '" +
                     (folder / "out").string() + "'"));
    std::ifstream in(folder / "out", std::ios::binary);
    std::string want;
    for (const auto& n : names) want.append(n).push_back('\0');
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), want);
}

TEST(PythonText, AScriptFindsItsNumbersByNamesOfAnyAlphabet) {
    if (!runs("/usr/bin/python3 -c 'import numpy' 2>/dev/null")) GTEST_SKIP() << "no numpy";
    Repro r = test::smallRepro();
    const char* const names[] = {"\xc3\xa9", "\xc3\xbc/w", "\xe2\x80\xae\xe5\x85\xa5"};
    std::size_t given = 0;
    for (block::Value& v : r.theCase.graph.values)
        if (v.data && given < std::size(names)) v.name = names[given++];
    ASSERT_GE(given, 2u);
    for (auto& p : r.theCase.passes) p.ops.clear();
    // As large as numbers are that go into a file: what is read by name.
    const auto run = *runRepro(test::twinSession(), r);
    std::vector<NamedTensor> numbers;
    for (const block::Value& v : r.theCase.graph.values)
        if (v.data) numbers.push_back({v.name, *v.data});
    test::ScratchFolder folder;
    ASSERT_TRUE(writeNpz(folder / "repro.npz", numbers).ok());
    const auto script = reproScript(r, run, "repro.npz");
    ASSERT_TRUE(script.ok()) << script.error().text();
    std::ofstream(folder / "repro.py") << *script;
    const std::string at = "cd '" + folder.path().string() + "' && /usr/bin/python3 repro.py > out 2>&1";
    EXPECT_FALSE(runs(at));
    std::ifstream in(folder / "out");
    const std::string said(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(said.find("AssertionError: guilty pass"), std::string::npos) << said << *script;
}

} // namespace
} // namespace divdet
