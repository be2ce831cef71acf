// Logs recorded from real runs of torch, held to what was counted inside those runs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "logs/log_reader.h"
#include "shared_data.h"

namespace divdet {
namespace {

using nlohmann::json;

json truthOf(const std::string& folder) {
    std::ifstream in(sharedPath(folder + "/truth.json"));
    return json::parse(in);
}

const RecompiledFunction* find(const LogReport& r, const json& f) {
    const std::string line = ":" + std::to_string(f["firstlineno"].get<int>());
    for (const auto& g : r.recompiles)
        if (g.name == f["function"].get<std::string>() && g.site.ends_with(line)) return &g;
    return nullptr;
}

bool says(const RecompiledFunction& f, std::set<Cause> any, std::string_view name,
          std::optional<int> dim = {}) {
    for (const auto& c : f.causes)
        if (any.contains(c.cause) && (name.empty() || c.source.find(name) != std::string::npos) &&
            (!dim || c.dim == dim))
            return true;
    return false;
}

/// Whether the causes found say what the script changed. Prose that names no single thing is not tested here.
void expectChanged(const RecompiledFunction& f, const std::string& prose) {
    SCOPED_TRACE(f.name + ": " + prose);
    if (prose.find("at dimension 0") != std::string::npos && !prose.starts_with("dtype")) {
        EXPECT_TRUE(says(f, {Cause::dynamicShape}, prose.substr(8, 1), 0));
    }
    if (prose.starts_with("dtype") || prose.ends_with("then dtype")) {
        EXPECT_TRUE(says(f, {Cause::dtype}, ""));
    }
    if (prose == "requires_grad of x") {
        EXPECT_TRUE(says(f, {Cause::requiresGrad}, "x"));
    }
    // 2.2 compares the global state as a whole and does not say what of it changed.
    if (prose == "grad mode") {
        EXPECT_TRUE(says(f, {Cause::gradMode, Cause::globalState}, ""));
    }
    if (prose == "rank of x") {
        EXPECT_TRUE(says(f, {Cause::rank}, "x"));
    }
    if (prose == "stride of x") {
        EXPECT_TRUE(says(f, {Cause::stride}, "x", 0));
    }
    if (prose.starts_with("Python int argument n")) {
        EXPECT_TRUE(says(f, {Cause::intSpecialization}, "n"));
    }
    if (prose.starts_with("Python float")) {
        EXPECT_TRUE(says(f, {Cause::floatSpecialization}, "s"));
    }
    if (prose.starts_with("Python str argument mode")) {
        EXPECT_TRUE(says(f, {Cause::unknown}, "mode"));
    }
    // None is compared by its id where the log does not tell more.
    if (prose == "argument y: None or Tensor") {
        EXPECT_TRUE(says(f, {Cause::type, Cause::objectIdentity}, "y"));
    }
    if (prose == "length of the list xs") {
        EXPECT_TRUE(says(f, {Cause::key}, "xs"));
    }
    if (prose == "keys of the dict d") {
        EXPECT_TRUE(says(f, {Cause::key}, "d"));
    }
    if (prose == "global FLAG") {
        EXPECT_TRUE(says(f, {Cause::intSpecialization}, "FLAG"));
    }
    if (prose.starts_with("a new ") || prose.starts_with("a different function")) {
        EXPECT_TRUE(says(f, {Cause::objectIdentity}, ""));
    }
    if (prose.starts_with("Counter") && f.site.ends_with(":130")) {
        EXPECT_TRUE(says(f, {Cause::intSpecialization}, "step"));
    }
    if (prose.starts_with("Counter") && f.site.ends_with(":139")) {
        EXPECT_TRUE(says(f, {Cause::floatSpecialization}, "scale"));
    }
}

class RecordedLogs : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedLogs, CountAsTheRunItself) {
    const std::string folder = std::string("data/torch/logs/") + GetParam();
    DIVDET_NEEDS_SHARED(folder + "/truth.json");
    const json truth = truthOf(folder);
    int files = 0, changes = 0;
    for (const auto& [file, want] : truth["files"].items()) {
        SCOPED_TRACE(folder + '/' + file);
        const auto r = readLogs({sharedPath(folder + '/' + file)}, {});
        ASSERT_TRUE(r.ok());
        ++files;
        EXPECT_EQ(r->lines, want["lines"].get<std::int64_t>());
        EXPECT_EQ(r->breaks.size(), want["distinct_breaks_in_log"].get<std::size_t>());
        EXPECT_EQ(r->breakOccurrences, want["break_events_in_log"].get<std::int64_t>());
        for (const auto& row : want["breaks_in_log"]) {
            const std::string site =
                row["file"].get<std::string>() + ':' + std::to_string(row["line"].get<int>());
            EXPECT_TRUE(std::any_of(r->breaks.begin(), r->breaks.end(), [&](const GraphBreak& b) {
                return b.site.ends_with(site) && b.count == row["events"].get<std::int64_t>() &&
                       b.suppressed == row["marked_duplicate"].get<std::int64_t>() && !b.inFramework;
            })) << site;
        }
        EXPECT_EQ(r->recompileHeaders, want["recompile_events_in_log"].get<std::int64_t>());
        EXPECT_EQ(r->limitHit, want["limit_messages"].get<int>() > 0);
        EXPECT_EQ(r->recordLines + r->unparsedLines, r->lines);
        EXPECT_FALSE(r->incomplete);
        for (const auto& f : want["functions"]) {
            const auto events = f["recompile_log_events"].get<std::int64_t>();
            const RecompiledFunction* got = find(*r, f);
            EXPECT_EQ(got ? got->count : 0, events) << f["function"];
            if (got) {
                EXPECT_EQ(got->limitHit, f["limit_hit"].get<bool>()) << f["function"];
            }
            if (got && events > 0 && f.contains("changed")) {
                expectChanged(*got, f["changed"]);
                ++changes;
            }
        }
    }
    EXPECT_GT(files, 5);
    EXPECT_GT(changes, 20);
}

INSTANTIATE_TEST_SUITE_P(Version, RecordedLogs, ::testing::Values("2.1.2", "2.2.2", "2.6.0", "2.15.0"));

/// Two processes that write into one stream say together what they say apart.
TEST_P(RecordedLogs, RanksInOneStreamAreTheSumOfTheirFiles) {
    const std::string folder = std::string("data/torch/logs/") + GetParam() + "/ranks/";
    DIVDET_NEEDS_SHARED(folder + "rank0.txt");
    const auto zero = readLogs({sharedPath(folder + "rank0.txt")}, {});
    const auto one = readLogs({sharedPath(folder + "rank1.txt")}, {});
    ASSERT_TRUE(zero.ok() && one.ok());
    // Not every version has the one stream; the two files as one log must do the same.
    const bool stream = std::filesystem::exists(sharedPath(folder + "both.txt"));
    const auto both =
        stream ? readLogs({sharedPath(folder + "both.txt")}, {})
               : readLogs({sharedPath(folder + "rank0.txt"), sharedPath(folder + "rank1.txt")}, {});
    ASSERT_TRUE(both.ok());
    EXPECT_EQ(both->recompileHeaders, zero->recompileHeaders + one->recompileHeaders);
    EXPECT_EQ(both->breakOccurrences, zero->breakOccurrences + one->breakOccurrences);
    EXPECT_EQ(both->breaks.size(), 1u);
    EXPECT_EQ(both->ranks, (std::vector<int>{0, 1}));
    LogOptions only;
    only.rank = 1;
    if (!stream) return;
    const auto filtered = readLogs({sharedPath(folder + "both.txt")}, only);
    ASSERT_TRUE(filtered.ok());
    EXPECT_EQ(filtered->recompileHeaders, one->recompileHeaders);
    EXPECT_EQ(filtered->breakOccurrences, one->breakOccurrences);
}

class RecordedTraces : public ::testing::TestWithParam<const char*> {};

TEST_P(RecordedTraces, CountAsTheRunItself) {
    const std::string folder = std::string("data/torch/trace/") + GetParam();
    DIVDET_NEEDS_SHARED(folder + "/truth.json");
    const json truth = truthOf(folder);
    for (const auto& [name, want] : truth["runs"].items()) {
        SCOPED_TRACE(folder + '/' + name);
        const auto r = readLogs({sharedPath(folder + '/' + want["file"].get<std::string>())}, {});
        ASSERT_TRUE(r.ok());
        EXPECT_EQ(r->dialect, "trace");
        EXPECT_EQ(r->recordLines, r->lines);
        const json kinds = want["tlparse"]["artifact_kinds"];
        EXPECT_EQ(r->recompileHeaders, kinds["recompile_reasons.json"].get<std::int64_t>());
        EXPECT_EQ(r->breakOccurrences, kinds.value("dynamo_graph_break_reason.txt", 0));
        EXPECT_GT(r->compileSeconds, 0);
        EXPECT_EQ(r->breaks.size(), want["dynamo"]["graph_breaks"].size());
        for (const auto& row : want["dynamo"]["graph_breaks"]) {
            const std::string site =
                row["file"].get<std::string>() + ':' + std::to_string(row["line"].get<int>());
            EXPECT_TRUE(std::any_of(r->breaks.begin(), r->breaks.end(), [&](const GraphBreak& b) {
                return b.site.ends_with(site) && b.count == row["times"].get<std::int64_t>();
            })) << site;
        }
        for (const auto& f : want["dynamo"]["functions"]) {
            const RecompiledFunction* got = find(*r, f);
            ASSERT_TRUE(got) << f["function"];
            // An attempt that the limit refused is a record too.
            EXPECT_EQ(got->count, f["recompiles"].get<std::int64_t>() +
                                      static_cast<std::int64_t>(f["refused_or_failed"].size()));
            EXPECT_EQ(got->limitHit, f.value("limit_hit_by_design", false));
            if (f.contains("changed")) expectChanged(*got, f["changed"]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Version, RecordedTraces, ::testing::Values("2.6.0", "2.15.0"));

} // namespace
} // namespace divdet
