// Text that no logger wrote: whatever it holds, each line is counted once and memory stays bounded.
#include <gtest/gtest.h>

#include "logs/guard_reason.h"
#include "logs/log_reader.h"
#include "logs/parsed_records.h"
#include "report/logs_report.h"

namespace divdet {
namespace {

LogReport read(std::string_view text, std::size_t portion = std::string_view::npos) {
    LogReader reader;
    for (std::size_t i = 0; i < text.size(); i += std::min(portion, text.size()))
        reader.feed(text.substr(i, portion));
    return reader.finish();
}

const std::string kRecompile = "V0101 10:00:00.000001 77 torch/_dynamo/g.py:1] [0/1] [__recompiles] ";

std::string recompile(std::string_view function, std::string_view reason) {
    return kRecompile + "Recompiling function " + std::string(function) + " in /w/net.py:3\n" + kRecompile +
           "    triggered by the following guard failure(s):\n" + kRecompile +
           "    - 0/0: " + std::string(reason) + '\n';
}

TEST(HostileLogs, ColoursAndCarriageReturnsChangeNothing) {
    const std::string plain = recompile("f", "L['n'] == 1");
    std::string dressed;
    for (const char c : plain) {
        if (c == '\n') dressed += "\x1b[0m\r";
        if (c == 'V') dressed += "\x1b[38;5;12m";
        dressed += c;
    }
    const auto a = read(plain), b = read(dressed);
    EXPECT_EQ(a.recompileHeaders, 1);
    EXPECT_EQ(b.recompileHeaders, 1);
    EXPECT_EQ(b.recompiles.at(0).causes.at(0).fixText, a.recompiles.at(0).causes.at(0).fixText);
    EXPECT_EQ(b.unparsedLines, 0);
}

TEST(HostileLogs, ACutLastLineIsReadAsFarAsItGoes) {
    std::string log = recompile("f", "tensor 'x' dtype mismatch. expected Float, actual Half");
    log.resize(log.size() - 6);
    const auto r = read(log);
    EXPECT_EQ(r.lines, 3);
    EXPECT_EQ(r.recompiles.at(0).causes.at(0).cause, Cause::dtype);
    for (std::size_t keep = 0; keep < log.size(); ++keep) {
        const auto part = read(std::string_view(log).substr(0, keep));
        EXPECT_EQ(part.recordLines + part.unparsedLines, part.lines) << keep;
    }
}

TEST(HostileLogs, AHundredMegabytesInOneLine) {
    LogReader reader;
    reader.feed("before\n");
    const std::string junk(1 << 20, 'x');
    for (int i = 0; i < 100; ++i) reader.feed(junk);
    reader.feed("\n" + recompile("f", "L['n'] == 1"));
    const auto r = reader.finish();
    EXPECT_EQ(r.lines, 5);
    EXPECT_EQ(r.unparsedLines, 2);
    EXPECT_EQ(r.recompileHeaders, 1);
    EXPECT_TRUE(r.incomplete);
    EXPECT_EQ(r.notes, std::vector<std::string>{"long-lines"});
    for (const auto& sample : r.unparsedSamples) EXPECT_LT(sample.size(), 300u);
}

std::string repeated(std::string_view part, std::size_t bytes) {
    std::string out;
    out.reserve(bytes + part.size());
    while (out.size() < bytes) out += part;
    return out;
}

/// Sixteen megabytes are beyond what work in the square of the length comes to an end with here.
TEST(HostileLogs, AnExpressionOfManyNamesTakesOnePass) {
    const std::string names = repeated("L['a']", std::size_t{16} << 20);
    const auto r = parseGuardReason("___check_obj_id(" + names + ", 7)  # x is None");
    EXPECT_EQ(r.cause, Cause::objectIdentity);
    EXPECT_EQ(r.source.size(), names.size());
    EXPECT_EQ(userName(names).size(), names.size() / 6);
    EXPECT_EQ(parseGuardReason("___check_obj_id(L['x'], 7)  # if x is None:").cause, Cause::type);
}

TEST(HostileLogs, AStackOfBeginningsTakesOnePass) {
    LogRecord record;
    record.lines = {"GraphCompileReason(reason='r', user_stack=[" +
                    repeated("<FrameSummary ", std::size_t{64} << 20) +
                    "<FrameSummary file /w/a.py, line 3 in <module>>], graph_break=True)"};
    const auto r = parseBreak(record);
    EXPECT_EQ(r.reason, "r");
    EXPECT_EQ(r.place.file, "/w/a.py");
    EXPECT_EQ(r.place.line, 3);
    EXPECT_EQ(r.place.function, "<module>");
}

TEST(HostileLogs, BinaryJunkIsCounted) {
    std::string junk;
    std::uint32_t state = 7;
    std::int64_t lines = 0;
    for (int i = 0; i < 1 << 20; ++i) {
        state = state * 1664525u + 1013904223u;
        const char c = static_cast<char>(state >> 24);
        junk += c;
        lines += c == '\n';
    }
    lines += junk.back() != '\n';
    const auto r = read(junk, 4093);
    EXPECT_EQ(r.lines, lines);
    EXPECT_EQ(r.recordLines + r.unparsedLines, r.lines);
    EXPECT_EQ(r.recompileHeaders + r.breakOccurrences, 0);
}

TEST(HostileLogs, MillionsOfNamesStayBounded) {
    LogReader reader;
    for (int i = 0; i < 60'000; ++i) reader.feed(recompile("f" + std::to_string(i), "L['n'] == 1"));
    const auto r = reader.finish();
    EXPECT_EQ(r.recompileHeaders, 60'000);
    EXPECT_EQ(r.recompiles.size(), 20'000u);
    EXPECT_EQ(r.timeline.size(), kMostEvents);
    EXPECT_EQ(r.lines, 180'000);
}

/// Work that grows with the square of the log would run into the time limit of the tests.
TEST(HostileLogs, BlankLinesAndSameNamesTakeTheirLengthOnly) {
    std::string text = "Graph break in user code at a.py:3\n" + std::string(120'000, '\n');
    for (int i = 0; i < 100'000; ++i) text += "epoch 1 loss 3\n";
    EXPECT_EQ(read(text).unparsedLines, 100'000);
    LogReader reader;
    for (int i = 0; i < 20'000; ++i) {
        const std::string head = "V0101 10:00:00.000001 77 x.py:1] [" + std::to_string(i);
        reader.feed(head + "/1] [__recompiles] Recompiling function forward in /w/" + std::to_string(i) +
                    ".py:3\n" + head + "/1] [__guards] GUARDS:\n");
    }
    EXPECT_EQ(reader.finish().graphs.size(), 20'000u);
}

TEST(HostileLogs, LongIdsAndManyProcessesStayBounded) {
    const auto r = read(recompile("f", std::string(1'000'000, '7') + "/0: L['n'] == 1"));
    EXPECT_EQ(r.recompileHeaders, 1);
    LogReader reader;
    const std::string guard = std::string(1 << 20, 'x') + '\n';
    for (int process = 0; process < 100; ++process)
        for (const char* message : {"GUARDS:\n", guard.c_str()})
            reader.feed("V0101 10:00:00.000001 " + std::to_string(process) + " x.py:1] [0/0] [__guards] " +
                        message);
    EXPECT_EQ(reader.finish().guards, 100);
}

TEST(HostileLogs, ReportsHoldNoMarkupOfTheLog) {
    const auto r = read(recompile("<script>alert(1)</script>|`x`\xff", "L['<img src=x onerror=y>'] == 1") +
                        "<b>not understood</b> | ![x](http://a)\n");
    const std::string html = logsHtml(r), markdown = logsMarkdown(r);
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(html.find("<b>not"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    EXPECT_EQ(html.find('\xff'), std::string::npos);
    EXPECT_EQ(markdown.find("<script"), std::string::npos);
    EXPECT_EQ(markdown.find("![x]("), std::string::npos);
}

/// Pasted text is one log like a file, and can be stopped.
TEST(LogText, ReadsPastedTextAndStops) {
    const std::string line = "V1130 12:00:00.000000 42 torch/_dynamo/guards.py:2797] [0/1] [__recompiles] "
                             "Recompiling function f in /train/model.py:41\n";
    std::string text;
    while (text.size() < (std::size_t{3} << 20)) text += line; // several portions, cut within lines
    const auto report = readLogText(text, {}, {});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->lines, static_cast<std::int64_t>(text.size() / line.size()));
    EXPECT_EQ(report->recompileHeaders, report->lines);
    Progress progress;
    progress.token.cancel();
    const auto stopped = readLogText(text, {}, progress);
    ASSERT_FALSE(stopped.ok());
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace divdet
