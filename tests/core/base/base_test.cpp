#include <charconv>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "base/number_text.h"
#include "base/sha256.h"
#include "base/split.h"

namespace divdet {
namespace {

TEST(NumberText, ShortNumbersKeepThreeDigits) {
    EXPECT_EQ(shortNumber(9.59e-4), "9.59e-4");
    EXPECT_EQ(shortNumber(1.9e9), "1.90e9");
    EXPECT_EQ(shortNumber(0.0297), "0.0297");
    EXPECT_EQ(shortNumber(34.6), "34.6");
    EXPECT_EQ(shortNumber(2509), "2509");
    EXPECT_EQ(shortNumber(0), "0");
    EXPECT_EQ(shortNumber(-INFINITY), "-inf");
}

TEST(NumberText, TolerancesAreAsShortAsTheyCanBe) {
    for (const char* text : {"1e-5", "1.3e-6", "0.25", "0", "1", "1e-2", "0.5", "0.016", "1e-9", "10"}) {
        double x = 0;
        std::from_chars(text, text + std::string_view(text).size(), x);
        EXPECT_EQ(toleranceText(x), text);
    }
}

RC_GTEST_PROP(NumberText, TolerancesReadBack, ()) {
    const double x = std::abs(*rc::gen::arbitrary<double>());
    RC_PRE(std::isfinite(x));
    const std::string text = toleranceText(x);
    double back = -1;
    std::from_chars(text.data(), text.data() + text.size(), back);
    RC_ASSERT(back == x);
}

TEST(NumberText, CountsHaveCommas) {
    EXPECT_EQ(countText(0), "0");
    EXPECT_EQ(countText(999), "999");
    EXPECT_EQ(countText(32768), "32,768");
    EXPECT_EQ(countText(-1234567), "-1,234,567");
}

TEST(Error, SaysWhatWhereAndWhatToDo) {
    const Error e{ErrorCode::truncated, "the file ends early", "a.npy", "copy it again", 128};
    EXPECT_EQ(e.text(), "the file ends early: a.npy (at byte 128); copy it again");
    EXPECT_EQ(toString(e.code), "truncated");
}

TEST(Split, LeavesOutEmptyParts) {
    EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(split("", ',').empty());
}

TEST(Sha256, KnownAnswers) { // FIPS 180-4 examples
    const auto hash = [](std::string_view s) { return sha256(std::as_bytes(std::span(s))); };
    EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace
} // namespace divdet
