// One small program, told as each torch from 2.0 to 2.14 tells it: the same breaks, recompiles and limit must
// be read from all. The texts follow what these versions print; the program is ours.
#include <algorithm>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "logs/log_reader.h"

namespace divdet {
namespace {

/// How one version words things.
struct Version {
    const char* name;
    enum class Prefix : unsigned char { bare, bracket, glog, basic } prefix;
    enum class Recompile : unsigned char { none, tuple, lines, withId } recompile;
    enum class Break : unsigned char { oneLine, reasonFirst, pythonStack, place, reason } breaks;
    bool shortNames; ///< x for L['x']
    bool duplicates; ///< breaks of a place that broke before are logged too
    const char* limit;
    const char* grad; ///< the reason for another grad mode
    Cause gradCause;
    const char* guess;
};
void PrintTo(const Version& v, std::ostream* out) {
    *out << v.name;
}
using Prefix = Version::Prefix;
using Recompile = Version::Recompile;
using Break = Version::Break;

constexpr Version kVersions[] = {
    {"2.0.1", Prefix::bare, Recompile::none, Break::oneLine, true, false, "cache_size_limit", "",
     Cause::unknown, "2.0"},
    {"2.1.2", Prefix::bracket, Recompile::tuple, Break::reasonFirst, false, false, "cache_size_limit",
     "___is_grad_enabled()", Cause::gradMode, "2.1"},
    {"2.2.2", Prefix::bracket, Recompile::lines, Break::reasonFirst, false, false, "cache_size_limit",
     "___check_global_state()", Cause::globalState, "2.1 or 2.2"},
    {"2.3.1", Prefix::glog, Recompile::lines, Break::pythonStack, false, false, "cache_size_limit",
     "___check_global_state()", Cause::globalState, "2.3 or later"},
    {"2.4.1", Prefix::glog, Recompile::lines, Break::pythonStack, false, false, "cache_size_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.3 or later"},
    {"2.5.1", Prefix::glog, Recompile::withId, Break::pythonStack, false, false, "cache_size_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.5 or later"},
    {"2.6.0", Prefix::glog, Recompile::withId, Break::place, false, true, "cache_size_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.5 or later"},
    {"2.7.1", Prefix::glog, Recompile::withId, Break::reason, true, true, "recompile_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.7 or later"},
    {"2.14.1", Prefix::glog, Recompile::withId, Break::reason, true, true, "recompile_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.7 or later"},
    {"2.8.0 short", Prefix::basic, Recompile::withId, Break::reason, true, true, "recompile_limit",
     "GLOBAL_STATE changed: grad_mode ", Cause::gradMode, "2.7 or later"},
};

/// Writes the log of a version.
class Script {
public:
    explicit Script(const Version& v)
        : m_v(v) {}

    std::string source(const std::string& name) const { return m_v.shortNames ? name : "L['" + name + "']"; }

    void recompile(int frame, int to, const char* function, int line, const std::string& reason) {
        const std::string id = std::to_string(frame) + '/' + std::to_string(to);
        const std::string head =
            "Recompiling function " + std::string(function) + " in " + kFile + ':' + std::to_string(line);
        if (m_v.recompile == Recompile::none) return;
        if (m_v.recompile == Recompile::tuple)
            return message("", "torch._dynamo.convert_frame", "recompiles",
                           "('" + head + "', \"triggered by the following guard failure: " + reason + "\")");
        const bool withId = m_v.recompile == Recompile::withId;
        std::string text = head + "\n    triggered by the following guard failure(s):\n    - ";
        if (withId) text += std::to_string(frame) + '/' + std::to_string(to - 1) + ": ";
        message(withId || m_v.prefix == Prefix::glog ? id : "", "torch._dynamo.guards", "recompiles",
                text + reason);
    }

    void limit(int frame, const char* function, int line, const std::string& reason) {
        const bool plural = m_v.prefix == Prefix::bare;
        const std::string id = std::to_string(frame) + '/';
        message(m_v.prefix == Prefix::glog ? id + "8" : "", "torch._dynamo.convert_frame", "",
                std::string("torch._dynamo hit config.") + m_v.limit + " (8)\n   function: '" + function +
                    "' (" + kFile + ':' + std::to_string(line) + ")\n" +
                    (plural ? "   reasons:  " : "   last reason: ") +
                    (m_v.recompile == Recompile::withId ? id + "7: " : "") + reason + '\n' +
                    (plural ? "to diagnose recompilation issues, see https://where."
                            : "To log all recompilation reasons, use TORCH_LOGS=\"recompiles\".\nTo diagnose "
                              "recompilation issues, see https://where"));
    }

