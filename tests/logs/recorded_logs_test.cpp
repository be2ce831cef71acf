// Logs recorded from real runs of torch, held to what was counted inside those runs.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "logs/log_reader.h"
#include "shared_data.h"

namespace divdet {
namespace {

std::int64_t headersOf(const LogReport& r, const std::string& name, int line) {
    for (const auto& f : r.recompiles)
        if (f.name == name && f.site.ends_with(":" + std::to_string(line))) return f.count;
    return 0;
}

class RecordedLogs : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedLogs, CountAsTheRunItself) {
    const std::string folder = std::string("data/torch/logs/") + GetParam();
    DIVDET_NEEDS_SHARED(folder + "/truth.json");
    std::ifstream in(sharedPath(folder + "/truth.json"));
    const auto truth = nlohmann::json::parse(in);
    int files = 0;
    for (const auto& [file, want] : truth["files"].items()) {
        SCOPED_TRACE(folder + '/' + file);
        const auto r = readLogs({sharedPath(folder + '/' + file)}, {});
        ASSERT_TRUE(r.ok());
        ++files;
        EXPECT_EQ(r->breaks.size(), want["distinct_breaks_in_log"].get<std::size_t>());
        EXPECT_EQ(r->breakOccurrences, want["break_events_in_log"].get<std::int64_t>());
        EXPECT_EQ(r->recompileHeaders, want["recompile_events_in_log"].get<std::int64_t>());
        EXPECT_EQ(r->limitHit, want["limit_messages"].get<int>() > 0);
        EXPECT_EQ(r->recordLines + r->unparsedLines, r->lines);
        for (const auto& f : want["functions"]) {
            const auto events = f["recompile_log_events"].get<std::int64_t>();
            if (events > 0) {
                EXPECT_EQ(headersOf(*r, f["function"], f["firstlineno"]), events) << f["function"];
            }
        }
    }
    EXPECT_GT(files, 5);
}

INSTANTIATE_TEST_SUITE_P(Version, RecordedLogs, ::testing::Values("2.1.2", "2.2.2", "2.6.0", "2.15.0"));

} // namespace
} // namespace divdet
