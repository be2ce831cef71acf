#pragma once
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "judge/metric/limits.h"

namespace divdet {

/// One comparison of a JUnit document.
struct JUnitSuite {
    const Comparison& comparison;
    const Judgement& judgement; ///< of that comparison
    double seconds = 0;
    std::vector<LimitOutcome> limits = {}; ///< of the task metric
};

/// JUnit XML as continuous integration reads it: a test suite per comparison, a test case per pair. A judged
/// pair outside fails, with its numbers in the text; one that gives no answer is an error; traced pairs are
/// skipped; taps on one side only are errors where they would have been judged. Names may hold anything:
/// what XML 1.0 cannot is replaced. A limit of the task metric is a test case that fails when it is missed.
std::string toJUnit(std::span<const JUnitSuite> suites);

} // namespace divdet
