// JUnit XML: well-formed whatever the names are, and the verdicts as CI counts them.
#include <gtest/gtest.h>

#include "compare/scan.h"
#include "make_tensor.h"
#include "report/junit.h"

namespace divdet {
namespace {

TapPair pairOf(std::string name, const Tensor& r, const Tensor& c, bool judged = true) {
    TapPair p;
    p.name = p.candidateName = std::move(name);
    p.judged = judged;
    p.referenceShape = r.shape();
    p.candidateShape = c.shape();
    if (auto s = scan(r.view(), c.view(), {Tolerance{}})) p.summary = std::make_shared<const Summary>(*s);
    return p;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

TEST(JUnit, CountsFailuresErrorsAndTraced) {
    Comparison c;
    c.candidateName = "b.npz";
    c.pairs.push_back(pairOf("good", test::f64({1, 2}), test::f64({1, 2})));
    c.pairs.push_back(pairOf("bad", test::f64({1, 2}), test::f64({1, 3})));
    c.pairs.push_back(pairOf("traced", test::f64({1}), test::f64({9}), false));
    TapPair broken;
    broken.name = "broken";
    broken.structural = Verdict::incomparable;
    broken.problem = Error{ErrorCode::mismatch, "shapes differ", "broken", "compare one shape"};
    c.pairs.push_back(broken);
    c.onlyInReference = {"gone"};
    c.missingJudged = true;
    const Judgement j = judge(c, {});
    const JUnitSuite suite{c, j, 0.25};
    const std::string xml = toJUnit({&suite, 1});
    EXPECT_NE(xml.find("<testsuite name=\"b.npz\" tests=\"5\" failures=\"1\" errors=\"2\" skipped=\"1\" "
                       "time=\"0.250\">"),
              std::string::npos)
        << xml;
    EXPECT_NE(xml.find("message=\"1 of 2 elements fail\""), std::string::npos) << xml;
    EXPECT_NE(xml.find("worst at [1]: candidate 3, reference 2, error 1, bound 0.021"), std::string::npos)
        << xml;
    EXPECT_NE(xml.find("only in the reference"), std::string::npos);
    EXPECT_EQ(occurrences(xml, "<testcase"), 5u);
    EXPECT_EQ(occurrences(xml, "</testcase>"), 4u); // the good one closes itself
}

TEST(JUnit, NamesMayHoldAnything) {
    using namespace std::string_literals; // keeps the text after the NUL
    Comparison c;
    c.candidateName = "a<b>&\"c\"";
    c.pairs.push_back(pairOf("nul\0 tab\t line\n bad\xff\xc0\xaf \xed\xa0\x80 ok\xc3\xa9 \xf0\x9f\x98\x80"s,
                             test::f64({1}), test::f64({1})));
    const Judgement j = judge(c, {});
    const JUnitSuite suite{c, j, 0};
    const std::string xml = toJUnit({&suite, 1});
    EXPECT_NE(xml.find("name=\"a&lt;b&gt;&amp;&quot;c&quot;\""), std::string::npos) << xml;
    EXPECT_EQ(xml.find('\0'), std::string::npos);
    EXPECT_EQ(xml.find('\xff'), std::string::npos);
    EXPECT_EQ(xml.find("\xed\xa0"), std::string::npos); // a surrogate is no character
    EXPECT_NE(xml.find("nul\xEF\xBF\xBD tab\t line&#10; bad\xEF\xBF\xBD"), std::string::npos) << xml;
    EXPECT_NE(xml.find("ok\xc3\xa9 \xf0\x9f\x98\x80\""), std::string::npos) << xml;
}

} // namespace
} // namespace divdet
