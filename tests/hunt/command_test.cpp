// Commands of the user's: what their end means, what they are told, real scripts hunted to the end.
#include <fstream>

#include <gtest/gtest.h>

#include "hunt/command_oracle.h"
#include "hunt/file_stamp.h"
#include "scratch_folder.h"
#include "simulated_oracle.h"

namespace divdet::hunt {
namespace {

using test::ceilLog2;
using test::optionsFor;
using Items = std::vector<std::size_t>;

CommandRun ended(int code, std::string output = "") {
    CommandRun run;
    run.code = code;
    run.output = std::move(output);
    return run;
}

const char* const kTraceback =
    "starting\nTraceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n"
    "    f()\nValueError: no such layer\n";

TEST(CommandAnswer, FollowsTheExitCode) {
    const CommandRules usual;
    EXPECT_EQ(answerOf(ended(0), usual).answer, Answer::good);
    EXPECT_EQ(answerOf(ended(1), usual).answer, Answer::bad);
    EXPECT_EQ(answerOf(ended(1), usual).failure, "exit 1");
    for (const int code : {2, 3, 125, 126, 127, 137, 255})
        EXPECT_EQ(answerOf(ended(code), usual).answer, Answer::unresolved) << code;
    EXPECT_NE(answerOf(ended(127), usual).text.find("not found"), std::string::npos);
    EXPECT_NE(answerOf(ended(139), usual).text.find("signal 11"), std::string::npos);
    EXPECT_NE(answerOf(ended(3, "one\nlast words\n"), usual).text.find("last words"), std::string::npos);

    CommandRules segv;
    segv.badCodes = {7, 139};
    EXPECT_EQ(answerOf(ended(139), segv).failure, "exit 139");
    EXPECT_EQ(answerOf(ended(1), segv).answer, Answer::unresolved);
    segv.badCodes = {125};
    EXPECT_EQ(answerOf(ended(125), segv).answer, Answer::unresolved);
    CommandRun late = ended(1);
    late.timedOut = true;
    EXPECT_EQ(answerOf(late, usual).answer, Answer::unresolved);
}

TEST(CommandAnswer, APythonExceptionIsNotTheFailureUnlessItMatches) {
    CommandRules rules;
    const Outcome o = answerOf(ended(1, kTraceback), rules);
    EXPECT_EQ(o.answer, Answer::unresolved);
    EXPECT_EQ(o.text, "ended with 1: Python raised ValueError: no such layer");
    rules.failPattern = *LinePattern::compile("^ValueError: no such");
    EXPECT_EQ(answerOf(ended(1, kTraceback), rules).answer, Answer::bad);
    EXPECT_EQ(answerOf(ended(1, kTraceback), rules).failure, "output matches");
    rules.failPattern = *LinePattern::compile("AssertionError");
    EXPECT_EQ(answerOf(ended(1, kTraceback), rules).answer, Answer::unresolved);
    EXPECT_EQ(answerOf(ended(1, "nothing of the kind"), rules).answer, Answer::unresolved);
    EXPECT_EQ(answerOf(ended(0, "AssertionError: 3\n"), rules).answer, Answer::bad);
    EXPECT_EQ(answerOf(ended(0, "fine"), rules).answer, Answer::good);
    EXPECT_EQ(LinePattern::compile("(open").error().code, ErrorCode::usage);
}

TEST(CommandWords, FillTheTemplateAndNothingElse) {
    const ItemSet on{true, false, true, false};
    const std::vector<std::string> items{"a", "b", "c", "d"};
    const SetWords w = wordsOf(on, items, {});
    EXPECT_EQ(filledIn("x --off={disabled} --on={enabled} {n} {last} {print $1} {", w),
              "x --off=b,d --on=a,c 2 1 {print $1} {");
    EXPECT_EQ(wordsOf(on, items, {",", "*:fp16", "", ":fp32"}).disabled, "*:fp16,b:fp32,d:fp32");
    EXPECT_EQ(wordsOf(allOf(4), items, {",", "*:fp16", "", ":fp32"}).disabled, "*:fp16");
    EXPECT_EQ(filledIn("{last}", wordsOf(noneOf(4), items, {})), "-1");
}

class CommandHunt : public ::testing::Test {
protected:
    std::string script(const std::string& name, const std::string& text) {
        const auto path = m_folder / name;
        std::ofstream(path) << text;
        return "sh " + path.string();
    }
    Result<HuntResult> run(HuntCommand command, HuntOptions options, const Progress& progress = {}) {
        auto oracle = CommandOracle::make(std::move(command), options.items, options.form);
        if (!oracle) return oracle.error();
        return hunt(*oracle, options, progress);
    }
    static HuntCommand of(std::string text) {
        HuntCommand c;
        c.command = std::move(text);
        return c;
    }
    std::size_t lines(const std::string& name) {
        std::ifstream in(m_folder / name);
        std::size_t n = 0;
        for (std::string line; std::getline(in, line);) ++n;
        return n;
    }
    divdet::test::ScratchFolder m_folder;
};

TEST_F(CommandHunt, OneOfAThousandItemsTakesTenRunsAndItsChecks) {
    // bad unless item617 is among the disabled
    const std::string sh = script("check.sh", "echo run >> " + (m_folder / "runs").string() + R"(
case ",$DIVDET_DISABLED," in *,item617,*) exit 0;; *) exit 1;; esac
)");
    const auto r = run(of(sh), optionsFor(1000));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->ending, Ending::found);
    EXPECT_EQ(r->culprits.at(0).items, Items{617});
    EXPECT_EQ(r->checks, 6u + 2u); // the culprit alone, and everything else
    EXPECT_LE(r->runs - r->checks, 10u);
    EXPECT_EQ(lines("runs"), r->runs);
    EXPECT_FALSE(r->more);
}

