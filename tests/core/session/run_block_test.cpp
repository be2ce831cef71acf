// The live door: snapshots, judged taps, landmarks, cancellation; with a backend of the test's own.
#include <gtest/gtest.h>

#include "host/twin_backend.h"
#include "session/lists.h"
#include "session/recount_tap.h"
#include "session/run_block.h"

namespace divdet {
namespace {

std::shared_ptr<Session> twinSession() {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    return std::make_shared<Session>(std::move(backends));
}

BlockRequest small(std::vector<lower::PassChoice> passes) {
    BlockRequest r;
    r.dims = {{"tokens", 8}, {"width", 32}, {"hidden", 64}};
    r.passes = std::move(passes);
    return r;
}

TEST(RunBlock, WithoutPassesTheRunIsTheReference) {
    auto session = twinSession();
    auto r = runBlock(*session, small({}));
    ASSERT_TRUE(r.ok()) << r.error().text();
    for (const auto& pair : (*r)->together->pairs) EXPECT_TRUE(pair.summary->bitIdentical) << pair.name;
    EXPECT_EQ(judge(*(*r)->together, {}).verdict, Verdict::within);
}

TEST(RunBlock, TheVerdictComesBeforeTheSinglePasses) {
    auto session = twinSession();
    std::vector<std::shared_ptr<const LiveResult>> snapshots;
    auto r = runBlock(*session, small({{"tf32", "rne", {}}, {"int8", "per-token", {}}}), {},
                      [&](auto s) { snapshots.push_back(std::move(s)); });
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(snapshots.size(), 2u); // the verdict, then the classes
    EXPECT_FALSE(snapshots[0]->complete);
    EXPECT_FALSE(snapshots[1]->complete);
    EXPECT_FALSE(snapshots[0]->together->pairs.back().bound.has_value());
    EXPECT_TRUE(snapshots[1]->together->pairs.back().bound.has_value());
    EXPECT_TRUE(snapshots[0]->together);
    EXPECT_TRUE(snapshots[0]->alone.empty());
    EXPECT_TRUE((*r)->complete);
    ASSERT_EQ((*r)->alone.size(), 4u); // two passes that are on, two landmarks
    EXPECT_TRUE((*r)->alone[1].enabled);
    EXPECT_FALSE((*r)->alone[2].enabled);
    EXPECT_EQ((*r)->alone[2].choice.id, "wrong-accumulator");
}

TEST(RunBlock, OnlyOutputsAreJudgedUnlessAsked) {
    auto session = twinSession();
    BlockRequest request = small({{"int8", "per-token", {}}});
    const auto judgedTaps = [&] {
        std::vector<std::string> names;
        const auto r = runBlock(*session, request);
        for (const auto& p : (*r)->together->pairs)
            if (p.judged) names.push_back(p.name);
        return names;
    };
    EXPECT_EQ(judgedTaps(), std::vector<std::string>{"out"});
    request.judge = parseJudgeSelection("up,down");
    EXPECT_EQ(judgedTaps(), (std::vector<std::string>{"up", "down"}));
    request.judge = parseJudgeSelection("all");
    EXPECT_EQ(judgedTaps().size(), 6u);
    request.judge = parseJudgeSelection("nowhere");
    EXPECT_EQ(runBlock(*session, request).error().code, ErrorCode::usage);
}

TEST(RunBlock, AToggleRecomputesOnlyWhatItChanges) {
    auto session = twinSession();
    BlockRequest request = small({{"tf32", "rne", {}}});
    request.eachAlone = false;
    ASSERT_GT((*runBlock(*session, request))->opsRun, 0);
    EXPECT_EQ((*runBlock(*session, request))->opsRun, 0);
    request.passes = {{"tf32", "rne", {"down"}}};
    // norm, up and act are the reference's own; down and what follows it are new.
    EXPECT_EQ((*runBlock(*session, request))->opsRun, 2);
}

TEST(RunBlock, ErrorsNameWhatIsWrong) {
    auto session = twinSession();
    BlockRequest request = small({});
    request.block = "nonsense";
    EXPECT_EQ(runBlock(*session, request).error().code, ErrorCode::notFound);
    request = small({});
    request.inputs = "nonsense";
    EXPECT_EQ(runBlock(*session, request).error().code, ErrorCode::usage);
    request = small({});
    request.device = "cuda:7";
    EXPECT_FALSE(runBlock(*session, request).ok());
    Session empty(std::make_shared<run::BackendRegistry>());
    EXPECT_FALSE(runBlock(empty, small({})).ok());
}

TEST(RunBlock, StopsWhenCancelled) {
    auto session = twinSession();
    Progress p;
    p.token.cancel();
    EXPECT_EQ(runBlock(*session, small({}), p).error().code, ErrorCode::cancelled);
}

TEST(RunBlock, RecountsATapAtAnotherTolerance) {
    auto session = twinSession();
    const auto r = *runBlock(*session, small({{"int8", "per-token", {}}}));
    const TapPair& out = r->together->pairs.back();
    const AtTolerance a = *recountTap(out, {Rule::allclose, 1e-7, 1e-9, false});
    EXPECT_GT(a.mismatches, 0);
    const CountBounds b = judge(*r->together, {Rule::allclose, 1e-7, 1e-9, false}).taps.back().mismatches;
    EXPECT_LE(b.low, a.mismatches);
    EXPECT_GE(b.high, a.mismatches);
}

TEST(RunBlock, TheCommandLineSaysTheSame) {
    BlockRequest r = small({{"reassociate", "splitk:8", {}}});
    r.seed = 3;
    EXPECT_EQ(
        commandLine(r, {Rule::allclose, 1e-5, 1e-8, false}),
        "divdet run mlp --dim tokens=8 --dim width=32 --dim hidden=64 --pass reassociate=splitk:8 --seed 3 "
        "--rtol 1e-5 --atol 1e-8");
}

TEST(Lists, EveryStartPassFits) {
    for (const auto& b : listBlocks())
        for (const auto& p : startPasses(b.id)) EXPECT_EQ(whyPassDoesNotFit(b.id, p.id), "") << b.id;
    EXPECT_EQ(startPasses("mlp").size(), 3u);
}

TEST(Lists, SizesAreThoseThatCanBeChosen) {
    const auto sizes = [](const std::string& id) {
        std::vector<std::string> names;
        for (const auto& b : listBlocks())
            if (b.id == id)
                for (const auto& d : b.dims) names.push_back(d.name);
        return names;
    };
    EXPECT_EQ(sizes("stack").front(), "layers");
    EXPECT_EQ(sizes("lm"), std::vector<std::string>{"tokens"}); // the weights settle the rest
}

TEST(Lists, WhatFitsDependsOnTheBlockAsItIsRequested) {
    BlockRequest request;
    const auto why = [&](const std::string& pass) {
        return whyPassesDoNotFit(request, {*lower::parsePass(pass)}).front();
    };
    EXPECT_NE(why("dropped-tail"), "");
    EXPECT_EQ(why("dropped-tail=tile:48"), "");
    EXPECT_NE(why("one-pass-variance"), "");
    request.dims = {{"width", 500}};
    request.norm = "layer";
    EXPECT_EQ(why("dropped-tail"), "");
    EXPECT_EQ(why("one-pass-variance"), "");
    EXPECT_NE(why("swapped-weight"), "");
    request.dims = {{"width", -1}};
    EXPECT_EQ(why("swapped-weight"), "") << "the block's own fault";
    EXPECT_EQ(runBlock(*twinSession(), request).error().code, ErrorCode::usage);
}

TEST(RunBlock, TheRunsNumberSeedsWhatVaries) {
    auto session = twinSession();
    BlockRequest request = small({*lower::parsePass("atomics")});
    request.eachAlone = false;
    const auto rms = [&](std::uint64_t number) {
        request.runNumber = number;
        return (*runBlock(*session, request))->together->pairs.back().summary->rms;
    };
    const double first = rms(1);
    bool differs = false;
    for (std::uint64_t n = 2; n < 6; ++n) differs = differs || rms(n) != first;
    EXPECT_TRUE(differs);
    EXPECT_EQ(rms(1), first);
    EXPECT_NE(commandLine(request, {}).find("--pass atomics --run-number 1"), std::string::npos);
}

} // namespace
} // namespace divdet
