// What a repro.json has to say: without it a run could not be told from one that no longer fails.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "small_repro.h"

namespace divdet {
namespace {

using Json = nlohmann::json;

template <class F>
Error errorOf(const F& change) {
    Json j = Json::parse(reproText(test::smallRepro()));
    change(j);
    const auto r = parseRepro(j.dump(), ".");
    EXPECT_FALSE(r.ok());
    return r ? Error{} : r.error();
}

TEST(ReproFields, WhatIsExpectedIsRequired) {
    EXPECT_EQ(errorOf([](Json& j) { j["expected"] = Json::object(); }).path, "expected");
    for (const char* key : {"bad_when", "failure"}) {
        const Error absent = errorOf([&](Json& j) { j["expected"].erase(key); });
        EXPECT_EQ(absent.code, ErrorCode::malformed);
        EXPECT_NE(absent.text().find(key), std::string::npos) << absent.text();
        for (const Json& none : {Json(nullptr), Json(""), Json(7)})
            EXPECT_EQ(errorOf([&](Json& j) { j["expected"][key] = none; }).path,
                      std::string("expected.") + key);
    }
}

TEST(ReproFields, APassIsRequired) {
    for (const Json& none : {Json::array(), Json(nullptr)}) {
        const Error e = errorOf([&](Json& j) { j["passes"] = none; });
        EXPECT_EQ(e.code, ErrorCode::malformed);
        EXPECT_EQ(e.path, "passes");
    }
}

TEST(ReproFields, SharesAndTapsAreChecked) {
    for (const double p : {0.0, -1.0, 1.0, 7.0}) {
        const Error e = errorOf([&](Json& j) { j["p"] = p; });
        EXPECT_EQ(e.code, ErrorCode::malformed) << p;
        EXPECT_EQ(e.path, "p") << p;
    }
    for (const char* judge : {"no-such-tap", "all,outputs", ","}) {
        const Error e = errorOf([&](Json& j) { j["judge"] = judge; });
        EXPECT_EQ(e.code, ErrorCode::malformed) << judge;
        EXPECT_EQ(e.path, "judge") << judge;
    }
    Json j = Json::parse(reproText(test::smallRepro()));
    j["p"] = 1e-6;
    const block::Graph& graph = test::smallRepro().theCase.graph;
    j["judge"] = graph.values[graph.ops.back().output].name;
    const auto r = parseRepro(j.dump(), ".");
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->request.derived, 1e-6);
    EXPECT_NE(runRepro(test::twinSession(), *r)->outcome.answer, hunt::Answer::unresolved);
}

} // namespace
} // namespace divdet