TEST_F(CommandHunt, TextAndVariablesSayTheSame) {
    const std::string sh = script("say.sh", R"(
[ "$1" = "$DIVDET_DISABLED" ] || exit 9
[ "$2" = "$DIVDET_ENABLED" ] || exit 9
[ "$3" = "$DIVDET_N" ] || exit 9
[ $(($3 - 1)) = "$4" ] || exit 9
[ "$MY_OFF" = "off:$1" ] || exit 9
case ",$2," in *,item3,*) exit 1;; esac
)");
    HuntCommand command = of(sh + " '{disabled}' \"{enabled}\" {n} {last}");
    command.environment = {{"MY_OFF", "off:{disabled}"}};
    const auto r = run(command, optionsFor(7));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->ending, Ending::found) << r->everythingOn.text;
    EXPECT_EQ(r->culprits.at(0).items, Items{3});
}

/// As torch has it: an application is made while its index, from 0, is not above the limit.
TEST_F(CommandHunt, ACounterOfApplications) {
    const std::string sh = script("count.sh", "[ $TORCH_BISECT_MAX -lt 41 ]");
    HuntCommand command = of(sh);
    command.environment = {{"TORCH_BISECT_MAX", "{last}"}};
    const auto r = run(command, optionsFor(1000, Form::counter));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->culprits.at(0).items, Items{41});
    EXPECT_LE(r->runs - r->checks, 10u + 6u); // the two answers that decide, repeated
}

TEST_F(CommandHunt, NamesAreNeverReadAsCode) {
    HuntOptions o = optionsFor(4);
    o.items[2] = "$(touch " + (m_folder / "harm").string() + ")";
    const std::string check = " case \"$DIVDET_ENABLED\" in *touch*) exit 1;; *) exit 0;; esac";
    for (const char* use : {"echo {disabled};", "echo \"{disabled}\";", "echo '{enabled}';"})
        EXPECT_EQ(run(of(use + check), o).error().code, ErrorCode::refused) << use;
    const auto r = run(of("echo \"$DIVDET_DISABLED\" >/dev/null;" + check), o);
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r->culprits.at(0).items, Items{2});
    EXPECT_FALSE(std::filesystem::exists(m_folder / "harm"));
}

