#include "judge/envelope/expected_rounding.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace divdet {
namespace {

using envelope::Expected;
using envelope::expectedRounding;

TEST(ExpectedRounding, OfWhatIsKnownIsTheRounding) {
    EXPECT_EQ(expectedRounding(5.3, 0, 0.5, false).mean, 5.5);
    EXPECT_EQ(expectedRounding(-5.3, 0, 0.5, true).mean, -5.0);
    EXPECT_EQ(expectedRounding(5.5, 0, 0.5, true).mean, 5.5);
    EXPECT_EQ(expectedRounding(5.3, 0, 0.5, true).variance, 0);
    // Next to certain: the same, in both directions, as long as no tie is in reach.
    EXPECT_EQ(expectedRounding(-5.3, 1e-12, 0.5, false).mean, -5.5);
    EXPECT_EQ(expectedRounding(-5.3, 1e-12, 0.5, true).mean, -5.0);
    EXPECT_EQ(expectedRounding(-5.3, 1e-12, 0.5, false).variance, 0);
}

TEST(ExpectedRounding, OfATieIsBothSides) {
    const Expected tie = expectedRounding(5.25, 1e-12, 0.5, false);
    EXPECT_DOUBLE_EQ(tie.mean, 5.25);
    EXPECT_DOUBLE_EQ(tie.variance, 0.25 * 0.25 / 3); // thrice as many numbers count as ties
    const Expected edge = expectedRounding(-5.5, 1e-12, 0.5, true);
    EXPECT_DOUBLE_EQ(edge.mean, -5.25);
    EXPECT_DOUBLE_EQ(edge.variance, 0.25 * 0.25 / 3);
}

TEST(ExpectedRounding, OfWhatSpreadsOverStepsIsEven) {
    const Expected even = expectedRounding(5.3, 4, 0.5, false);
    EXPECT_EQ(even.mean, 5.3);
    EXPECT_DOUBLE_EQ(even.variance, 4 + 0.25 / 12);
    EXPECT_DOUBLE_EQ(expectedRounding(-5.3, 4, 0.5, true).mean, -5.05);
    EXPECT_EQ(expectedRounding(0.1, 4, 0.5, true).mean, 0); // no truncation passes zero
    EXPECT_TRUE(std::isnan(expectedRounding(NAN, 1, 0.5, false).mean));
    EXPECT_EQ(expectedRounding(-INFINITY, 1, 0.5, true).mean, -INFINITY);
}

/// Against draws: rounded numbers around any place, from spreads far below a step to several of them. On
/// average over the places they scatter around the mean within a quarter (in deviations, 1.6 in squares) of
/// what is said: a mean between the sides of a tie that hardly anything passes costs that much. At one place
/// a tie is said to scatter a third of what it does, and an even spread says nothing of where in its step the
/// mean lies.
TEST(ExpectedRounding, CoversDraws) {
    std::mt19937_64 random(7);
    for (const bool truncates : {false, true})
        for (const double spread : {0.001, 0.01, 0.05, 0.2, 0.24, 1.0}) {
            SCOPED_TRACE(testing::Message() << "spread " << spread << " truncates " << truncates);
            constexpr int kPlaces = 40, kDraws = 4000;
            double seen = 0, said = 0;
            for (int place = 0; place < kPlaces; ++place) {
                const double x = 20 + static_cast<double>(place) / kPlaces;
                std::normal_distribution<double> draw(x, spread);
                const Expected e = expectedRounding(x, spread * spread, 1.0, truncates);
                double squares = 0;
                for (int i = 0; i < kDraws; ++i) {
                    const double drawn = draw(random),
                                 y = truncates ? std::trunc(drawn) : std::nearbyint(drawn);
                    squares += (y - e.mean) * (y - e.mean);
                }
                EXPECT_LE(squares / kDraws, 3.3 * e.variance + 0.001) << place;
                seen += squares / kDraws, said += e.variance;
            }
            if (spread * kPlaces < 0.3) continue; // too few places are near a tie for an average
            EXPECT_LE(seen, 1.6 * said);
            EXPECT_GE(seen, 0.7 * said);
        }
}

} // namespace
} // namespace divdet
