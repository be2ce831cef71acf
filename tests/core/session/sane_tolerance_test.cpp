// The window of a block: what is run, and whether the recommendation holds when the block is run again.
#include "session/sane/sane_tolerance.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "block/bind.h"
#include "host/twin_backend.h"
#include "session/sane/sane_json.h"

namespace divdet {
namespace {

std::shared_ptr<Session> twinSession() {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    return std::make_shared<Session>(std::move(backends));
}

BlockRequest small(const std::vector<std::string>& passes) {
    BlockRequest r;
    r.dims = {{"tokens", 16}, {"width", 64}, {"hidden", 128}};
    for (const auto& p : passes) r.passes.push_back(*lower::parsePass(p));
    return r;
}

std::vector<std::string> names(const std::vector<SaneRun>& runs, SaneKind kind) {
    std::vector<std::string> out;
    for (const auto& run : runs)
        if (run.kind == kind) out.push_back(nameOf(run));
    return out;
}

std::vector<SaneRun> planned(const BlockRequest& request) {
    return planSaneRuns(request, *block::bind(*blockGraph(request)));
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

const SaneRun& runOf(const SaneRuns& runs, const std::string& name) {
    return *std::find_if(runs.runs.begin(), runs.runs.end(),
                         [&](const SaneRun& r) { return nameOf(r) == name; });
}

TEST(SaneRuns, EveryPassThatFitsIsPlannedOnce) {
    const auto plan = planned(small({}));
    const auto drift = names(plan, SaneKind::drift), faults = names(plan, SaneKind::fault);
    // Drift in its default variant, bugs in each.
    EXPECT_TRUE(contains(drift, "int8=per-token"));
    EXPECT_FALSE(contains(drift, "int8=per-tensor"));
    EXPECT_TRUE(contains(faults, "wrong-accumulator=bf16"));
    EXPECT_TRUE(contains(faults, "wrong-accumulator=fp16"));
    EXPECT_FALSE(contains(drift, "one-pass-variance")) << "this block has no layer norm";
    EXPECT_FALSE(contains(faults, "mask-off-by-one"));
    EXPECT_FALSE(contains(faults, "crash=unsupported"));
    EXPECT_TRUE(names(plan, SaneKind::together).empty());
    std::vector<std::string> all = drift;
    all.insert(all.end(), faults.begin(), faults.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    for (const auto& run : plan) EXPECT_FALSE(run.on);
}

TEST(SaneRuns, WhatIsOnIsRunAsItIs) {
    const auto plan = planned(small({"int8=per-tensor@up", "tf32", "dropped-tail=tile:48"}));
    const auto on = [&](const std::string& name) {
        const auto at =
            std::find_if(plan.begin(), plan.end(), [&](const auto& r) { return nameOf(r) == name; });
        return at != plan.end() && at->on;
    };
    EXPECT_TRUE(on("int8=per-tensor@up"));
    EXPECT_FALSE(on("int8=per-token"));
    EXPECT_TRUE(contains(names(plan, SaneKind::drift), "int8=per-token"));
    EXPECT_TRUE(on("dropped-tail=tile:48"));
    ASSERT_EQ(names(plan, SaneKind::together).size(), 1u);
    for (const auto& run : plan)
        if (run.kind == SaneKind::together) {
            EXPECT_EQ(run.passes.size(), 2u) << "without the bug";
        }
}

TEST(SaneRuns, ADeclaredBugIsDrift) {
    BlockRequest request = small({"tf32", "split-k-bf16"});
    EXPECT_TRUE(contains(names(planned(request), SaneKind::fault), "split-k-bf16"));
    request.declared = {"split-k-bf16"};
    EXPECT_TRUE(contains(names(planned(request), SaneKind::drift), "split-k-bf16"));
    EXPECT_FALSE(contains(names(planned(request), SaneKind::fault), "split-k-bf16"));
}

TEST(SaneTolerance, HoldsWhenTheBlockIsRunAgain) {
    const auto session = twinSession();
    const BlockRequest request = small({"reassociate=splitk:8", "tf32"});
    const auto runs = runSaneRuns(*session, request);
    ASSERT_TRUE(runs.ok()) << runs.error().text();
    const SaneTolerance sane = saneTolerance(**runs, {});
    ASSERT_TRUE(sane.on);
    EXPECT_EQ(&sane.chosen(), &*sane.on);
    EXPECT_EQ(sane.on->honest.size(), 3u); // two passes and both together
    EXPECT_GT(sane.every.honest.size(), sane.on->honest.size());
    ASSERT_TRUE(sane.on->window.open());
    EXPECT_LE(sane.on->window.honestNeeds, sane.every.window.honestNeeds);
    const SaneLine& best = *sane.on->window.best;
    const Tolerance there{Rule::allclose, best.middle.rtol, best.middle.atol, false, {}};
    std::size_t caught = 0, told = 0;
    const auto verdict = [&](std::vector<lower::PassChoice> passes) {
        BlockRequest again = request;
        again.passes = std::move(passes);
        again.eachAlone = again.classify = false;
        again.tolerance = there;
        return judge(*(*runBlock(*session, again))->together, there).verdict;
    };
    for (const std::size_t i : sane.on->honest)
        EXPECT_EQ(verdict((*runs)->runs[i].passes), Verdict::within) << nameOf((*runs)->runs[i]);
    for (std::size_t i = 0; i < sane.on->faults.size(); ++i) {
        const SaneRun& run = (*runs)->runs[sane.on->faults[i]];
        const bool fails = verdict(run.passes) == Verdict::outside;
        const bool says = sane.on->window.faults[i].separation == Separation::caught;
        EXPECT_EQ(fails, says) << nameOf(run);
        caught += fails;
        told += says;
    }
    EXPECT_EQ(best.caught, caught);
    EXPECT_EQ(told, caught);
    EXPECT_GT(caught, 3u);
}

TEST(SaneTolerance, WithoutDriftOnOnlyEveryDriftIsAnswered) {
    const auto session = twinSession();
    const auto runs = *runSaneRuns(*session, small({"wrong-accumulator=fp16"}));
    const SaneTolerance sane = saneTolerance(*runs, {});
    EXPECT_FALSE(sane.on);
    EXPECT_EQ(&sane.chosen(), &sane.every);
    EXPECT_TRUE(runOf(*runs, "wrong-accumulator=fp16").on);
    const Json json = toJson(*runs, sane);
    EXPECT_TRUE(json["drift_on"].is_null());
    EXPECT_EQ(json["runs"].size(), runs->runs.size());
}

TEST(SaneTolerance, MissedFaultsAreNamedWithTheirNumbers) {
    const auto session = twinSession();
    const auto runs = *runSaneRuns(*session, small({"int8"}));
    const SaneTolerance sane = saneTolerance(*runs, {});
    std::string all;
    for (const auto& line : saneSentences(*runs, *sane.on)) all += line + '\n';
    for (std::size_t i = 0; i < sane.on->faults.size(); ++i) {
        const FaultWindow& f = sane.on->window.faults[i];
        const std::string name = nameOf(runs->runs[sane.on->faults[i]]);
        if (f.separation == Separation::caught) continue;
        EXPECT_NE(all.find(missedText(*runs, *sane.on, i)), std::string::npos) << all;
        EXPECT_NE(all.find(name + " ("), std::string::npos) << all;
        if (f.separation == Separation::never) {
            EXPECT_LE(f.needs, sane.on->window.honestNeeds * kLeastGap);
        }
    }
    EXPECT_NE(all.find("no tolerance separates"), std::string::npos) << all;
}

TEST(SaneRuns, TheJudgedTapsAreTheUsers) {
    const auto session = twinSession();
    BlockRequest request = small({"tf32"});
    request.judge = parseJudgeSelection("up,down");
    auto runs = *runSaneRuns(*session, request);
    EXPECT_EQ(runs->notes, std::vector<std::string>{"fuse is left out: it fuses every judged tap away"});
    for (const auto& run : runs->runs) {
        ASSERT_EQ(run.comparison->pairs.size(), 2u) << nameOf(run);
        for (const auto& pair : run.comparison->pairs) {
            EXPECT_TRUE(pair.judged);
            EXPECT_FALSE(pair.load) << "elements are let go";
        }
    }
    request.judge = parseJudgeSelection("all");
    runs = *runSaneRuns(*session, request);
    EXPECT_TRUE(runs->notes.empty());
    // What fuse leaves counts, and does not close the window.
    EXPECT_LT(runOf(*runs, "fuse").comparison->pairs.size(),
              runOf(*runs, "tf32=rne").comparison->pairs.size());
    EXPECT_TRUE(saneTolerance(*runs, {}).every.window.honestNeeds < 1);
    request.judge = parseJudgeSelection("nowhere");
    EXPECT_EQ(runSaneRuns(*session, request).error().code, ErrorCode::usage);
}

TEST(SaneRuns, ASecondTimeNothingIsRun) {
    const auto session = twinSession();
    const BlockRequest request = small({"tf32"});
    const auto first = *runSaneRuns(*session, request);
    EXPECT_GT(first->opsRun, 0);
    const auto second = *runSaneRuns(*session, request);
    // Only the replay of a stale buffer is run anew: it holds what an earlier replay left.
    EXPECT_LT(second->opsRun, first->opsRun / 4) << first->opsRun;
    BlockRequest other = request;
    other.passes = {*lower::parsePass("fuse")};
    EXPECT_LT((*runSaneRuns(*session, other))->opsRun, first->opsRun / 4) << "another choice of what is on";
}

TEST(SaneRuns, ReportsProgressAndStops) {
    const auto session = twinSession();
    std::vector<std::string> said;
    std::uint64_t last = 0, total = 0;
    Progress progress;
    progress.report = [&](std::uint64_t done, std::uint64_t all, std::string_view what) {
        said.emplace_back(what);
        last = done;
        total = all;
        if (what == "tf32=rne") progress.token.cancel();
    };
    const auto runs = runSaneRuns(*session, small({}), progress);
    ASSERT_FALSE(runs.ok());
    EXPECT_EQ(runs.error().code, ErrorCode::cancelled);
    EXPECT_EQ(said.back(), "tf32=rne") << "and nothing after it";
    EXPECT_LT(last, total);
}

TEST(SaneRuns, ErrorsAreThoseOfTheBlock) {
    const auto session = twinSession();
    BlockRequest request = small({});
    request.block = "nonsense";
    EXPECT_EQ(runSaneRuns(*session, request).error().code, ErrorCode::notFound);
    EXPECT_EQ(runSaneRuns(*session, small({"mask-off-by-one"})).error().code, ErrorCode::usage);
}

} // namespace
} // namespace divdet
