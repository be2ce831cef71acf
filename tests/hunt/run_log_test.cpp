// The state file: a hunt that was ended from outside goes on past the run that ended it.
#include <fstream>

#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "simulated_oracle.h"

namespace divdet::hunt {
namespace {

using test::one;
using test::optionsFor;
using test::SimulatedOracle;
using test::together;
using Items = std::vector<std::size_t>;

struct Killed {}; ///< stands for a signal: leaves the hunt with nothing cleaned up

class HuntState : public ::testing::Test {
protected:
    HuntOptions options(bool resume, std::size_t items = 64) {
        HuntOptions o = optionsFor(items);
        o.state = {m_folder.path() / "hunt.json", resume, "the hunt of this test"};
        return o;
    }
    std::string file() const {
        std::ifstream in(m_folder.path() / "hunt.json");
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void overwrite(const std::string& text) { std::ofstream(m_folder.path() / "hunt.json") << text; }
    divdet::test::ScratchFolder m_folder;
};

TEST_F(HuntState, GoesOnWhereItWasEndedWithoutAskingTwice) {
    for (std::uint64_t kill = 1; kill <= 10; ++kill) {
        std::filesystem::remove(m_folder.path() / "hunt.json");
        SimulatedOracle first(one(37));
        ItemSet killer;
        first.before = [&](const ItemSet& on) {
            if (first.runs != kill) return;
            killer = on;
            EXPECT_NE(file().find('"' + rangesOf(on) + '"'), std::string::npos); // written before the run
            throw Killed{};
        };
        bool killed = false;
        try {
            (void)hunt(first, options(false));
        } catch (const Killed&) {
            killed = true;
        }
        if (!killed) {
            EXPECT_GT(kill, 8u);
            break;
        }
        SimulatedOracle second(one(37));
        const auto r = hunt(second, options(true));
        ASSERT_TRUE(r.ok()) << r.error().text();
        EXPECT_EQ(r->ending, Ending::found);
        EXPECT_EQ(r->culprits.at(0).items, Items{37});
        const bool check = countOn(killer) == 0 || countOn(killer) == 64;
        for (const auto& [on, times] : second.runsOf) {
            EXPECT_TRUE(check || on != killer);
            EXPECT_TRUE(on == killer || first.runsOf.find(on) == first.runsOf.end()) << rangesOf(on);
        }
    }
}

TEST_F(HuntState, ACancelledRunDoesNotCount) {
    Progress progress;
    SimulatedOracle first(one(5));
    first.before = [&](const ItemSet&) {
        if (first.runs == 3) progress.token.cancel();
    };
    class Watching : public Oracle { // a run that notices the cancel
    public:
        explicit Watching(SimulatedOracle& inner)
            : m_inner(inner) {}
        Result<Outcome> ask(const ItemSet& on, std::uint64_t n, const Progress& p) override {
            auto o = m_inner.ask(on, n, p);
            if (p.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            return o;
        }
        bool varies() const override { return false; }

    private:
        SimulatedOracle& m_inner;
    } watching(first);
    const auto cancelled = hunt(watching, options(false), progress);
    EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
    EXPECT_EQ(cancelled.error().hint, "go on with --resume");
    SimulatedOracle second(one(5));
    const auto r = *hunt(second, options(true));
    EXPECT_EQ(r.culprits.at(0).items, Items{5});
    EXPECT_EQ(r.story.front(), "going on after 2 runs");
}

TEST_F(HuntState, RefusesWhatIsNotItsOwn) {
    SimulatedOracle oracle(one(5));
    EXPECT_EQ(hunt(oracle, options(true)).error().code, ErrorCode::usage); // nothing to go on with
    ASSERT_TRUE(hunt(oracle, options(false)).ok());
    EXPECT_EQ(hunt(oracle, options(false)).error().code, ErrorCode::usage); // would be overwritten
    HuntOptions other = options(true);
    other.state.fingerprint = "another";
    EXPECT_EQ(hunt(oracle, other).error().code, ErrorCode::mismatch);
    EXPECT_EQ(hunt(oracle, options(true, 65)).error().code, ErrorCode::mismatch);
    const std::string good = file();
    for (const char* damage : {"", "{", "[]", "{\"kind\":\"divdet hunt\"}", "\xff\xfe", "null"}) {
        overwrite(damage);
        EXPECT_EQ(hunt(oracle, options(true)).error().code, ErrorCode::malformed) << damage;
    }
    std::string damaged = good;
    damaged.replace(damaged.find("\"bad\""), 5, "\"odd\"");
    overwrite(damaged);
    EXPECT_EQ(hunt(oracle, options(true)).error().code, ErrorCode::malformed);
    overwrite(good);
    EXPECT_TRUE(hunt(oracle, options(true)).ok());
}

TEST_F(HuntState, AFinishedHuntIsAnsweredFromItsFile) {
    SimulatedOracle first(together({5, 9})), second(together({5, 9}));
    ASSERT_TRUE(hunt(first, options(false)).ok());
    const auto r = *hunt(second, options(true));
    EXPECT_EQ(r.culprits.at(0).items, (Items{5, 9}));
    EXPECT_EQ(second.runs, 0u);
}

/// A small file may claim many runs, each of which holds a bit for each item.
TEST_F(HuntState, RunsThatTogetherNeedTooMuchAreRefusedBeforeTheyAreRead) {
    constexpr std::size_t items = 1'000'000, fits = (std::size_t{1} << 33) / items;
    const auto errorOf = [&](std::size_t runs) {
        std::string list;
        for (std::size_t i = 0; i < runs; ++i) list += i ? ",{}" : "{}";
        overwrite(
            R"({"kind":"divdet hunt","version":1,"fingerprint":"f","items":1000000,"running":"","runs":[)" +
            list + "]}");
        const auto log = RunLog::open({m_folder.path() / "hunt.json", true, "f"}, items);
        EXPECT_FALSE(log.ok());
        return log ? Error{} : log.error();
    };
    EXPECT_EQ(errorOf(fits).code, ErrorCode::malformed); // they are read, and the first is damaged
    EXPECT_EQ(errorOf(fits + 1).code, ErrorCode::refused);
    EXPECT_NE(errorOf(fits + 1).hint.find("groups"), std::string::npos);
}

TEST_F(HuntState, AStateFileIsARegularFileOfSomeSize) {
    const auto errorOf = [&](const std::filesystem::path& path) {
        const auto log = RunLog::open({path, true, "f"}, 5);
        EXPECT_FALSE(log.ok());
        return log ? Error{} : log.error();
    };
    EXPECT_EQ(errorOf(m_folder.path()).code, ErrorCode::io);
    EXPECT_EQ(errorOf("/dev/zero").code, ErrorCode::io); // it has no end
    overwrite("");
    std::filesystem::resize_file(m_folder.path() / "hunt.json", (std::uintmax_t{256} << 20) + 1);
    EXPECT_EQ(errorOf(m_folder.path() / "hunt.json").code, ErrorCode::refused);
}

TEST(ItemRanges, Rise) {
    EXPECT_EQ(rangesOf(*parseRanges("1-2,4", 5)), "1-2,4");
    for (const char* text : {"1-5,1-5", "2,1", "3-1", "0", "6", "1,2", "1-2,2", "1,", "", "1--2"})
        EXPECT_FALSE(parseRanges(text, 5)) << text;
}

} // namespace
} // namespace divdet::hunt
