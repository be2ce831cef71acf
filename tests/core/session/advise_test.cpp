// The advisor against runs it has not seen: rates, power, and what it says of a given tolerance.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "effort.h"
#include "host/twin_backend.h"
#include "session/advise/advise.h"
#include "session/advise/fault_runs.h"
#include "session/advise/honest_runs.h"

namespace divdet {
namespace {

constexpr std::uint64_t kUnseen = 1'000'000;

struct Fixture {
    std::shared_ptr<host::TwinBackend> twin = std::make_shared<host::TwinBackend>();
    std::shared_ptr<Session> session = [this] {
        auto backends = std::make_shared<run::BackendRegistry>();
        backends->add(twin);
        return std::make_shared<Session>(std::move(backends));
    }();
    AdviseTarget target{*twin, "cpu:sm_80", numerics::Arch::sm80};

    std::shared_ptr<const Advice> advice(const AdviseRequest& request) {
        auto a = advise(*session, request);
        EXPECT_TRUE(a.ok()) << a.error().text();
        return a ? *a : std::make_shared<const Advice>();
    }
};

AdviseRequest matmul(std::int64_t m, std::int64_t n, std::int64_t k, const std::string& dtype) {
    AdviseRequest r;
    r.sizes = {{"m", m}, {"n", n}, {"k", k}};
    r.dtype = dtype;
    return r;
}

bool fails(const Draw& draw, const std::vector<double>& c, const Tolerance& t) {
    for (std::size_t i = 0; i < c.size(); ++i)
        if (!passes(t, c[i], draw.reference[i])) return true;
    return false;
}

const FaultPower& power(const Advice& a, const std::string& fault) {
    for (const auto& p : a.power)
        if (p.fault == fault) return p;
    ADD_FAILURE() << fault << " is not in the table";
    static const FaultPower none;
    return none;
}

/// bf16 results are discrete: the rate must be that of the lattice, neither never nor far too often. The sums
/// are shorter than a user's, so that the twin runs some hundreds of times; DIVDET_RUNS and DIVDET_K ask for
/// more.
TEST(Advise, HonestRunsFailAboutAsOftenAsAsked) {
    const auto number = [](const char* name, int usual) {
        const char* text = std::getenv(name);
        return text ? std::atoi(text) : usual;
    };
    const int runs = number("DIVDET_RUNS", test::effort(600, 100));
    constexpr double p = 0.05;
    Fixture f;
    AdviseRequest request = matmul(64, 64, number("DIVDET_K", 64), "bf16");
    request.p = p;
    const auto a = f.advice(request);
    EXPECT_NEAR(a->falseAlarm, p, 0.1 * p);
    const auto block = advisedBlock(request);
    ASSERT_TRUE(block.ok());
    int failed = 0;
    for (int i = 0; i < runs; ++i) {
        const auto draw = drawData(*block, kUnseen + static_cast<std::uint64_t>(i), f.target, {});
        const auto c = outputsOf(*block, *draw, {}, f.target, {});
        failed += fails(*draw, *c, a->recommended);
    }
    const double share = static_cast<double>(failed) / runs, error = 3 * std::sqrt(p / runs);
    std::printf("asked %g, predicted %g, simulated %g of %d runs\n", p, a->falseAlarm, share, runs);
    EXPECT_LE(share, p + error);
    EXPECT_GE(share, p / 5 - error / 5);
}

/// The share of runs in which a fault is found, on the table's draws and on others.
TEST(Advise, ListedPowerIsThatOfOtherRuns) {
    Fixture f;
    AdviseRequest request;
    request.op = "attention";
    request.sizes = {{"m", 8}, {"n", 16}, {"k", 32}};
    request.dtype = "bf16";
    const auto a = f.advice(request);
    const auto block = advisedBlock(request);
    ASSERT_TRUE(block.ok());
    int between = 0;
    for (FaultRuns& fault : fittingFaults(*block)) {
        const FaultPower& listed = power(*a, lower::toString(fault.choice));
        constexpr int kRuns = test::effort(400, 40);
        for (int i = 0; i < kRuns; ++i) {
            const auto draw = drawData(*block, kUnseen + static_cast<std::uint64_t>(i), f.target, {});
            ASSERT_TRUE(addRun(fault, *block, *draw, draw->reference, f.target, {}).ok());
        }
        EXPECT_NEAR(listed.recommended, fault.caught(a->recommended), test::effort(0.05, 0.3))
            << listed.fault;
        between += listed.recommended > 0.05 && listed.recommended < 0.95;
    }
    EXPECT_GE(between, 1) << "only faults that are always or never caught: nothing was tested";
}

TEST(Advise, CallsAToleranceBelowHalfAStepFlaky) {
    Fixture f;
    AdviseRequest request = matmul(16, 16, 256, "bf16");
    request.atol = 0.02; // results of 16 have steps of 0.125
    const auto a = f.advice(request);
    ASSERT_TRUE(a->given);
    EXPECT_EQ(a->given->verdict, ToleranceVerdict::flaky);
    EXPECT_GT(a->given->falseAlarm, 0.99);
}

TEST(Advise, CallsAWideToleranceBlindToTheBf16Accumulator) {
    Fixture f;
    AdviseRequest request = matmul(32, 32, 16, "bf16");
    request.rtol = request.atol = 0.1;
    const auto a = f.advice(request);
    ASSERT_TRUE(a->given);
    EXPECT_EQ(a->given->verdict, ToleranceVerdict::blind);
    EXPECT_EQ(std::count(a->given->blindTo.begin(), a->given->blindTo.end(), "wrong-accumulator=bf16"), 1);
    EXPECT_LT(*power(*a, "wrong-accumulator=bf16").given, 0.5);
    EXPECT_EQ(power(*a, "wrong-accumulator=bf16").recommended, 1);
}

TEST(Advise, CallsItsOwnRecommendationFine) {
    Fixture f;
    AdviseRequest request = matmul(16, 16, test::effort(128, 16), "f32");
    const auto a = f.advice(request);
    request.rtol = a->recommended.rtol, request.atol = a->recommended.atol;
    EXPECT_EQ(f.advice(request)->given->verdict, ToleranceVerdict::fine);
}

TEST(Advise, LosslessLosesNothingAndLoosestStillCatchesSomething) {
    Fixture f;
    AdviseRequest request = matmul(32, 32, 64, "bf16");
    const auto a = f.advice(request);
    ASSERT_TRUE(a->loosest && a->lossless);
    EXPECT_GE(a->loosest->atol, a->lossless->atol);
    request.rtol = a->lossless->rtol, request.atol = a->lossless->atol;
    EXPECT_EQ(f.advice(request)->given->verdict, ToleranceVerdict::fine);
    request.rtol = a->loosest->rtol, request.atol = a->loosest->atol;
    const auto loose = f.advice(request);
    EXPECT_GE(*power(*loose, a->loosestCatches).given, 0.9);
}

/// What the declared accumulator makes of honest runs is what theory expects of them.
TEST(Advise, KnowsDeclaredNarrowAccumulators) {
    Fixture f;
    for (const char* accumulator : {"bf16", "fp16"}) {
        AdviseRequest request =
            matmul(test::effort(32, 16), test::effort(32, 16), test::effort(128, 32), "bf16");
        request.accumulator = accumulator;
        request.p = 1e-2;
        const auto a = f.advice(request);
        EXPECT_LT(a->widening, 1.5) << accumulator;
        const auto block = advisedBlock(request);
        int failed = 0;
        for (int i = 0; i < test::effort(100, 30); ++i) {
            const auto draw = drawData(*block, kUnseen + static_cast<std::uint64_t>(i), f.target, {});
            failed += fails(*draw, *outputsOf(*block, *draw, {}, f.target, {}), a->recommended);
        }
        EXPECT_LE(failed, 6) << accumulator;
    }
}

TEST(Advise, EveryOpAndDtypeThatGoTogetherHaveATolerance) {
    Fixture f;
    int cell = 0;
    for (const auto& op : adviseOps())
        for (const char* dtype : {"f32", "tf32", "bf16", "fp16", "int8", "fp8"}) {
            if (cell++ % test::effort(1, 5)) continue; // every op with some, every dtype with some
            AdviseRequest request;
            request.op = op;
            request.dtype = dtype;
            request.sizes = {{"m", 4}, {"k", 16}};
            if (op != "reduction" && op.find("norm") == std::string::npos && op != "softmax")
                request.sizes["n"] = 4;
            const auto a = advise(*f.session, request);
            if (!a) {
                EXPECT_EQ(a.error().code, ErrorCode::usage) << op << ' ' << dtype << ": " << a.error().text();
                continue;
            }
            EXPECT_GT((*a)->recommended.rtol + (*a)->recommended.atol, 0) << op << ' ' << dtype;
            EXPECT_LE((*a)->falseAlarm, 1.001e-6) << op << ' ' << dtype;
            EXPECT_FALSE((*a)->power.empty()) << op << ' ' << dtype;
        }
}

TEST(Advise, SaysWhatToGiveInstead) {
    Fixture f;
    const auto hint = [&](auto change) {
        AdviseRequest request = matmul(4, 4, 16, "f32");
        change(request);
        const auto a = advise(*f.session, request);
        EXPECT_FALSE(a.ok());
        if (a) return std::string();
        EXPECT_EQ(a.error().code == ErrorCode::usage || a.error().code == ErrorCode::notFound, true);
        return a.error().hint;
    };
    EXPECT_NE(hint([](auto& r) { r.dtype = "f8"; }).find("tf32"), std::string::npos);
    EXPECT_NE(hint([](auto& r) { r.op = "mat"; }).find("matmul"), std::string::npos);
    EXPECT_NE(hint([](auto& r) { r.p = 0; }).find("1e-6"), std::string::npos);
    EXPECT_NE(hint([](auto& r) { r.op = "softmax", r.sizes = {}, r.accumulator = "fp16"; }).find("leave"),
              std::string::npos);
    EXPECT_FALSE(hint([](auto& r) { r.sizes["q"] = 3; }).empty());
}

TEST(Advise, DrawsThatWouldEatTheMachineAreRefused) {
    const auto block = [](std::int64_t n) { return *advisedBlock(matmul(n, n, 1, "f32")); };
    // One run takes 76 n² + 80 n bytes (block/run_bytes.h), each of six draws 128 n² + 8 n more.
    EXPECT_EQ(honestRunBytes(block(100), 6), 76u * 10'000 + 80 * 100 + 6 * (128 * 10'000 + 8 * 100));
    EXPECT_TRUE(checkHonestRunBytes(block(3'190), 6).ok()); // 8,589,036,720 of 8,589,934,592
    EXPECT_FALSE(checkHonestRunBytes(block(3'191), 6).ok());
    Fixture f;
    const auto refused = advise(*f.session, matmul(3'191, 3'191, 1, "f32"));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_NE(refused.error().message.find("6 draws of this block would hold"), std::string::npos)
        << refused.error().text();
}

TEST(Advise, StopsWhenCancelled) {
    Fixture f;
    Progress progress;
    progress.token.cancel();
    const auto a = advise(*f.session, matmul(16, 16, 64, "bf16"), progress);
    ASSERT_FALSE(a.ok());
    EXPECT_EQ(a.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace divdet
