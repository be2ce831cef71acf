// What a graph is guarded on, and which of it fails.
#include <gtest/gtest.h>

#include "logs/guard_reason.h"
#include "logs/guard_search.h"
#include "logs/guard_tree.h"
#include "logs/log_reader.h"
#include "shared_data.h"

namespace divdet {
namespace {

const Guard* find(const GuardTree& tree, std::string_view text) {
    for (const Guard& guard : tree.guards)
        if (guard.text.find(text) != std::string::npos) return &guard;
    return nullptr;
}

std::string line(std::string_view id, std::string_view artifact, std::string_view text) {
    return "V0101 10:00:00.000001 77 torch/_dynamo/x.py:1] [" + std::string(id) + "] [__" +
           std::string(artifact) + "] " + std::string(text) + '\n';
}

LogReport read(std::string_view text) {
    LogReader reader;
    reader.feed(text);
    return reader.finish();
}

constexpr std::string_view kTree =
    "GUARDS:\n"
    "\n"
    "TREE_GUARD_MANAGER:\n"
    "+- RootGuardManager\n"
    "| +- GLOBAL_STATE: ___check_global_state() against {\"allow_tf32\":false}\n"
    "| +- DEFAULT_DEVICE: utils_device.CURRENT_DEVICE == None     # _dynamo/output_graph.py:493 in init\n"
    "| +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(key='x', framelocals_idx=0), "
    "type=<class 'torch.Tensor'>, tag_safe=(False, False)\n"
    "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, "
    "requires_grad=False, size=[4], stride=[1])  # y = x * 2  # doubles  # net.py:7 in forward\n"
    "| | +- NO_TENSOR_ALIASING\n"
    "| +- DictGuardManager: source=L['d'], accessed_by=DictGetItemGuardAccessor('d')\n"
    "| | +- KeyValueManager pair at index=0\n"
    "| | | +- KeyManager: GuardManager: source=list(dict.keys(L['d']))[0]\n"
    "| | | | +- EQUALS_MATCH: list(dict.keys(L['d']))[0] == 'a: b'\n"
    "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # if x.shape[0] > 1:  # net.py:8 in forward (HINT: dynamic)\n"
    "\n"
    "Guard eval latency = 50.65 us\n";

TEST(GuardTree, ReadsManagersAndWhatTheyLeadTo) {
    const GuardTree tree = parseGuardTree(kTree);
    ASSERT_EQ(tree.guards.size(), 11u);
    const auto& g = tree.guards;
    EXPECT_EQ(g[0].kind, "RootGuardManager");
    EXPECT_EQ(g[0].depth, 0);
    EXPECT_FALSE(g[0].check);
    EXPECT_EQ(g[1].kind, "GLOBAL_STATE");
    EXPECT_EQ(g[1].depth, 1);
    EXPECT_TRUE(g[1].check);
    EXPECT_EQ(g[2].text, "utils_device.CURRENT_DEVICE == None");
    EXPECT_EQ(g[2].place, "_dynamo/output_graph.py:493 in init");
    EXPECT_EQ(g[2].code, "");
    EXPECT_EQ(g[3].kind, "GuardManager");
    EXPECT_EQ(g[3].text, "L['x']");
    EXPECT_EQ(g[3].access, "accessed_by=FrameLocalsGuardAccessor(key='x', framelocals_idx=0), type=<class "
                           "'torch.Tensor'>, tag_safe=(False, False)");
    EXPECT_EQ(g[4].depth, 2);
    EXPECT_EQ(g[4].code, "y = x * 2  # doubles");
    EXPECT_EQ(g[4].place, "net.py:7 in forward");
    EXPECT_EQ(g[5].kind, "NO_TENSOR_ALIASING"); // once more: the one that is checked stands elsewhere
    EXPECT_FALSE(g[5].check);
    EXPECT_EQ(g[7].kind, "KeyValueManager pair at index=0");
    EXPECT_EQ(g[8].kind, "KeyManager: GuardManager");
    EXPECT_EQ(g[8].text, "list(dict.keys(L['d']))[0]");
    EXPECT_EQ(g[9].depth, 4);
    EXPECT_EQ(g[9].text, "list(dict.keys(L['d']))[0] == 'a: b'");
    EXPECT_EQ(g[10].depth, 0);
    EXPECT_EQ(g[10].text, "2 <= L['x'].size()[0]");
    EXPECT_EQ(tree.evalMicroseconds, 50.65);
}

TEST(GuardTree, CountsWhatIsCheckedAsTheRecordDoes) {
    std::int64_t counted = 0, checks = 0;
    for (std::string_view rest = kTree; !rest.empty();) {
        const auto end = rest.find('\n');
        counted += guardLine(rest.substr(0, end)) == GuardLine::inTree;
        rest.remove_prefix(end + 1);
    }
    for (const Guard& guard : parseGuardTree(kTree).guards) checks += guard.check;
    EXPECT_EQ(counted, 5);
    EXPECT_EQ(checks, counted);
}

TEST(GuardTree, ReadsTheFormsOfOlderTorch) {
    const GuardTree flat = parseGuardTree("GUARDS:\n"
                                          "hasattr(L['x'], 'a') == False           # net.py:3 in f\n"
                                          "check_tensor(L['x'], Tensor, torch.float32)\n");
    ASSERT_EQ(flat.guards.size(), 2u);
    EXPECT_EQ(flat.guards[0].text, "hasattr(L['x'], 'a') == False");
    EXPECT_EQ(flat.guards[0].place, "net.py:3 in f");
    EXPECT_TRUE(flat.guards[1].check);
    EXPECT_EQ(flat.guards[1].depth, 0);
    // 2.0 prints objects.
    const std::string named = "GUARDS:\n - \n            local 'x' TENSOR_MATCH\n            {\n"
                              "                'guard_types': ['TENSOR_MATCH'],\n"
                              "                'code': None,\n                'obj_weakref': <weakref>\n"
                              "                'guarded_class': <weakref>\n            }\n";
    const GuardTree objects = parseGuardTree(named);
    ASSERT_EQ(objects.guards.size(), 1u);
    EXPECT_EQ(objects.guards[0].kind, "TENSOR_MATCH");
    EXPECT_EQ(objects.guards[0].text, "x");
    EXPECT_EQ(guardIdentities(objects.guards[0]).at(0),
              guardIdentity("tensor 'x' rank mismatch. expected 2, actual 3"));
    const GuardTree code = parseGuardTree("            local 'n' CONSTANT_MATCH\n            {\n"
                                          "                'code': ['n == 3'],\n"
                                          "                'guarded_class': None\n            }\n");
    ASSERT_EQ(code.guards.size(), 1u);
    EXPECT_EQ(code.guards[0].text, "n == 3");
    EXPECT_EQ(code.guards[0].access, "'guarded_class': None");
    const GuardTree round =
        parseGuardTree("+- RootGuardManager\n| +- GuardManager(source = L['x'], accessor = GetItem(x))\n");
    ASSERT_EQ(round.guards.size(), 2u);
    EXPECT_EQ(round.guards[1].text, "L['x']");
    EXPECT_EQ(round.guards[1].access, "accessor = GetItem(x)");
}

/// Guards of sizes are printed before the tree that holds them, as a list or as code.
TEST(GuardTree, HasWhatIsListedOnce) {
    const std::string tree = "GUARDS:\n2 <= L['x'].size()[0]          # net.py:8 in f\nPython shape guard "
                             "function:\ndef ___make_guard_fn(a):\n    return a\n\n"
                             "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- TYPE_MATCH: check(L['x'])\n"
                             "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]  # net.py:8 in f\n";
    const GuardTree once = parseGuardTree(tree);
    ASSERT_EQ(once.guards.size(), 3u);
    EXPECT_EQ(once.guards[0].kind, "RootGuardManager");
    EXPECT_EQ(once.guards[2].kind, "LAMBDA_GUARD");
    std::string log;
    for (std::string_view rest = tree; !rest.empty();) {
        const auto end = rest.find('\n');
        log += line("0/0", "guards", rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    EXPECT_EQ(read(log).guards, 2);
}

TEST(GuardTree, IsNeverDeeperThanAChildOfTheLineAbove) {
    const GuardTree tree = parseGuardTree("| | | +- TYPE_MATCH: ___check_type_id(L['x'], 7)\n"
                                          "| | | | | +- ID_MATCH: ___check_obj_id(L['x'], 8)\n");
    ASSERT_EQ(tree.guards.size(), 2u);
    EXPECT_EQ(tree.guards[0].depth, 0);
    EXPECT_EQ(tree.guards[1].depth, 1);
}

TEST(GuardIdentity, OfAReasonIsThatOfTheGuardItNames) {
    const auto same = [](std::string_view reason, std::string_view line) {
        const GuardTree tree = parseGuardTree(line);
        ASSERT_EQ(tree.guards.size(), 1u);
        const auto all = guardIdentities(tree.guards[0]);
        EXPECT_NE(std::find(all.begin(), all.end(), guardIdentity(reason)), all.end()) << reason;
    };
    constexpr std::string_view tensor = "+- TENSOR_MATCH: check_tensor(L['x'], Tensor, size=[4])";
    same("0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 5", tensor);
    same("tensor 'x' stride mismatch at index 0. expected 4, actual 5  # net.py:4 in f", tensor);
    same("tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU), actual DispatchKeySet(CUDA)",
         tensor);
    same("expected type of 'L['x']' to be a tensor type, ' but found <class 'NoneType'>", tensor);
    same("GLOBAL_STATE changed: grad_mode ", "+- GLOBAL_STATE: ___check_global_state()");
    same("___check_global_state()", "+- GLOBAL_STATE: ___check_global_state() against {\"a\":0}");
    same("1/2: L['n'] == 3  # return x * n  # net.py:4 in f",
         "+- EQUALS_MATCH: L['n'] == 3  # net.py:4 in f");
    same("n == 3", "+- EQUALS_MATCH: L['n'] == 3");
    same("___check_obj_id(L['m'], 140), type=<class 'Net'>", "+- ID_MATCH: ___check_obj_id(L['m'], 140)");
    same("2 <= L['x'].size()[0]", "2 <= L['x'].size()[0]    # (ranges)");
    same("Duplicate tensor found where not expected! L['y'] should not alias to anything, but is aliased",
         "+- NO_TENSOR_ALIASING: check_no_aliasing(L['x'], L['y'])");
    same("0/0: Duplicate tensors found: [\"a\", \"b\"]",
         "+- NO_TENSOR_ALIASING: check_no_aliasing(L['a'], L['b'])");
    same("11/0: len(d) != 1", "+- DictGuardManager: source=L['d'], accessed_by=F('d')");
    same("len(xs) == 3", "+- LENGTH_CHECK: len(L['xs']) == 3");
    same("Cache line invalidated because L['mod'] got deallocated",
         "+- ID_MATCH: ___check_obj_id(L['mod'], 139), type=Linear(in_features=4)");
    same("KeyError on L['d']['b']", "+- GuardManager: source=L['d']['b'], accessed_by=D('b')");
    EXPECT_NE(guardIdentity("L['n'] == 3"), guardIdentity("L['n'] == 4"));
    EXPECT_NE(guardIdentity("tensor 'x' rank mismatch. expected 2, actual 3"),
              guardIdentity("tensor 'y' rank mismatch. expected 2, actual 3"));
    EXPECT_EQ(guardIdentity(std::string(1 << 20, 'x')).size(), 1000u);
}

std::string guardsOf(std::string_view id, int n) {
    return line(id, "guards", "GUARDS:") + line(id, "guards", "TREE_GUARD_MANAGER:") +
           line(id, "guards", "+- RootGuardManager") +
           line(id, "guards", "| +- TENSOR_MATCH: check_tensor(L['x'], Tensor, size=[4])") +
           line(id, "guards", "| +- EQUALS_MATCH: L['n'] == " + std::to_string(n));
}

std::string recompile(std::string_view id, const std::vector<std::string>& reasons) {
    std::string out = line(id, "recompiles", "Recompiling function f in /w/net.py:3") +
                      line(id, "recompiles", "    triggered by the following guard failure(s):");
    for (const std::string& reason : reasons) out += line(id, "recompiles", "    - " + reason);
    return out;
}

TEST(GuardFailures, AreCountedPerGraphThatTheReasonNames) {
    const auto r = read(guardsOf("0/0", 1) + recompile("0/1", {"0/0: L['n'] == 1"}) + guardsOf("0/1", 2) +
                        recompile("0/2", {"0/1: L['n'] == 2", "0/0: L['n'] == 1"}) + guardsOf("0/2", 3));
    ASSERT_EQ(r.graphs.size(), 3u);
    const auto failures = [&](std::size_t graph) { return find(r.graphs[graph].tree, "L['n']")->failures; };
    EXPECT_EQ(failures(0), 2);
    EXPECT_EQ(failures(1), 1);
    EXPECT_EQ(failures(2), 0);
    EXPECT_EQ(r.graphs[0].rejected, 2);
    EXPECT_EQ(r.graphs[2].rejected, 0);
    EXPECT_EQ(find(r.graphs[0].tree, "check_tensor")->failures, 0);
    EXPECT_EQ(find(r.graphs[0].tree, "L['n']")->fixes,
              std::vector<std::string>{r.recompiles.at(0).causes.at(0).fixText});
    EXPECT_TRUE(find(r.graphs[2].tree, "L['n']")->fixes.empty());
}

TEST(GuardFailures, AreTheFunctionsWhereTheReasonNamesNoGraph) {
    const auto r = read(guardsOf("0/0", 1) +
                        recompile("0/1", {"tensor 'L['x']' size mismatch at index 0. expected 4, actual 5"}) +
                        guardsOf("0/1", 1) + guardsOf("1/0", 1));
    ASSERT_EQ(r.graphs.size(), 3u);
    EXPECT_EQ(find(r.graphs[0].tree, "check_tensor")->failures, 1);
    EXPECT_EQ(find(r.graphs[1].tree, "check_tensor")->failures, 0); // came behind all of it
    EXPECT_EQ(r.notes, std::vector<std::string>{"guards-of-function"});
    EXPECT_EQ(find(r.graphs[2].tree, "check_tensor")->failures, 0); // another function
    EXPECT_EQ(r.graphs[0].rejected, 0);
}

TEST(GuardFailures, OfALocalAreNotThoseOfAGlobal) {
    const std::string tree = line("0/0", "guards", "GUARDS:") +
                             line("0/0", "guards", "+- EQUALS_MATCH: L['n'] == 3") +
                             line("0/0", "guards", "+- EQUALS_MATCH: G['n'] == 3") +
                             line("0/0", "guards", "+- TENSOR_MATCH: check_tensor(L['x'], Tensor)") +
                             line("0/0", "guards", "+- TENSOR_MATCH: check_tensor(G['x'], Tensor)");
    const auto failures = [&](const char* reason) {
        const auto r = read(tree + recompile("0/1", {std::string("0/0: ") + reason}));
        std::string out;
        for (const Guard& guard : r.graphs.at(0).tree.guards) out += std::to_string(guard.failures);
        return out;
    };
    EXPECT_EQ(failures("L['n'] == 3"), "1000");
    EXPECT_EQ(failures("n == 3"), "1000");
    EXPECT_EQ(failures("G['n'] == 3"), "0100");
    EXPECT_EQ(failures("tensor 'x' rank mismatch. expected 2, actual 3"), "0010");
    EXPECT_EQ(failures("tensor 'G['x']' rank mismatch. expected 2, actual 3"), "0001");
}

TEST(GuardTree, ReadsTextsThatLookLikeItsOwnSigns) {
    const GuardTree tree =
        parseGuardTree("+- EQUALS_MATCH: L['s'] == 'a  # b, c'  # return d  # net.py:4 in f\n"
                       "+- TENSOR_MATCH: check_tensor(L['d']['a, b'], Tensor)\n");
    EXPECT_EQ(tree.guards.at(0).text, "L['s'] == 'a  # b, c'");
    EXPECT_EQ(tree.guards[0].code, "return d");
    EXPECT_EQ(guardIdentities(tree.guards.at(1)).at(0),
              guardIdentity("tensor 'L['d']['a, b']' size mismatch at index 0. expected 4, actual 5"));
    EXPECT_EQ(parseGuardReason("0/0: L['s'] == 'a  # b'  # return d").values,
              std::vector<std::string>{"'a  # b'"});
}

/// With verbose reasons every failing guard of a graph is listed, some for several properties.
TEST(GuardFailures, OneRecompileCountsOnceForAGuard) {
    const auto r = read(guardsOf("0/0", 1) +
                        recompile("0/1", {"0/0: tensor 'x' dtype mismatch. expected Float, actual Half",
                                          "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"}));
    EXPECT_EQ(find(r.graphs.at(0).tree, "check_tensor")->failures, 1);
    EXPECT_EQ(r.graphs[0].rejected, 1);
}

TEST(GuardFailures, ComeWithTheFixOfWhatHappensMostFirst) {
    const auto r = read(guardsOf("0/0", 1) +
                        recompile("0/1", {"0/0: tensor 'x' dtype mismatch. expected Float, actual Half"}) +
                        recompile("0/2", {"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"}) +
                        recompile("0/3", {"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6"}));
    const Guard* guard = find(r.graphs.at(0).tree, "check_tensor");
    EXPECT_EQ(guard->failures, 3);
    ASSERT_EQ(guard->fixes.size(), 2u);
    EXPECT_EQ(guard->fixes[0], "mark_dynamic(x, 0), or pad to a few sizes; seen: 4, 5, 6");
}

TEST(GuardSearch, ShowsHitsAndWhatTheyStandBelow) {
    const GuardTree tree = parseGuardTree(kTree);
    const auto shown = [&](GuardSearch search) {
        const GuardHits found = searchGuards(tree, search);
        std::string out = std::to_string(found.hits) + ":";
        for (std::size_t i = 0; i < tree.guards.size(); ++i)
            if (found.shown[i]) out += ' ' + std::to_string(i);
        return out;
    };
    EXPECT_EQ(shown({}), "11: 0 1 2 3 4 5 6 7 8 9 10");
    EXPECT_EQ(shown({"DOUBLES", false}), "1: 0 3 4");
    EXPECT_EQ(shown({"l['x']", false}), "3: 0 3 4 10");
    EXPECT_EQ(shown({"'a: b'", false}), "1: 0 6 7 8 9");
    EXPECT_EQ(shown({"a: b' or size", false}), "0:");
    EXPECT_EQ(shown({"output_graph.py", false}), "1: 0 2");
    EXPECT_EQ(shown({"", true}), "0:");
    GuardTree failing = tree;
    failing.guards[9].failures = failing.guards[1].failures = 1;
    EXPECT_EQ(searchGuards(failing, {"", true}).shown, (std::vector<bool>{1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0}));
    EXPECT_EQ(searchGuards(failing, {"global", true}).hits, 1u);
}

TEST(GuardFailures, OfALimitCountWhereNoRecompileWasLogged) {
    const std::string limit = "W0101 10:00:00.000001 77 torch/_dynamo/c.py:1] [0/1] torch._dynamo hit "
                              "config.recompile_limit (1)\nW0101 10:00:00.000001 77 torch/_dynamo/c.py:1] "
                              "[0/1]    function: 'f' (/w/net.py:3)\nW0101 10:00:00.000001 77 "
                              "torch/_dynamo/c.py:1] [0/1]    last reason: 0/0: L['n'] == 1\n";
    EXPECT_EQ(find(read(guardsOf("0/0", 1) + limit).graphs.at(0).tree, "L['n']")->failures, 1);
    const auto both = read(guardsOf("0/0", 1) + recompile("0/1", {"0/0: L['n'] == 1"}) + limit);
    EXPECT_EQ(find(both.graphs.at(0).tree, "L['n']")->failures, 1);
}

/// 2.1 and 2.2 do not say of which graph a recompile is; what comes next and is a recompile is of it.
TEST(Graphs, OfAFirstCompileThatWasRestartedAreNotOfTheFunctionThatRecompiles) {
    const std::string v = "[2024-01-01 10:00:00,000] ";
    const std::string log =
        v + "torch._dynamo.guards.__recompiles: [DEBUG] Recompiling function attend in a.py:3\n" + v +
        "torch._dynamo.guards.__recompiles: [DEBUG]     - L['n'] == 3\n" + v +
        "[5/0_1] torch._dynamo.guards.__guards: [DEBUG] GUARDS:\n" + v +
        "[5/0_1] torch._dynamo.guards.__guards: [DEBUG] L['n'] == 3\n" + v +
        "[0/1] torch._dynamo.guards.__guards: [DEBUG] GUARDS:\n";
    const auto r = read(log);
    ASSERT_EQ(r.graphs.size(), 2u);
    EXPECT_EQ(r.graphs[0].function, "attend");
    EXPECT_EQ(r.graphs[1].id, "5/0");
    EXPECT_EQ(r.graphs[1].function, "");
    EXPECT_EQ(r.graphs[1].tree.guards.at(0).failures, 0);
}

/// Compile ids are counted anew by every process, and so in every file.
TEST(Graphs, OfFilesAndProcessesAreKeptApart) {
    const auto of = [](std::string text, const std::string& process, const std::string& function) {
        for (std::size_t at = 0; (at = text.find(" 77 ", at)) != std::string::npos;)
            text.replace(at, 4, " " + process + " ");
        for (std::size_t at = 0; (at = text.find("function f ", at)) != std::string::npos;)
            text.replace(at, 11, "function " + function + " ");
        return text;
    };
    const std::string two = recompile("0/1", {"0/0: L['n'] == 1"}) + recompile("0/2", {"0/1: L['n'] == 2"});
    const std::string a = of(guardsOf("0/0", 1) + two, "11", "alpha"),
                      b = of(guardsOf("0/0", 5) + two, "12", "beta");
    const auto check = [](const LogReport& r) {
        ASSERT_EQ(r.graphs.size(), 2u);
        EXPECT_EQ(r.graphs[0].function, "alpha");
        EXPECT_EQ(r.graphs[0].run, 1);
        EXPECT_EQ(find(r.graphs[0].tree, "L['n']")->failures, 1);
        EXPECT_EQ(r.graphs[1].function, "beta");
        EXPECT_EQ(r.graphs[1].run, 2);
        EXPECT_EQ(find(r.graphs[1].tree, "L['n']")->failures, 0); // L['n'] == 1 is none of its guards
        EXPECT_FALSE(r.storm);
    };
    check(read(a + b));
    LogReader files;
    files.feed(of(a, "11", "alpha"));
    files.endFile();
    files.feed(of(b, "11", "beta"));
    check(files.finish());
}

/// The limit is each process's own, and so is a storm.
TEST(Graphs, RecompilesOfRunsDoNotAddUpToAStorm) {
    const std::string two = recompile("0/1", {"0/0: L['n'] == 1"}) + recompile("0/2", {"0/1: L['n'] == 2"});
    LogReader files;
    for (int i = 0; i < 3; ++i) files.feed(two), files.endFile();
    const auto r = files.finish();
    EXPECT_EQ(r.recompiles.at(0).count, 6);
    EXPECT_FALSE(r.storm);
    EXPECT_TRUE(read(two + recompile("0/3", {"0/2: L['n'] == 3"})).storm);
}

TEST(Graphs, StandInTheOrderOfTheirIds) {
    const auto r = read(guardsOf("10/0", 1) + guardsOf("2/10", 1) + guardsOf("2/9", 1));
    ASSERT_EQ(r.graphs.size(), 3u);
    EXPECT_EQ(r.graphs[0].id, "2/9");
    EXPECT_EQ(r.graphs[1].id, "2/10");
    EXPECT_EQ(r.graphs[2].id, "10/0");
}

/// Compiled autograd puts a number of its own in front.
TEST(Graphs, OfCompiledAutogradAreKeptApart) {
    const auto r = read(recompile("!0/2/1", {"!0/2/0: L['n'] == 1"}) + guardsOf("!0/2/0", 1) +
                        guardsOf("!0/3/0", 1) + guardsOf("2/0", 1));
    ASSERT_EQ(r.graphs.size(), 3u);
    for (const CompiledGraph& g : r.graphs) {
        EXPECT_EQ(g.function, g.id == "!0/2/0" ? "f" : "") << g.id;
        EXPECT_EQ(g.rejected, g.id == "!0/2/0" ? 1 : 0) << g.id;
    }
}

TEST(Graphs, ThatAShortFormatDoesNotNameAreNumbered) {
    const std::string text =
        "GUARDS:\n\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == "
        "1\n";
    const auto r = read(text + text);
    ASSERT_EQ(r.graphs.size(), 2u);
    EXPECT_EQ(r.graphs[1].id, "#2");
    EXPECT_EQ(r.graphs[1].tree.guards.size(), 2u);
    EXPECT_EQ(r.unparsedLines, 0);
}

TEST(Graphs, OfTheLastAttemptAreTheOnesThatStand) {
    const auto r = read(guardsOf("0/0", 1) + guardsOf("0/0_1", 2));
    ASSERT_EQ(r.graphs.size(), 1u);
    EXPECT_NE(find(r.graphs[0].tree, "L['n'] == 2"), nullptr);
}

/// Logs of many runs, one behind the other, name the same graphs.
TEST(Graphs, OfALaterRunTakeThePlaceOfTheEarlier) {
    const std::string filler(1000, 'x');
    const auto run = [&](int number) {
        std::string out = line("0/0", "guards", "GUARDS:");
        for (int i = 0; i < 3000; ++i)
            out += line("0/0", "guards", "L['n'] == " + std::to_string(number) + "  # " + filler);
        return out;
    };
    const int runs = static_cast<int>(kMostGuardBytes / 3'000'000) + 2;
    std::string log;
    for (int i = 0; i < runs; ++i) log += run(i);
    const auto r = read(log);
    ASSERT_EQ(r.graphs.size(), 1u);
    EXPECT_TRUE(r.notes.empty());
    EXPECT_EQ(r.graphs[0].tree.guards.size(), 3000u);
    EXPECT_EQ(r.graphs[0].tree.guards[0].text, "L['n'] == " + std::to_string(runs - 1));
}

TEST(Graphs, BeyondWhatIsKeptAreCountedOnly) {
    std::string many = line("0/0", "guards", "GUARDS:");
    const std::string one = line("0/0", "guards", "x");
    const std::size_t most = kMostGuardBytes / sizeof(Guard);
    for (std::size_t i = 0; i < most; ++i) many += one;
    const auto r = read(many + guardsOf("1/0", 1));
    EXPECT_EQ(r.guards, static_cast<std::int64_t>(most) + 2);
    EXPECT_TRUE(r.graphs.at(0).tree.cut);
    EXPECT_TRUE(r.graphs[0].tree.guards.empty());
    EXPECT_EQ(r.graphs[0].guards, static_cast<std::int64_t>(most));
    EXPECT_EQ(r.graphs.at(1).tree.guards.size(), 3u); // there is room for others
    EXPECT_EQ(r.notes, std::vector<std::string>{"guards-cut"});
    EXPECT_FALSE(r.incomplete);
}

class RecordedGuards : public ::testing::TestWithParam<const char*> {};

/// Each reason of a real log names a guard of the tree of its graph.
TEST_P(RecordedGuards, EveryReasonFindsItsGuard) {
    const std::string file = GetParam();
    DIVDET_NEEDS_SHARED(file);
    const auto r = readLogs({sharedPath(file)}, {});
    ASSERT_TRUE(r.ok());
    std::map<std::string, std::int64_t> marked, named;
    std::int64_t checks = 0;
    for (const CompiledGraph& g : r->graphs)
        for (const Guard& guard : g.tree.guards) {
            checks += guard.check;
            if (guard.failures > 0) {
                EXPECT_FALSE(guard.fixes.empty());
                ++marked[g.function];
            }
        }
    EXPECT_GE(checks, 20);
    // Each cause of a function that recompiled is marked at one guard or more.
    for (const RecompiledFunction& f : r->recompiles)
        EXPECT_GE(marked[f.name], static_cast<std::int64_t>(f.causes.empty() ? 0 : 1)) << f.name;
    for (const CompiledGraph& g : r->graphs) {
        const bool any = std::any_of(g.tree.guards.begin(), g.tree.guards.end(),
                                     [](const Guard& guard) { return guard.failures > 0; });
        if (g.rejected > 0) {
            EXPECT_TRUE(any) << g.id << " was rejected, but no guard of it is marked";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Log, RecordedGuards,
                         ::testing::Values("data/torch/logs/2.1.2/all.txt", "data/torch/logs/2.2.2/all.txt",
                                           "data/torch/logs/2.6.0/all.txt", "data/torch/logs/2.15.0/all.txt",
                                           "data/torch/trace/2.6.0/mix", "data/torch/trace/2.15.0/mix",
                                           "data/torch/trace/2.6.0/storm", "data/torch/trace/2.15.0/storm"));

} // namespace
} // namespace divdet
