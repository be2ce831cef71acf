// Oracles that fail only sometimes: recognised, then searched to a stated confidence or refused.
#include <gtest/gtest.h>

#include "effort.h"
#include "simulated_oracle.h"

namespace divdet::hunt {
namespace {

using test::one;
using test::optionsFor;
using test::SimulatedOracle;
using test::together;
using Items = std::vector<std::size_t>;

struct Count {
    int right = 0, wrong = 0, refused = 0, unrecognised = 0;
    double bound = 0;
    std::uint64_t runs = 0;
};

/// Hunts with culprits that follow from the number of the hunt.
Count hunts(int many, double failsWith, std::size_t items, std::size_t size, Form form = Form::sets) {
    Count count;
    for (int i = 0; i < many; ++i) {
        std::mt19937_64 random(static_cast<std::uint64_t>(i) * 977 + 5);
        Items culprits;
        while (culprits.size() < size) {
            const std::size_t c = random() % items;
            if (std::find(culprits.begin(), culprits.end(), c) == culprits.end()) culprits.push_back(c);
        }
        std::sort(culprits.begin(), culprits.end());
        SimulatedOracle oracle(together(culprits), failsWith, static_cast<std::uint64_t>(i));
        const auto r = *hunt(oracle, optionsFor(items, form));
        const Items wanted = form == Form::counter ? Items{culprits.back()} : culprits;
        if (r.ending == Ending::nothingFails)
            ++count.refused; // every check happened to be good
        else if (r.ending == Ending::found && r.culprits.at(0).items == wanted)
            ++count.right;
        else
            ++count.wrong;
        count.unrecognised += r.steady && r.ending == Ending::found;
        count.bound = std::max(count.bound, r.missBound);
        count.runs += r.runs;
    }
    return count;
}

TEST(UnsteadyHunt, AThousandHuntsAtSeventyPercentAreRight) {
    const int many = divdet::test::effort(1000, 200);
    const Count c = hunts(many, 0.7, 12, 1);
    EXPECT_GE(c.right, many - many / 100); // whatever the others ended with
    EXPECT_LE(c.bound, 0.01);
    RecordProperty("right", c.right);
    RecordProperty("runs", static_cast<int>(c.runs / static_cast<std::uint64_t>(many)));
}

TEST(UnsteadyHunt, OtherRatesPairsAndCountersToo) {
    const int many = divdet::test::effort(300, 60);
    for (const double p : {0.3, 0.5, 0.7, 0.9, 0.97}) {
        SCOPED_TRACE(p);
        EXPECT_LE(hunts(many, p, 12, 1).wrong, many / 100);
        EXPECT_LE(hunts(many, p, 12, 2).wrong, many / 100);
        EXPECT_LE(hunts(many, p, 100, 1, Form::counter).wrong, many / 100);
    }
}

TEST(UnsteadyHunt, SaysSoAndHowSureItIs) {
    SimulatedOracle oracle(one(4), 0.5, 3);
    const auto r = *hunt(oracle, optionsFor(12));
    EXPECT_FALSE(r.steady);
    EXPECT_GE(r.rate.bad + r.rate.good, 20u);
    EXPECT_GT(r.missBound, 0);
    EXPECT_LE(r.missBound, 0.01);
    EXPECT_NE(std::find_if(r.story.begin(), r.story.end(),
                           [](const std::string& s) { return s.starts_with("the answers vary"); }),
              r.story.end());
    HuntOptions sure = optionsFor(12);
    sure.confidence = 0.9999;
    SimulatedOracle again(one(4), 0.5, 3);
    const auto surer = *hunt(again, sure);
    EXPECT_LE(surer.missBound, 0.0001);
    EXPECT_GT(surer.runs, r.runs);
}

TEST(UnsteadyHunt, StrictRefusesIt) {
    SimulatedOracle oracle(one(4), 0.5, 3);
    HuntOptions o = optionsFor(12);
    o.strict = true;
    const auto r = *hunt(oracle, o);
    EXPECT_EQ(r.ending, Ending::unsteady);
    EXPECT_TRUE(r.culprits.empty());
    EXPECT_LE(oracle.runs, 10u);
    SimulatedOracle steady(one(4));
    EXPECT_EQ(hunt(steady, o)->ending, Ending::found);
}

TEST(UnsteadyHunt, AFailureThatHardlyEverShowsIsRefused) {
    class Once : public Oracle {
    public:
        Result<Outcome> ask(const ItemSet& on, std::uint64_t repetition, const Progress&) override {
            const bool fails = countOn(on) == on.size() && repetition == 0;
            return Outcome{fails ? Answer::bad : Answer::good, fails ? "exit 1" : "", ""};
        }
    } once;
    HuntOptions o = optionsFor(12);
    o.confidence = 0.99999;
    const auto r = *hunt(once, o);
    EXPECT_EQ(r.ending, Ending::unsteady);
}

TEST(UnsteadyHunt, NothingIsDeniedOnAFewRuns) {
    SimulatedOracle fine(test::nobody());
    fine.sayVaries = true;
    const auto r = *hunt(fine, optionsFor(12));
    EXPECT_EQ(r.ending, Ending::nothingFails);
    EXPECT_EQ(r.runs, 9u);
    EXPECT_EQ(r.story.back(), "a failure that shows in 40 % of the runs or more would have been seen");
}

TEST(MissBound, IsWhatABetaPriorSays) {
    // E[(1-p)^2] under Beta(4, 1): integral of 4 p^3 (1-p)^2 = 4 B(4, 3) = 1/15.
    EXPECT_NEAR(missProbability({3, 0}, 2), 1.0 / 15, 1e-15);
    EXPECT_EQ(missProbability({3, 0}, 0), 1);
    EXPECT_EQ(runsForMiss({3, 0}, 1.0 / 15 + 1e-12, 100), 2u);
    EXPECT_EQ(runsForMiss({0, 20}, 1e-9, 50), 50u);
}

} // namespace
} // namespace divdet::hunt
