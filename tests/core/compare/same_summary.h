#pragma once
#include <bit>

#include <gtest/gtest.h>

#include "compare/summary.h"

namespace divdet::test {

/// Every field, bit for bit; `what` names the case.
inline void expectSame(const Summary& a, const Summary& b, const std::string& what) {
    SCOPED_TRACE(what);
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    const auto same = [](const SideCounts& x, const SideCounts& y) {
        return x.reference == y.reference && x.candidate == y.candidate && x.both == y.both;
    };
    EXPECT_EQ(a.elements, b.elements);
    EXPECT_EQ(a.equal, b.equal);
    EXPECT_EQ(a.bitIdentical, b.bitIdentical);
    EXPECT_EQ(a.finite, b.finite);
    EXPECT_EQ(bits(a.maxAbs.value), bits(b.maxAbs.value));
    EXPECT_EQ(a.maxAbs.index, b.maxAbs.index);
    EXPECT_EQ(bits(a.maxRel.value), bits(b.maxRel.value));
    EXPECT_EQ(a.maxRel.index, b.maxRel.index);
    EXPECT_EQ(a.infiniteRel, b.infiniteRel);
    EXPECT_EQ(a.maxUlp, b.maxUlp);
    EXPECT_EQ(a.ulpSignFlips, b.ulpSignFlips);
    for (const auto member :
         {&Summary::meanAbs, &Summary::rms, &Summary::rmsReference, &Summary::sqnrDb, &Summary::rmsCandidate,
          &Summary::meanReference, &Summary::biasError, &Summary::maxMagnitude, &Summary::minMagnitude})
        EXPECT_EQ(bits(a.*member), bits(b.*member));
    EXPECT_EQ(a.cosine, b.cosine);
    EXPECT_EQ(a.bias, b.bias);
    EXPECT_EQ(a.above, b.above);
    EXPECT_EQ(a.below, b.below);
    EXPECT_EQ(a.regression.has_value(), b.regression.has_value());
    if (a.regression && b.regression) {
        EXPECT_EQ(bits(a.regression->gain), bits(b.regression->gain));
        EXPECT_EQ(bits(a.regression->offset), bits(b.regression->offset));
    }
    EXPECT_TRUE(same(a.nan, b.nan));
    EXPECT_TRUE(same(a.inf, b.inf));
    EXPECT_TRUE(same(a.zero, b.zero));
    EXPECT_TRUE(same(a.subnormal, b.subnormal));
    EXPECT_EQ(a.signedZero, b.signedZero);
    EXPECT_EQ(a.never, b.never);
    EXPECT_EQ(a.overflowedError, b.overflowedError);
    EXPECT_EQ(a.finiteReference, b.finiteReference);
    EXPECT_EQ(a.frontier.hull(), b.frontier.hull());
    EXPECT_EQ(a.frontier.stairs(), b.frontier.stairs());
    EXPECT_EQ(a.frontier.capped(), b.frontier.capped());
    EXPECT_EQ(a.neededLinked, b.neededLinked);
    EXPECT_EQ(a.ulpHistogram, b.ulpHistogram);
    for (int row = 0; row < ErrorHistogram::kRows; ++row)
        for (int column = 0; column < ErrorHistogram::kColumns; ++column)
            if (a.histogram.count(column, row) != b.histogram.count(column, row))
                ADD_FAILURE() << "histogram " << column << ", " << row << ": "
                              << a.histogram.count(column, row) << " and " << b.histogram.count(column, row);
    EXPECT_EQ(a.tiles.maxAbs, b.tiles.maxAbs);
    EXPECT_EQ(a.tiles.rms, b.tiles.rms);
    EXPECT_EQ(a.at.mismatches, b.at.mismatches);
    EXPECT_EQ(a.at.firstMismatch, b.at.firstMismatch);
    EXPECT_EQ(a.at.worst.index, b.at.worst.index);
    EXPECT_EQ(bits(a.at.worst.rel), bits(b.at.worst.rel));
    EXPECT_EQ(bits(a.at.worst.bound), bits(b.at.worst.bound));
    EXPECT_EQ(a.at.significantMaxRel, b.at.significantMaxRel);
}

} // namespace divdet::test
