// `--bad-when finding:ID`: ids are those of the judge, and a mistyped one is no run without the finding.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "paths.h"
#include "session/hunt/bad_when.h"
#include "session/hunt/finding_ids.h"

namespace divdet {
namespace {

std::set<std::string> firstGroups(const std::string& text, const std::regex& pattern) {
    std::set<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
        out.insert(at->str(1));
    return out;
}

TEST(FindingIds, AreThoseThatTheJudgesSourceNames) {
    std::string source;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(test::sourceFolder() / "core/judge"))
        if (entry.path().extension() == ".cpp") {
            std::ifstream in(entry.path());
            source.append(std::istreambuf_iterator<char>(in), {});
        }
    // An id stands in front of its class: {"gain", FindingClass::bug, …
    const auto made =
        firstGroups(source, std::regex(R"re(\{\s*"([a-z][a-z-]*)",\s*(?:[a-z]+\s*\?\s*)?FindingClass::)re"));
    EXPECT_GE(made.size(), 25u);
    const auto known = findingIds();
    EXPECT_TRUE(std::is_sorted(known.begin(), known.end()));
    for (const std::string& id : made)
        EXPECT_TRUE(std::binary_search(known.begin(), known.end(), id))
            << id << " is missing in finding_ids.cpp";
    for (const std::string& id : known)
        EXPECT_NE(source.find('"' + id + '"'), std::string::npos) << id << " is no finding any more";
}

TEST(FindingIds, AMistypedOneIsAnErrorThatNamesANearOne) {
    const auto typo = parseBadWhen("finding:stale-macth");
    ASSERT_FALSE(typo.ok());
    EXPECT_EQ(typo.error().code, ErrorCode::usage);
    EXPECT_EQ(typo.error().path, "--bad-when");
    EXPECT_NE(typo.error().message.find("stale-macth"), std::string::npos);
    EXPECT_EQ(typo.error().hint, "did you mean finding:stale-match?");
    const auto unlike = parseBadWhen("finding:qqqqqqqq");
    ASSERT_FALSE(unlike.ok());
    EXPECT_NE(unlike.error().hint.find("same-bits-as"), std::string::npos);
    for (const auto& id : findingIds()) {
        const auto bad = parseBadWhen("finding:" + id);
        ASSERT_TRUE(bad.ok()) << id;
        EXPECT_EQ(bad->finding, id);
    }
}

} // namespace
} // namespace divdet