    void graphBreak(const std::string& id, const char* function, int line, const std::string& code,
                    const std::string& oldReason, const std::string& newReason, bool again = false) {
        if (again && !m_v.duplicates) return;
        const std::string frame =
            std::string("  File \"") + kFile + "\", line " + std::to_string(line) + ", in " + function + '\n';
        const std::string stack = frame + "    " + code + '\n';
        const std::string site = std::string(kFile) + ':' + std::to_string(line);
        const std::string place =
            (again ? "Graph break (user stack suppressed due to duplicate graph break) in user code at "
                   : "Graph break in user code at ") +
            site + '\n';
        std::string text;
        switch (m_v.breaks) {
        case Break::oneLine:
            text = "Graph break: " + oldReason + " from user code at " + stack;
            break;
        case Break::reasonFirst:
            text = "Graph break: " + oldReason + " from user code at:\n" + stack;
            break;
        case Break::pythonStack:
            text = "Graph break: from user code at:\n" + stack +
                   "Traceback (most recent call last):\n  File \"/lib/site-packages/torch/_dynamo/"
                   "symbolic_convert.py\", line 500, in wrapper\n    return inner_fn(self, inst)\n"
                   "torch._dynamo.exc.Unsupported: " +
                   oldReason + '\n';
            break;
        case Break::place:
            text = place + "Reason: Unsupported: " + oldReason + '\n' +
                   (again ? "" : "User code traceback:\n" + stack);
            break;
        case Break::reason:
            text = place + "Graph Break Reason: " + newReason + '\n' +
                   (again ? "" : "User code traceback:\n" + stack);
            break;
        }
        message(m_v.prefix == Prefix::bare ? "" : id, "torch._dynamo.symbolic_convert", "graph_breaks", text);
    }

    /// A line that is not torch's.
    void other(const std::string& line) { m_text += line + '\n', ++m_others; }

    const std::string& text() const { return m_text; }
    int others() const { return m_others; }
    static constexpr const char* kFile = "/w/train.py";

private:
    void message(const std::string& id, const std::string& logger, const std::string& artifact,
                 const std::string& text) {
        std::string prefix;
        const bool warns = artifact.empty();
        switch (m_v.prefix) {
        case Prefix::bare: // only the first line of a message has it
        case Prefix::bracket:
            prefix = "[2024-02-03 10:11:12,345] " + (id.empty() ? "" : "[" + id + "] ") + logger +
                     (artifact.empty() || m_v.prefix == Prefix::bare ? "" : ".__" + artifact) +
                     (warns || m_v.prefix == Prefix::bare ? ": [WARNING] " : ": [DEBUG] ");
            break;
        case Prefix::glog:
            prefix = (warns ? "W" : "V") + std::string("0203 10:11:12.345000 4242 torch/_dynamo/x.py:77] ") +
                     (id.empty() ? "" : "[" + id + "] ") + (artifact.empty() ? "" : "[__" + artifact + "] ");
            break;
        case Prefix::basic:
            prefix = std::string(warns ? "WARNING:" : "DEBUG:") + logger +
                     (artifact.empty() ? "" : ".__" + artifact) + ':';
            break;
        }
        const bool everyLine = m_v.prefix == Prefix::bracket || m_v.prefix == Prefix::glog;
        std::size_t from = 0;
        for (bool first = true; from <= text.size(); first = false) {
            const auto end = std::min(text.find('\n', from), text.size());
            m_text += (first || everyLine ? prefix : "") + text.substr(from, end - from) + '\n';
            from = end + 1;
        }
    }

