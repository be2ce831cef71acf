// Models of other kinds than those the thresholds were set on: honest in four arithmetics, and with each of
// seven faults, against an exact reference, an fp32 one, and the honest run of the same arithmetic.
#include <map>

#include <gtest/gtest.h>

#include "effort.h"
#include "small_models.h"
#include "taps_support.h"

namespace divdet::test {
/// Without it the name of a test is its parameter's bytes, another one in every run.
static void PrintTo(const SmallModel& m, std::ostream* out) {
    *out << m.name;
}
} // namespace divdet::test

using namespace divdet;
using namespace divdet::test;

namespace {

constexpr Arithmetic kCandidates[] = {Arithmetic::fp32, Arithmetic::fp32SplitSums, Arithmetic::bf16,
                                      Arithmetic::int8};

Comparison judged(const std::vector<ModelTap>& reference, const std::vector<ModelTap>& candidate,
                  Arithmetic a) {
    TapList taps;
    for (std::size_t i = 0; i < reference.size(); ++i)
        taps.add(reference[i].name, reference[i].tensor, candidate[i].tensor);
    return taps.judged(a == Arithmetic::int8 ? "int8" : "");
}

std::string why(const Comparison& c) {
    std::string out;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings)
            if (f.kind == FindingClass::bug || f.kind == FindingClass::unclear)
                out += "\n  " + p.name + ": " + f.text;
    return out;
}

class SmallModels : public testing::TestWithParam<SmallModel> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SmallModels, testing::ValuesIn(kSmallModels), [](const auto& i) {
    std::string name = i.param.name;
    std::erase(name, '-');
    return name;
});

} // namespace

TEST_P(SmallModels, HonestRunsAreNoBug) {
    const SmallModel& m = GetParam();
    for (std::uint32_t seed = 21; seed < 21 + test::effort(2u, 1u); ++seed)
        for (const Arithmetic base : {Arithmetic::fp64, Arithmetic::fp32}) {
            const auto reference = m.run(seed, seed, base, Fault::none, 0);
            for (const Arithmetic a : kCandidates) {
                const auto j = judged(reference, m.run(seed, seed, a, Fault::none, 0), a);
                EXPECT_LE(overallClass(j), PairClass::drift)
                    << name(a) << " against " << name(base) << why(j);
            }
        }
}

TEST_P(SmallModels, NoFaultIsDrift) {
    const SmallModel& m = GetParam();
    const std::uint32_t seed = 21;
    int unclear = 0, all = 0, cell = 0;
    const auto exact = m.run(seed, seed, Arithmetic::fp64, Fault::none, 0);
    const auto fp32 = m.run(seed, seed, Arithmetic::fp32, Fault::none, 0);
    for (const Arithmetic a : kCandidates) {
        const auto honest = m.run(seed, seed, a, Fault::none, 0);
        for (const Fault f : kFaults) {
            const auto candidate = m.run(seed, seed, a, f, m.faultyLayer);
            for (const auto* reference : {&exact, &fp32, &honest}) {
                if (cell++ % test::effort(1, 5)) continue; // every fault, arithmetic and reference with some
                const auto j = judged(*reference, candidate, a);
                const auto what = std::string(name(f)) + " in " + name(a) +
                                  (reference == &exact  ? " against fp64"
                                   : reference == &fp32 ? " against fp32"
                                                        : " against its honest run");
                EXPECT_GE(overallClass(j), PairClass::unclear) << what;
                EXPECT_EQ(firstBad(j), m.faultyTap) << what << why(j);
                unclear += overallClass(j) == PairClass::unclear;
                ++all;
            }
        }
    }
    RecordProperty("unclear", unclear);
    EXPECT_LE(unclear, all / 10) << "of " << all;
}

TEST(LargeMeans, OfAnySizeAreHonest) {
    const auto check = [](RunModel run, int mean) {
        for (const Arithmetic base : {Arithmetic::fp64, Arithmetic::fp32}) {
            const auto reference = run(31, 31, base, Fault::none, 0);
            for (const Arithmetic a : kCandidates) {
                const auto j = judged(reference, run(31, 31, a, Fault::none, 0), a);
                // In bf16 a mean of 16 spreads leaves four bits of the spread, one of 300 none: it may say
                // so.
                const bool lost = a == Arithmetic::bf16 && mean >= 16;
                EXPECT_LE(overallClass(j), lost ? PairClass::unclear : PairClass::drift)
                    << name(a) << " against " << name(base) << ", mean " << mean << why(j);
            }
        }
    };
    check(largeMean<16>, 16);
    if (test::kSanitized) return;
    check(largeMean<0>, 0);
    check(largeMean<300>, 300);
    check(largeMean<3000>, 3000);
}
