#include "report/escape.h"

#include <gtest/gtest.h>

namespace divdet {
namespace {

constexpr const char* kUnknown = "\xef\xbf\xbd";

TEST(Escape, WhatIsNoTextIsReplaced) {
    EXPECT_EQ(visibleText("a\nb\tc\rd"), "a b c d");
    EXPECT_EQ(visibleText(std::string_view("a\0b", 3)), std::string("a") + kUnknown + "b");
    EXPECT_EQ(visibleText("a\x1b[31m"), std::string("a") + kUnknown + "[31m");
    EXPECT_EQ(visibleText("\xc3\xa9"), "\xc3\xa9");
    for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe0\x80\x80"})
        EXPECT_EQ(visibleText(bad).substr(0, 3), kUnknown);
    EXPECT_EQ(visibleText("\xe2\x80\xae"), kUnknown); // right-to-left override
    EXPECT_EQ(visibleText("\xef\xbf\xbf"), kUnknown); // no character of XML
    EXPECT_EQ(visibleText(std::string(1000, 'x'), 10), std::string(10, 'x') + "…");
}

TEST(Escape, NothingInXmlIsMarkup) {
    EXPECT_EQ(xmlText("<script>\"&'"), "&lt;script&gt;&quot;&amp;&#39;");
}

TEST(Escape, NothingInMarkdownIsMarkup) {
    EXPECT_EQ(markdownText("a|b`c*d_<x>\n"), "a\\|b\\`c\\*d\\_&lt;x&gt; ");
    EXPECT_EQ(markdownCode("a`b|c"), "`` a`b\\|c ``");
    EXPECT_EQ(markdownCode("plain"), "`plain`");
}

} // namespace
} // namespace divdet