    const Version& m_v;
    std::string m_text;
    int m_others = 0;
};

const RecompiledFunction* functionOf(const LogReport& r, std::string_view name) {
    const auto at = std::find_if(r.recompiles.begin(), r.recompiles.end(),
                                 [&](const RecompiledFunction& f) { return f.name == name; });
    return at == r.recompiles.end() ? nullptr : &*at;
}

class TorchVersions : public ::testing::TestWithParam<Version> {
protected:
    static LogReport read(const Script& s) {
        LogReader reader(LogOptions{});
        reader.feed(s.text());
        return reader.finish();
    }
};

std::string nameOf(const ::testing::TestParamInfo<Version>& v) {
    std::string out = "torch_";
    for (const char c : std::string_view(v.param.name)) out += c == '.' || c == ' ' ? '_' : c;
    return out;
}

TEST_P(TorchVersions, SizeStormReachesItsLimit) {
    const Version& v = GetParam();
    Script s(v);
    const auto reason = [&](int expected, int actual) {
        return "tensor '" + s.source("x") + "' size mismatch at index 1. expected " +
               std::to_string(expected) + ", actual " + std::to_string(actual);
    };
    s.other("epoch 1");
    for (int i = 1; i <= 8; ++i) s.recompile(0, i, "pad", 5, reason(i + 2, i + 3));
    s.limit(0, "pad", 5, reason(10, 11));
    s.other("epoch 2");
    const LogReport r = read(s);
    EXPECT_TRUE(r.limitHit);
    EXPECT_TRUE(r.storm);
    EXPECT_EQ(r.limit, 8);
    EXPECT_EQ(r.unparsedLines, s.others());
    EXPECT_FALSE(r.incomplete);
    EXPECT_EQ(r.versionGuess, v.guess);
    ASSERT_EQ(r.recompiles.size(), 1u);
    const RecompiledFunction& f = r.recompiles[0];
    EXPECT_EQ(f.name, "pad");
    EXPECT_EQ(f.site, "/w/train.py:5");
    EXPECT_TRUE(f.limitHit);
    EXPECT_EQ(f.count, v.recompile == Recompile::none ? 0 : 8);
    ASSERT_EQ(f.causes.size(), 1u);
    EXPECT_EQ(f.causes[0].cause, Cause::dynamicShape);
    EXPECT_EQ(f.causes[0].dim, 1);
    EXPECT_EQ(f.causes[0].values.back(), "11");
}

TEST_P(TorchVersions, EachChangeHasItsCause) {
    const Version& v = GetParam();
    if (v.recompile == Recompile::none) return; // 2.0 logs no recompiles, so there is nothing to tell apart
    Script s(v);
    s.recompile(1, 1, "cast", 9,
                "tensor '" + s.source("x") + "' dtype mismatch. expected Float, actual Half");
    for (int i = 1; i <= 3; ++i) s.recompile(2, i, "power", 13, s.source("n") + " == " + std::to_string(i));
    s.recompile(3, 1, "scale", 17, s.source("s") + " == 0.25");
    s.recompile(4, 1, "step", 21, v.grad);
    for (int i = 1; i <= 2; ++i)
        s.recompile(5, i, "apply", 25,
                    "___check_obj_id(" + s.source("net") + ", 14000" + std::to_string(i) + ")");
    const LogReport r = read(s);
    EXPECT_EQ(r.recompileHeaders, 8);
    EXPECT_EQ(r.unparsedLines, 0);
    EXPECT_FALSE(r.limitHit);
    EXPECT_TRUE(r.breaks.empty());
    struct Want {
        const char* function;
        std::int64_t count;
        Cause cause;
    };
    for (const Want& want : {Want{"cast", 1, Cause::dtype}, Want{"power", 3, Cause::intSpecialization},
                             Want{"scale", 1, Cause::floatSpecialization}, Want{"step", 1, v.gradCause},
                             Want{"apply", 2, Cause::objectIdentity}}) {
        SCOPED_TRACE(want.function);
        const RecompiledFunction* f = functionOf(r, want.function);
        ASSERT_TRUE(f);
        EXPECT_EQ(f->count, want.count);
        ASSERT_EQ(f->causes.size(), 1u);
        EXPECT_EQ(info(f->causes[0].cause).name, info(want.cause).name);
        EXPECT_EQ(f->causes[0].count, want.count);
    }
    EXPECT_EQ(functionOf(r, "apply")->objects, 3);
    EXPECT_EQ(functionOf(r, "power")->causes[0].values, (std::vector<std::string>{"1", "2", "3"}));
}

TEST_P(TorchVersions, BreaksAreCountedWithTheirDuplicates) {
    const Version& v = GetParam();
    Script s(v);
    const auto item = [&](const std::string& id, bool again) {
        s.graphBreak(id, "norm", 30, "n = y.sum().item()", "Tensor.item", "Tensor.item", again);
    };
    item("6/0", false);
    s.other("loss 0.5");
    item("7/0", true);
    s.graphBreak("8/0", "show", 34, "print(y)", "builtin: print [<class 'str'>] False",
                 "Failed to trace builtin operator\n  Explanation: Dynamo does not know how to trace builtin "
                 "operator `print` with argument types ['str']");
    item("9/0", true);
    const LogReport r = read(s);
    EXPECT_EQ(r.unparsedLines, s.others());
    EXPECT_FALSE(r.incomplete);
    EXPECT_EQ(r.recompileHeaders, 0);
    EXPECT_EQ(r.breakOccurrences, v.duplicates ? 4 : 2);
    ASSERT_EQ(r.breaks.size(), 2u);
    const bool itemFirst = r.breaks[0].site == "/w/train.py:30";
    const GraphBreak& norm = r.breaks[itemFirst ? 0 : 1];
    const GraphBreak& show = r.breaks[itemFirst ? 1 : 0];
    if (v.prefix == Prefix::bare) {
        EXPECT_EQ(r.versionGuess, "2.0");
        EXPECT_EQ(r.dialect, "2.0");
    }
    EXPECT_EQ(norm.site, "/w/train.py:30");
    EXPECT_EQ(norm.function, "norm");
    EXPECT_EQ(norm.kind, "data-dependent");
    EXPECT_EQ(norm.code, "n = y.sum().item()");
    EXPECT_EQ(norm.count, v.duplicates ? 3 : 1);
    EXPECT_EQ(norm.suppressed, v.duplicates ? 2 : 0);
    EXPECT_EQ(show.site, "/w/train.py:34");
    EXPECT_EQ(show.kind, "print");
    EXPECT_FALSE(show.inFramework);
}

INSTANTIATE_TEST_SUITE_P(Texts, TorchVersions, ::testing::ValuesIn(kVersions), nameOf);

} // namespace
} // namespace divdet
