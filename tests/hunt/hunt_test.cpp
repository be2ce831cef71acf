// Steady oracles: what is found, in how many runs, and what is said where there is no answer.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hunt/ddmin.h"
#include "simulated_oracle.h"

namespace divdet::hunt {
namespace {

using test::ceilLog2;
using test::either;
using test::nobody;
using test::one;
using test::optionsFor;
using test::SimulatedOracle;
using test::together;
using Items = std::vector<std::size_t>;

bool quickCheck(const char* what, auto property) {
    return rc::check(what, std::move(property));
}

Items someOf(std::size_t count, std::size_t items) {
    const auto set =
        *rc::gen::container<std::set<std::size_t>>(count, rc::gen::inRange<std::size_t>(0, items));
    return {set.begin(), set.end()};
}

TEST(Hunt, OneCulpritTakesTheLogarithmOfTheItemsAndItsChecks) {
    EXPECT_TRUE(quickCheck("one culprit", [] {
        const auto n = *rc::gen::inRange<std::size_t>(1, 200);
        const auto culprit = *rc::gen::inRange<std::size_t>(0, n);
        SimulatedOracle oracle(one(culprit));
        const auto r = *hunt(oracle, optionsFor(n));
        RC_ASSERT(r.ending == Ending::found);
        RC_ASSERT(r.culprits.size() == 1u);
        RC_ASSERT(r.culprits[0].items == Items{culprit});
        RC_ASSERT(!r.more);
        // Two checks; the search; the culprit alone, and everything else.
        RC_ASSERT(oracle.runs <= 2 + ceilLog2(n) + 2);
        RC_ASSERT(r.runs == oracle.runs);
        for (const auto& [on, times] : oracle.runsOf) RC_ASSERT(times == 1u); // nothing is asked twice
    }));
}

TEST(Hunt, OfTwelvePassesOneIsFoundInFourRuns) {
    for (std::size_t culprit = 0; culprit < 12; ++culprit) {
        SimulatedOracle oracle(one(culprit));
        const auto r = *hunt(oracle, optionsFor(12));
        EXPECT_EQ(r.culprits.at(0).items, Items{culprit});
        EXPECT_LE(r.runs - r.checks, 4u);
        EXPECT_LE(r.checks, 4u); // on, off, the culprit alone, everything else
    }
}

TEST(Hunt, ChecksAreRepeatedWhereRunsMayVary) {
    SimulatedOracle oracle(one(3));
    oracle.sayVaries = true;
    HuntOptions o = optionsFor(8);
    o.repeat = 5;
    const auto r = *hunt(oracle, o);
    EXPECT_EQ(r.checks, 10u + 2u); // five of each; the culprit alone, and everything else
    EXPECT_EQ(oracle.runsOf[allOf(8)], 5u);
    EXPECT_EQ(oracle.runsOf[noneOf(8)], 5u);
    EXPECT_EQ(r.culprits.at(0).items, Items{3});
}

TEST(Hunt, InteractingCulpritsAreFoundTogether) {
    EXPECT_TRUE(quickCheck("pairs and triples", [] {
        const auto n = *rc::gen::inRange<std::size_t>(4, 120);
        const auto k = *rc::gen::inRange<std::size_t>(2, 4);
        const Items culprits = someOf(k, n);
        SimulatedOracle oracle(together(culprits));
        const auto r = *hunt(oracle, optionsFor(n));
        RC_ASSERT(r.ending == Ending::found);
        RC_ASSERT(r.culprits.at(0).items == culprits);
        RC_ASSERT(oracle.runs <= 2 + k * (ceilLog2(n) + 1) + 3 * k + 2);
    }));
}

TEST(Hunt, EachOfTwoSeparateCulpritsIsEnough) {
    EXPECT_TRUE(quickCheck("either of two", [] {
        const auto n = *rc::gen::inRange<std::size_t>(3, 60);
        const Items two = someOf(2, n);
        HuntOptions o = optionsFor(n);
        SimulatedOracle first(either(two[0], two[1]));
        const auto one = *hunt(first, o);
        RC_ASSERT(one.culprits.size() == 1u);
        RC_ASSERT(one.more);
        o.all = true;
        SimulatedOracle second(either(two[0], two[1]));
        const auto both = *hunt(second, o);
        RC_ASSERT(!both.more);
        std::set<std::size_t> found;
        for (const auto& c : both.culprits) found.insert(c.items.begin(), c.items.end());
        RC_ASSERT(Items(found.begin(), found.end()) == two);
        RC_ASSERT(both.culprits.size() == 2u);
    }));
}

TEST(Hunt, ACounterFindsTheFirstThatMakesItBad) {
    EXPECT_TRUE(quickCheck("counter", [] {
        const auto n = *rc::gen::inRange<std::size_t>(1, 1500);
        const auto culprit = *rc::gen::inRange<std::size_t>(0, n);
        SimulatedOracle oracle(one(culprit));
        oracle.before = [](const ItemSet& on) { // only the first ones may ever be on
            const std::size_t count = countOn(on);
            for (std::size_t i = 0; i < on.size(); ++i) RC_ASSERT(on[i] == (i < count));
        };
        const auto r = *hunt(oracle, optionsFor(n, Form::counter));
        RC_ASSERT(r.ending == Ending::found);
        RC_ASSERT(r.culprits.at(0).items == Items{culprit});
        RC_ASSERT(oracle.runs <= 2 + ceilLog2(n));
    }));
}

TEST(Hunt, GoesPastSetsThatCannotRun) {
    EXPECT_TRUE(quickCheck("unresolved", [] {
        const auto n = *rc::gen::inRange<std::size_t>(2, 60);
        const auto culprit = *rc::gen::inRange<std::size_t>(0, n);
        // A few counts of items cannot run, never those beside the culprit.
        const auto broken = *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(1, n));
        SimulatedOracle oracle(one(culprit));
        oracle.unresolved = [&](const ItemSet& on) {
            const std::size_t count = countOn(on);
            return count != culprit && count != culprit + 1 && count != 0 && count != n &&
                   broken.contains(count);
        };
        const auto r = *hunt(oracle, optionsFor(n, Form::counter));
        RC_ASSERT(r.ending == Ending::found);
        RC_ASSERT(r.culprits.at(0).items == Items{culprit});
    }));
}

TEST(Hunt, WhereTheAnswerCannotBeHadTheSuspectsAreNamed) {
    SimulatedOracle oracle(one(5));
    oracle.unresolved = [](const ItemSet& on) { return countOn(on) >= 5 && countOn(on) <= 7; };
    const auto r = *hunt(oracle, optionsFor(12, Form::counter));
    EXPECT_EQ(r.ending, Ending::unresolved);
    EXPECT_EQ(r.suspects, (Items{4, 5, 6, 7}));
    EXPECT_TRUE(r.culprits.empty());
}

/// A set that runs only when two items are both on or both off, as a pass and one that needs it.
TEST(Hunt, ItemsThatNeedEachOtherDoNotMislead) {
    EXPECT_TRUE(quickCheck("dependences", [] {
        const auto n = *rc::gen::inRange<std::size_t>(4, 40);
        const auto culprit = *rc::gen::inRange<std::size_t>(0, n);
        const Items tied = someOf(2, n);
        SimulatedOracle oracle(one(culprit));
        oracle.unresolved = [&](const ItemSet& on) { return on[tied[0]] != on[tied[1]]; };
        const auto r = *hunt(oracle, optionsFor(n));
        const bool isTied = culprit == tied[0] || culprit == tied[1];
        if (!isTied) {
            RC_ASSERT(r.ending == Ending::found);
            RC_ASSERT(r.culprits.at(0).items == Items{culprit});
        } else { // the two cannot be told apart, and that is said
            RC_ASSERT(r.ending == Ending::unresolved);
            RC_ASSERT(r.suspects == tied);
        }
    }));
}

/// Any logic at all: what is called found is bad, and without any of its items it is good.
TEST(Hunt, WhatIsFoundIsMinimalWhateverTheLogic) {
    EXPECT_TRUE(quickCheck("random logic", [] {
        const auto n = *rc::gen::inRange<std::size_t>(2, 9);
        const auto table = *rc::gen::container<std::vector<int>>(std::size_t{1} << n, rc::gen::inRange(0, 3));
        const auto answerOf = [&](const ItemSet& on) {
            std::size_t index = 0;
            for (std::size_t i = 0; i < n; ++i) index |= static_cast<std::size_t>(on[i]) << i;
            if (index == 0) return Answer::good;
            if (index == table.size() - 1) return Answer::bad;
            return static_cast<Answer>(table[index]);
        };
        class Table : public Oracle {
        public:
            explicit Table(std::function<Answer(const ItemSet&)> f)
                : m_f(std::move(f)) {}
            Result<Outcome> ask(const ItemSet& on, std::uint64_t, const Progress&) override {
                return Outcome{m_f(on), "exit 1", ""};
            }
            bool varies() const override { return false; }

        private:
            std::function<Answer(const ItemSet&)> m_f;
        } oracle(answerOf);
        const auto r = *hunt(oracle, optionsFor(n));
        RC_ASSERT(r.steady);
        if (r.ending == Ending::found && !r.culprits.at(0).alone) {
            ItemSet on = noneOf(n);
            for (const std::size_t i : r.culprits[0].items) on[i] = true;
            RC_ASSERT(answerOf(on) == Answer::unresolved); // it cannot run with nothing else on
            return;
        }
        const Items& items = r.ending == Ending::found ? r.culprits.at(0).items : r.suspects;
        ItemSet on = noneOf(n);
        for (const std::size_t i : items) on[i] = true;
        RC_ASSERT(answerOf(on) == Answer::bad);
        bool allGood = true;
        for (const std::size_t i : items) {
            on[i] = false;
            RC_ASSERT(answerOf(on) != Answer::bad);
            allGood = allGood && answerOf(on) == Answer::good;
            on[i] = true;
        }
        RC_ASSERT((r.ending == Ending::found) == allGood);
    }));
}

TEST(Hunt, SaysWhenThereIsNothingToHunt) {
    SimulatedOracle fine(nobody());
    auto r = *hunt(fine, optionsFor(5));
    EXPECT_EQ(r.ending, Ending::nothingFails);
    EXPECT_EQ(fine.runs, 1u);

    SimulatedOracle always(together({}));
    r = *hunt(always, optionsFor(5));
    EXPECT_EQ(r.ending, Ending::baselineFails);

    SimulatedOracle broken(one(1));
    broken.unresolved = [](const ItemSet&) { return true; };
    r = *hunt(broken, optionsFor(5));
    EXPECT_EQ(r.ending, Ending::unresolved);
    EXPECT_EQ(r.everythingOn.text, "cannot run");

    EXPECT_EQ(hunt(fine, optionsFor(0)).error().code, ErrorCode::usage);
    HuntOptions senseless = optionsFor(3);
    senseless.confidence = 1;
    EXPECT_EQ(hunt(fine, senseless).error().code, ErrorCode::usage);
}

/// Item 2 crashes; item 6 makes the numbers wrong; with both on the crash is what shows.
TEST(Hunt, KeepsToOneKindOfFailure) {
    const auto oracle = [] {
        SimulatedOracle o(either(2, 6));
        o.failure = [](const ItemSet& on) { return on[2] ? "crash" : "accuracy"; };
        return o;
    };
    auto kept = oracle();
    HuntOptions o = optionsFor(8);
    auto r = *hunt(kept, o);
    EXPECT_EQ(r.failure, "crash");
    EXPECT_EQ(r.culprits.at(0).items, Items{2});
    EXPECT_FALSE(r.more); // what is left is another failure
    auto any = oracle();
    o.anyFailure = true;
    r = *hunt(any, o);
    EXPECT_EQ(r.culprits.at(0).items, Items{6}); // either is a failure, and the last one is met first
    EXPECT_TRUE(r.more);
}

TEST(Hunt, TellsAStoryWithWhatIsLeft) {
    SimulatedOracle oracle(one(8));
    std::vector<HuntEvent> events;
    const auto r = *hunt(oracle, optionsFor(12), {}, [&](const HuntEvent& e) { events.push_back(e); });
    EXPECT_EQ(r.story.at(0), "everything on: bad (ended with 1)");
    EXPECT_EQ(r.story.at(1), "everything off: good");
    EXPECT_EQ(r.story.at(2), "disabled 1–6 of 12: still bad");
    EXPECT_EQ(r.story.at(3), "only item9, item10, item11 on: good");
    EXPECT_EQ(r.story.back(), "disabled only item8: good");
    std::uint64_t runs = 0;
    for (const HuntEvent& e : events) {
        EXPECT_GE(e.runs, runs);
        runs = e.runs;
        EXPECT_LE(e.last, 12u);
        EXPECT_LT(e.first, e.last);
    }
    EXPECT_EQ(events[5].left, 4u); // before the first question of the search
    EXPECT_EQ(events[5].first, 0u);
    EXPECT_EQ(events[7].first, 6u);
}

TEST(Hunt, StopsWhenCancelled) {
    SimulatedOracle oracle(one(3));
    Progress progress;
    oracle.before = [&](const ItemSet&) {
        if (oracle.runs == 4) progress.token.cancel();
    };
    EXPECT_EQ(hunt(oracle, optionsFor(64), progress).error().code, ErrorCode::cancelled);
    EXPECT_EQ(oracle.runs, 4u);
}

TEST(Ddmin, IsMinimalAndKeepsWhatFails) {
    EXPECT_TRUE(quickCheck("ddmin", [] {
        const auto n = *rc::gen::inRange<std::size_t>(1, 80);
        const auto k = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(n, 6) + 1);
        const Items culprits = someOf(k, n);
        Items all(n);
        for (std::size_t i = 0; i < n; ++i) all[i] = i;
        const auto r = *ddmin(all, [&](const Items& on) -> Result<Answer> {
            return std::includes(on.begin(), on.end(), culprits.begin(), culprits.end()) ? Answer::bad
                                                                                         : Answer::good;
        });
        RC_ASSERT(r == culprits);
    }));
}

TEST(ItemSetText, RangesAreReadBack) {
    EXPECT_TRUE(quickCheck("ranges", [] {
        const auto set = *rc::gen::arbitrary<std::vector<bool>>();
        RC_ASSERT(parseRanges(rangesOf(set), set.size()) == std::optional(set));
    }));
    for (const char* text : {"", "0", "1-", "2-1", "1,1", "9", "1,2", "a", "1-3,3", "-1", "1--2"})
        EXPECT_FALSE(parseRanges(text, 8)) << text;
}

} // namespace
} // namespace divdet::hunt
