#include "dump/natural_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace divdet {
namespace {

TEST(NaturalOrder, CountsAsPeopleDo) {
    std::vector<std::string> names = {"layers.10.out", "layers.2.out", "layers.2", "layers.01.out", "a", ""};
    std::sort(names.begin(), names.end(), naturalLess);
    EXPECT_EQ(names, (std::vector<std::string>{"", "a", "layers.01.out", "layers.2", "layers.2.out",
                                               "layers.10.out"}));
}

TEST(NaturalOrder, NumbersOfAnyLength) {
    EXPECT_TRUE(naturalLess("x99999999999999999999998", "x99999999999999999999999"));
    EXPECT_TRUE(naturalLess("x9", "x100000000000000000000000"));
}

TEST(NaturalOrder, IsStrictWeakOrder) {
    const std::vector<std::string> names = {"",   "0",   "00",  "1",    "01",    "10",   "a",
                                            "a0", "a00", "a01", "a1",   "a1b",   "a01b", "a1c",
                                            "a/", "a:",  "a10", "a1.2", "a1.10", "b"};
    for (const auto& a : names)
        for (const auto& b : names) {
            EXPECT_EQ(naturalLess(a, b) || naturalLess(b, a), a != b) << a << " " << b;
            EXPECT_FALSE(naturalLess(a, b) && naturalLess(b, a)) << a << " " << b;
            for (const auto& c : names)
                EXPECT_TRUE(!(naturalLess(a, b) && naturalLess(b, c)) || naturalLess(a, c))
                    << a << " " << b << " " << c;
        }
}

} // namespace
} // namespace divdet
