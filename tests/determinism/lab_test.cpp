// The lab on live blocks. Whether a race shows is the machine's business: tests hold either way and print
// what was seen.
#include <algorithm>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "session/determinism/lab_json.h"

namespace divdet {
namespace {

/// A device that only computes: it has no racing kernels.
class PlainBackend : public run::Backend {
public:
    std::vector<run::DeviceInfo> devices() const override {
        auto d = m_twin.devices()[0];
        d.id = "plain:0";
        return {d};
    }
    Result<Tensor> runOp(const run::DeviceId&, const lower::LoweredOp& op, std::span<const Tensor> inputs,
                         const Progress& progress) override {
        return m_twin.runOp("cpu:sm_80", op, inputs, progress);
    }

private:
    host::TwinBackend m_twin;
};

std::shared_ptr<Session> makeLab(std::shared_ptr<run::Backend> backend) {
    auto all = std::make_shared<run::BackendRegistry>();
    all->add(std::move(backend));
    return std::make_shared<Session>(std::move(all));
}

LabRequest request(const char* block, const std::vector<std::string>& passes = {}) {
    LabRequest r;
    r.block.block = block;
    if (r.block.block == "mlp") r.block.dims = {{"tokens", 32}, {"width", 128}, {"hidden", 256}};
    for (const auto& p : passes) r.block.passes.push_back(*lower::parsePass(p));
    r.runs = 30;
    r.pairs = 4;
    r.trials = 3;
    return r;
}

Result<LabResult> lab(const LabRequest& r) {
    return runLab(*makeLab(std::make_shared<host::TwinBackend>()), r);
}

const SourceResult& source(const LabResult& r, Variation v) {
    return *std::find_if(r.sources.begin(), r.sources.end(), [&](const auto& s) { return s.source == v; });
}

TEST(Lab, RunsWithoutEndAreRefused) {
    const auto errorOf = [](const std::function<void(LabRequest&)>& change) {
        LabRequest r = request("scatter-add");
        change(r);
        const auto result = lab(r);
        EXPECT_FALSE(result.ok());
        return result ? Error{} : result.error();
    };
    EXPECT_EQ(errorOf([](LabRequest& r) { r.runs = 1'000'001; }).code, ErrorCode::usage);
    EXPECT_EQ(errorOf([](LabRequest& r) { r.pairs = INT64_MAX; }).code, ErrorCode::usage);
    EXPECT_EQ(errorOf([](LabRequest& r) { r.trials = 100'001; }).code, ErrorCode::usage);
    LabRequest crowd = request("scatter-add"); // the other sources need no threads
    crowd.threads = INT32_MAX;
    const auto r = lab(crowd);
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_NE(source(*r, Variation::atomics).notMeasured.find("choose at most 1024"), std::string::npos)
        << source(*r, Variation::atomics).notMeasured;
}

TEST(Lab, RacesScatterAddAndHoldsStillUnderTheSwitch) {
    const auto r = lab(request("scatter-add"));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_TRUE(r->complete);
    EXPECT_EQ(r->raced, std::vector<std::string>{"out"});
    const SourceResult& atomics = source(*r, Variation::atomics);
    ASSERT_TRUE(atomics.measured());
    EXPECT_EQ(atomics.runs.runs, 30);
    EXPECT_EQ(atomics.runs.seen.races, 30);
    EXPECT_GE(atomics.runs.seen.threads, 2);
    EXPECT_EQ(atomics.runs.seen.additions, 30 * 4096 * 64);
    EXPECT_EQ(atomics.runs.equal + atomics.runs.varying, 1);
    EXPECT_EQ(atomics.runs.sameBits(), !atomics.runs.firstRun.has_value());
    ASSERT_EQ(atomics.runs.taps.size(), 1u);
    const TapSpread& out = *atomics.runs.taps[0].spread;
    std::printf("scatter-add: %lld results in 30 runs, %lld elements vary, %lld of 30 races overlapped\n",
                static_cast<long long>(out.variants), static_cast<long long>(out.varying),
                static_cast<long long>(atomics.runs.seen.overlapping));
    // About 64 terms of size 1 meet in an element, in whatever order.
    EXPECT_LE(out.maxAbs.value, 2 * 150 * 0x1p-24 * 150);
    ASSERT_TRUE(r->fixed && r->fixed->runs);
    EXPECT_EQ(r->fixed->runs->runs, 30);
    EXPECT_TRUE(r->fixed->runs->sameBits());
    EXPECT_EQ(r->fixed->runs->seen.races, 0);
    EXPECT_FALSE(source(*r, Variation::tf32).measured());
    EXPECT_FALSE(source(*r, Variation::batch).measured());
    ASSERT_TRUE(r->cost);
    EXPECT_EQ(r->cost->pairs, 4u);
    EXPECT_GT(r->cost->off.low, 0);
}

TEST(Lab, OneThreadRacesWithNobody) {
    LabRequest one = request("scatter-add");
    one.threads = 1;
    one.sources = {Variation::atomics};
    const auto r = lab(one);
    ASSERT_TRUE(r.ok());
    EXPECT_TRUE(r->sources[0].runs.sameBits());
    EXPECT_EQ(r->varies(), std::optional(false));
    EXPECT_EQ(verdictOf(*r), "same-bits");
}

TEST(Lab, MlpRacesInBothProductsAndNamesTheFirst) {
    const auto r = lab(request("mlp"));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->raced, (std::vector<std::string>{"up", "down"}));
    const SourceResult& atomics = source(*r, Variation::atomics);
    ASSERT_TRUE(atomics.measured()) << atomics.notMeasured;
    EXPECT_EQ(atomics.runs.seen.races, 60);
    EXPECT_EQ(atomics.runs.taps.size(), 5u);
    EXPECT_TRUE(atomics.runs.taps[0].spread->bitEqual()); // norm: nothing races in it
    EXPECT_GE(atomics.runs.firstVarying.value_or(1), 1u);
    std::printf("mlp: %lld of 5 taps varied in 30 runs\n", static_cast<long long>(atomics.runs.varying));
    EXPECT_TRUE(r->fixed->runs->sameBits());
    EXPECT_EQ(r->fixed->runs->equal, 5);
}

TEST(Lab, Tf32IsAnotherAnswerNotAVaryingOne) {
    const auto r = lab(request("mlp"));
    ASSERT_TRUE(r.ok());
    for (const auto v : {Variation::tf32, Variation::accumulate}) {
        const SourceResult& s = source(*r, v);
        ASSERT_TRUE(s.measured()) << s.notMeasured;
        for (const Setting& setting : s.settings) EXPECT_TRUE(setting.steady) << setting.label;
        EXPECT_FALSE(s.runs.sameBits());
        EXPECT_EQ(s.runs.taps[*s.runs.firstVarying].name, "up");
    }
    EXPECT_EQ(source(*r, Variation::tf32).settings.size(), 4u);
    // The two roundings to nearest differ only in ties, which these numbers may not have.
    EXPECT_GE(source(*r, Variation::tf32).runs.taps[1].spread->variants, 3);
}

TEST(Lab, AutotuningChoosesByTheClock) {
    LabRequest tune = request("mlp");
    tune.sources = {Variation::autotune};
    const auto r = lab(tune);
    ASSERT_TRUE(r.ok());
    std::int64_t all = 0;
    for (const auto& [label, times] : r->sources[0].chosen) all += times;
    EXPECT_EQ(all, tune.trials);
    EXPECT_TRUE(r->sources[0].chosen.size() > 1 || r->sources[0].runs.sameBits());
}

TEST(Lab, TheSwitchRefusesWhatHasNoOrder) {
    LabRequest race = request("mlp", {"race@down"});
    const auto both = lab(race);
    ASSERT_TRUE(both.ok());
    ASSERT_TRUE(both->fixed->refused);
    EXPECT_EQ(both->fixed->refused->path, "down");
    EXPECT_FALSE(both->fixed->runs);
    EXPECT_FALSE(both->cost);
    EXPECT_FALSE(both->costNotMeasured.empty());
    race.switchOnly = true;
    const auto only = lab(race);
    ASSERT_FALSE(only.ok());
    EXPECT_EQ(only.error().path, "down");
    EXPECT_EQ(only.error().code, ErrorCode::unsupported);
}

TEST(Lab, ADeviceWithoutAtomicAdditionsIsNotMeasured) {
    const auto session = makeLab(std::make_shared<PlainBackend>());
    LabRequest r = request("scatter-add");
    r.sources = {Variation::atomics};
    const auto result = runLab(*session, r);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_NE(result->sources[0].notMeasured.find("plain:0"), std::string::npos);
    EXPECT_FALSE(result->varies());
    EXPECT_EQ(verdictOf(*result), "no-answer");
    EXPECT_FALSE(result->cost);
    EXPECT_TRUE(result->fixed->runs->sameBits());
}

TEST(Lab, BatchInvarianceIsBrokenBySplitKAndRestoredByAFixedSplit) {
    LabRequest batch = request("mlp");
    batch.sources = {Variation::batch};
    batch.block.dims = {{"tokens", 64}, {"width", 512}, {"hidden", 1024}};
    const auto r = lab(batch);
    ASSERT_TRUE(r.ok());
    ASSERT_TRUE(r->sources[0].batch);
    const BatchInvariance& b = *r->sources[0].batch;
    EXPECT_EQ(b.batch, 64);
    ASSERT_EQ(b.splits.size(), 2u);
    EXPECT_EQ(b.splits[0].op, "up");
    EXPECT_EQ(b.splits[0].k, 512);
    EXPECT_EQ(b.splits[0].alone, splitsFor(1, 1024, 512));
    EXPECT_GT(b.splits[1].alone, b.splits[1].inBatch);
    EXPECT_FALSE(b.byBatch.sameBits());
    ASSERT_EQ(b.byBatch.taps.size(), 5u);
    EXPECT_TRUE(b.byBatch.taps[0].spread->bitEqual());
    EXPECT_EQ(b.byBatch.taps[1].shape, (Shape{1, 1024}));
    EXPECT_TRUE(b.fixed.sameBits());
    EXPECT_EQ(b.fixed.taps.size(), 5u);
}

TEST(Splits, KeepTheMachineBusyAndChunksLong) {
    EXPECT_EQ(splitsFor(64, 2048, 512), 1);
    EXPECT_EQ(splitsFor(1, 2048, 512), 4);
    EXPECT_EQ(splitsFor(1, 512, 2048), 16);
    EXPECT_EQ(splitsFor(1, 64, 128), 2); // chunks of 64 terms
    EXPECT_EQ(splitsFor(1, 64, 1 << 20), 64);
    EXPECT_EQ(splitsFor(4096, 4096, 8), 1);
}

TEST(Rows, MixWhereOpsReadOthers) {
    const auto bound = [](const char* preset) { return *block::bind(*block::preset(preset)); };
    EXPECT_EQ(whyRowsMix(bound("mlp")), "");
    EXPECT_EQ(whyRowsMix(bound("linear")), "");
    EXPECT_NE(whyRowsMix(bound("attention")), "");
    EXPECT_NE(whyRowsMix(bound("scatter-add")), "");
}

TEST(Lab, StopsWhenCancelled) {
    Progress progress;
    progress.report = [&](std::uint64_t done, std::uint64_t, std::string_view) {
        if (done == 5) progress.token.cancel();
    };
    const auto session = makeLab(std::make_shared<host::TwinBackend>());
    const auto r = runLab(*session, request("scatter-add"), progress);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, ErrorCode::cancelled);
}

TEST(Lab, TellsEachPartAsItComes) {
    const auto session = makeLab(std::make_shared<host::TwinBackend>());
    LabRequest r = request("scatter-add");
    r.sources = {Variation::atomics};
    std::vector<std::size_t> parts;
    bool complete = false;
    const auto result = runLab(*session, r, {}, {[&](const LabResult& now) {
        parts.push_back(now.sources.size() + (now.fixed ? 1 : 0));
        complete = now.complete;
    }});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(parts, (std::vector<std::size_t>{1, 2, 2}));
    EXPECT_TRUE(complete);
}

TEST(Lab, OneRunIsAUsageError) {
    LabRequest r = request("scatter-add");
    r.runs = 1;
    const auto result = lab(r);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::usage);
}

TEST(LabJson, SaysWhatWasNotMeasured) {
    const auto r = lab(request("scatter-add"));
    ASSERT_TRUE(r.ok());
    const Json j = toJson(*r);
    EXPECT_EQ(j["command"], "determinism");
    EXPECT_EQ(j["sources"][0]["source"], "atomics");
    EXPECT_TRUE(j["sources"][0]["not_measured"].is_null());
    EXPECT_EQ(j["sources"][0]["result"]["runs"], 30);
    EXPECT_FALSE(j["sources"][2]["not_measured"].is_null());
    EXPECT_EQ(j["switch"]["result"]["bit_equal"], true);
    EXPECT_EQ(j["cost"]["pairs"], 4);
    EXPECT_EQ(j["cost"]["quoted"]["measured_here"], false);
    EXPECT_EQ(j["verdict"], r->varies().value() ? "varies" : "same-bits");
}

} // namespace
} // namespace divdet
