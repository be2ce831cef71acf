#include "report/junit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.h"

namespace divdet {
namespace {

/// Length of the UTF-8 sequence at `i` if it is well formed and a character of XML 1.0; 0: it is not.
std::size_t xmlCharacter(std::string_view s, std::size_t i) {
    const auto at = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
    const auto tail = [&](std::size_t k) { return (at(k) & 0xC0u) == 0x80u; };
    const unsigned c = at(i);
    if (c < 0x80) return c >= 0x20 || c == '\t' || c == '\n' || c == '\r' ? 1 : 0;
    if (c >= 0xC2 && c < 0xE0) return tail(i + 1) ? 2 : 0;
    if (c >= 0xE0 && c < 0xF0) {
        if (!tail(i + 1) || !tail(i + 2)) return 0;
        const unsigned code = (c & 0xFu) << 12 | (at(i + 1) & 0x3Fu) << 6 | (at(i + 2) & 0x3Fu);
        return code < 0x800 || (code >= 0xD800 && code < 0xE000) || code >= 0xFFFE ? 0 : 3;
    }
    if (c >= 0xF0 && c < 0xF5) {
        if (!tail(i + 1) || !tail(i + 2) || !tail(i + 3)) return 0;
        const unsigned code = (c & 7u) << 18 | (at(i + 1) & 0x3Fu) << 12;
        return code < 0x10000 || code >= 0x110000 ? 0 : 4;
    }
    return 0;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t n = xmlCharacter(text, i);
        if (n == 0) {
            out += "\uFFFD";
            ++i;
            continue;
        }
        switch (text[i]) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':
            out += "&#10;"; // an attribute would turn it into a space
            break;
        default:
            out += text.substr(i, n);
        }
        i += n;
    }
    return out;
}

std::string toleranceWords(const Tolerance& t) {
    return fmt::format("rule {}, rtol {}, atol {}", toString(t.rule), toleranceText(t.rtol),
                       toleranceText(t.atol));
}

const Element* worstOf(const TapPair& pair, const Tolerance& t) {
    const Element* worst = nullptr;
    if (pair.summary && pair.summary->at.tolerance == t) worst = &pair.summary->at.worst;
    if (pair.ruled && pair.ruled->tolerance == t) worst = &pair.ruled->worst;
    return worst && worst->index >= 0 ? worst : nullptr;
}

/// The first line of a failure: what a list of test results shows.
std::string headline(const TapPair& pair, const TapVerdict& v) {
    if (v.refused) return v.refused->message;
    if (pair.problem) return pair.problem->message;
    if (v.statistic)
        return fmt::format("the {} error is {}{}", v.statistic->name, v.statistic->abs,
                           v.statistic->rel ? fmt::format(", relative {}", *v.statistic->rel) : "");
    if (v.verdict == Verdict::inconclusive) return "nothing is really tested at this tolerance";
    const auto& m = v.mismatches;
    return m.low == m.high
               ? fmt::format("{} of {} elements fail", m.low, pair.summary->elements)
               : fmt::format("{} to {} of {} elements fail", m.low, m.high, pair.summary->elements);
}

std::string details(const TapPair& pair, const TapVerdict& v) {
    std::string out = toleranceWords(v.tolerance) + '\n';
    if (pair.problem) out += pair.problem->text() + '\n';
    if (v.refused) out += v.refused->text() + '\n';
    if (pair.summary) {
        const Summary& s = *pair.summary;
        out += fmt::format("max abs {} at {}, max rel {} at {}\n", s.maxAbs.value,
                           toString(unravel(std::max<std::int64_t>(s.maxAbs.index, 0), pair.referenceShape)),
                           s.maxRel.value,
                           toString(unravel(std::max<std::int64_t>(s.maxRel.index, 0), pair.referenceShape)));
    }
    if (const Element* w = worstOf(pair, v.tolerance))
        out += fmt::format("worst at {}: candidate {}, reference {}, error {}, bound {}\n",
                           toString(unravel(w->index, pair.referenceShape)), w->candidate, w->reference,
                           w->abs, w->bound);
    if (!v.cautions.empty()) {
        out += "cautions:";
        for (const auto& c : v.cautions) out += ' ' + c;
        out += '\n';
    }
    return out;
}

struct Counts {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string testCase(const std::string& suite, const TapPair& pair, const TapVerdict& v, Counts& counts) {
    ++counts.tests;
    const std::string open =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(pair.name));
    if (!pair.judged) {
        ++counts.skipped;
        return open + "><skipped message=\"traced, not judged\"/></testcase>\n";
    }
    if (v.verdict == Verdict::within) return open + "/>\n";
    const bool failure = v.verdict == Verdict::outside;
    ++(failure ? counts.failures : counts.errors);
    const char* tag = failure ? "failure" : "error";
    return open + fmt::format("><{0} type=\"{1}\" message=\"{2}\">{3}</{0}></testcase>\n", tag,
                              toString(v.verdict), escaped(headline(pair, v)), escaped(details(pair, v)));
}

std::string missing(const std::string& suite, const std::vector<std::string>& names, const char* where,
                    bool judged, Counts& counts) {
    std::string out;
    for (const auto& n : names) {
        ++counts.tests;
        ++(judged ? counts.errors : counts.skipped);
        const char* tag = judged ? "error type=\"incomplete\"" : "skipped";
        out += fmt::format(
            "    <testcase classname=\"{}\" name=\"{}\"><{} message=\"only in the {}\"/></testcase>\n",
            escaped(suite), escaped(n), tag, where);
    }
    return out;
}

/// A limit of the task metric is a test of its own.
std::string limitCase(const std::string& suite, const LimitOutcome& o, Counts& counts) {
    ++counts.tests;
    const std::string open = fmt::format("    <testcase classname=\"{}\" name=\"task metric {}\"",
                                         escaped(suite), escaped(o.option));
    if (!o.missed) return open + "/>\n";
    ++counts.failures;
    return open + fmt::format("><failure type=\"metric\" message=\"{}\"/></testcase>\n", escaped(o.text()));
}

std::string suiteText(const JUnitSuite& suite, Counts& total) {
    const Comparison& c = suite.comparison;
    Counts counts;
    std::string cases;
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        cases += testCase(c.candidateName, c.pairs[i], suite.judgement.taps[i], counts);
    cases += missing(c.candidateName, c.onlyInReference, "reference", c.missingJudged, counts);
    cases += missing(c.candidateName, c.onlyInCandidate, "candidate", c.missingJudged, counts);
    for (const auto& o : suite.limits) cases += limitCase(c.candidateName, o, counts);
    total.tests += counts.tests;
    total.failures += counts.failures;
    total.errors += counts.errors;
    return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
                       "time=\"{:.3f}\">\n{}  </testsuite>\n",
                       escaped(c.candidateName), counts.tests, counts.failures, counts.errors, counts.skipped,
                       suite.seconds, cases);
}

} // namespace

std::string toJUnit(std::span<const JUnitSuite> suites) {
    Counts total;
    std::string body;
    for (const auto& s : suites) body += suiteText(s, total);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"divdet\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
        total.tests, total.failures, total.errors, body);
}

} // namespace divdet
