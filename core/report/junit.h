#pragma once
#include <span>
#include <string>

#include "compare/comparison.h"

namespace divdet {

/// One comparison of a JUnit document.
struct JUnitSuite {
    const Comparison& comparison;
    const Judgement& judgement; ///< of that comparison
    double seconds = 0;
};

/// JUnit XML as continuous integration reads it: a test suite per comparison, a test case per pair. A judged
/// pair outside fails, with its numbers in the text; one that gives no answer is an error; traced pairs are
/// skipped; taps on one side only are errors where they would have been judged. Names may hold anything:
/// what XML 1.0 cannot is replaced.
std::string toJUnit(std::span<const JUnitSuite> suites);

} // namespace divdet