TEST_F(CommandHunt, AnUnrelatedExceptionIsGonePast) {
    std::ofstream(m_folder / "model.py") << R"(import os, sys
n = int(os.environ["DIVDET_N"])
if n in (6, 12, 13):
    raise RuntimeError("out of memory")
sys.exit(1 if n >= 9 else 0)
)";
    HuntCommand command = of("/usr/bin/python3 " + (m_folder / "model.py").string());
    const auto r = run(command, optionsFor(24, Form::counter));
    ASSERT_TRUE(r.ok()) << r.error().text();
    EXPECT_EQ(r->ending, Ending::found);
    EXPECT_EQ(r->culprits.at(0).items, Items{8});
    bool told = false;
    for (const auto& line : r->story)
        told = told || line.find("RuntimeError: out of memory") != std::string::npos;
    EXPECT_TRUE(told);
}

TEST_F(CommandHunt, ATimeoutIsUnresolvedAndLeavesNothingBehind) {
    // With four on it would hang, and leave a child that writes later.
    const std::string sh =
        script("slow.sh", "if [ $DIVDET_N = 4 ]; then (sleep 5; touch " + (m_folder / "late").string() +
                              ") & sleep 60; fi\n[ $DIVDET_N -lt 3 ]");
    HuntCommand command = of(sh);
    command.timeout = std::chrono::milliseconds(1500);
    HuntOptions o = optionsFor(8, Form::counter);
    o.repeat = 1;
    const auto start = std::chrono::steady_clock::now();
    const auto r = run(command, o);
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r->culprits.at(0).items, Items{2});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40));
    std::this_thread::sleep_for(std::chrono::milliseconds(5200));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "late"));
}

TEST_F(CommandHunt, CancelEndsTheCommand) {
    Progress progress;
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        progress.token.cancel();
    });
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(run(of("sleep 60"), optionsFor(4), progress).error().code, ErrorCode::cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    later.join();
}

TEST_F(CommandHunt, OnlyADumpOfThisRunIsJudged) {
    const auto dump = m_folder / "out.npy";
    std::ofstream(dump) << "left from yesterday";
    HuntCommand command = of("[ $DIVDET_N = 3 ] || echo $DIVDET_ENABLED > " + dump.string());
    command.dump = dump;
    int judged = 0;
    command.judgeDump = [&](const Progress&) -> Result<Outcome> {
        ++judged;
        std::ifstream in(dump);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        return text.find("item5") != std::string::npos ? Outcome{Answer::bad, "accuracy", ""}
                                                       : Outcome{Answer::good, "", ""};
    };
    const auto r = run(command, optionsFor(8));
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r->culprits.at(0).items, Items{5});
    EXPECT_EQ(r->failure, "accuracy");
    command.command = "true";
    const auto stale = run(command, optionsFor(8));
    EXPECT_EQ(stale->ending, Ending::unresolved);
    EXPECT_NE(stale->everythingOn.text.find("not written by this run"), std::string::npos);
    command.command = "exit 1";
    EXPECT_EQ(run(command, optionsFor(8))->ending, Ending::unresolved);
    command.dump = m_folder / "nowhere";
    command.command = "true";
    EXPECT_NE(run(command, optionsFor(8))->everythingOn.text.find("is not there"), std::string::npos);
}

TEST_F(CommandHunt, ItemsComeOnePerLine) {
    const auto file = (m_folder / "items").string();
    const auto read = [&](const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
        return readItems(file);
    };
    EXPECT_EQ(*read("a\r\nb c\n\n/x + y\n"), (std::vector<std::string>{"a", "b c", "/x + y"}));
    EXPECT_EQ(read("").error().code, ErrorCode::malformed);
    EXPECT_EQ(read("a\nb\na\n").error().code, ErrorCode::malformed);
    EXPECT_EQ(read("a\x1b[2J\n").error().code, ErrorCode::malformed);
    EXPECT_EQ(readItems((m_folder / "no").string()).error().code, ErrorCode::notFound);
    EXPECT_EQ(run(
                  [] {
                      HuntCommand c = of("true");
                      c.rules.badCodes = {0};
                      return c;
                  }(),
                  optionsFor(3))
                  .error()
                  .code,
              ErrorCode::usage);
}

} // namespace
} // namespace divdet::hunt
