// `divdet minify` and `divdet repro`: each fault made small, its repro run by divdet and by python3 alone.
#include <algorithm>
#include <iostream>
#include <regex>
#include <set>

#include "cli/cli_fixture.h"
#include "shared_data.h"

namespace divdet {
namespace {

constexpr const char* kSmall = " --tokens 16 --width 64";

struct Fault {
    const char *block, *pass, *badWhen, *sizes;
    std::int64_t widest = 8; ///< extent of an output that the fault allows
};

/// Every fault of the table, with what it has to go on showing. dropped-tail: 24 divides no K here. A race
/// hits few tiles, and none at all of a small block; which one is drawn by its place, so that it stays there.
/// The assertion is one on 16 columns.
const Fault kFaults[] = {
    {"mlp", "wrong-accumulator=bf16", "finding:same-bits-as", ""},
    {"mlp", "wrong-accumulator=fp16", "finding:same-bits-as", kSmall},
    {"mlp", "split-k-bf16", "finding:same-bits-as", kSmall},
    {"mlp", "clip-calibration=weight", "finding:same-bits-as", kSmall},
    {"mlp", "clip-calibration=activation", "finding:same-bits-as", kSmall},
    {"mlp", "wrong-scale=channel:0", "finding:same-bits-as", kSmall},
    {"mlp", "dropped-tail=tile:24", "finding:beyond-bound", kSmall},
    {"attention", "double-scale", "finding:same-bits-as", kSmall},
    {"attention", "mask-off-by-one", "finding:same-bits-as", kSmall},
    {"attention", "masked-row-nan", "finding:same-bits-as", kSmall},
    {"attention", "swapped-weight", "finding:same-bits-as", kSmall},
    {"mlp", "fp16-overflow", "finding:same-bits-as", kSmall},
    {"mlp", "race=seed:3", "finding:beyond-bound", "", 80},
    {"mlp", "stale-buffer", "finding:stale-match", kSmall},
    {"mlp", "crash=unsupported", "crash", kSmall},
    {"mlp", "crash=assert", "crash", kSmall, 16},
};

class Minify : public CliFixture {
protected:
    std::string text(const std::filesystem::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// Exit code and output of the system's python3, which has numpy where there is one.
    std::pair<int, std::string> python(const std::filesystem::path& script) {
        const auto said = m_dir / "python.txt";
        const int status = std::system(
            ("/usr/bin/python3 '" + script.string() + "' > '" + said.string() + "' 2>&1").c_str());
        return {WEXITSTATUS(status), text(said)};
    }

    static bool hasNumpy() { return std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") == 0; }

    Output minify(const Fault& f, const std::string& more = "") {
        return divdet(std::string("minify ") + f.block + f.sizes + " --pass reassociate --pass " + f.pass +
                      " -o " + (m_dir / "out").string() + " --json - " + more);
    }
};

TEST_F(Minify, EveryFaultBecomesSmallAndStaysItself) {
    std::set<std::string> faults;
    const auto passes = divdet("passes --json -").json();
    for (const auto& p : passes["passes"])
        if (p["kind"] == "bug") faults.insert(p["id"].get<std::string>());
    for (const Fault& f : kFaults) {
        SCOPED_TRACE(std::string(f.block) + " " + f.pass);
        const std::string pass = f.pass;
        faults.erase(pass.substr(0, pass.find('=')));
        const auto o = minify(f);
        ASSERT_EQ(o.code, 0) << o.err << o.out;
        const auto j = o.json();
        EXPECT_EQ(j["ending"], "reduced");
        EXPECT_EQ(j["complete"], true);
        EXPECT_EQ(j["bad_when"], f.badWhen);
        EXPECT_EQ(j["after"]["failure"], j["before"]["failure"]);
        ASSERT_EQ(j["passes"].size(), 1u);
        EXPECT_EQ(j["passes"][0].get<std::string>().substr(0, pass.size()), pass);
        EXPECT_LE(j["runs"].get<int>(), 200);
        EXPECT_LE(j["size_after"]["ops"].get<int>(), 2);
        for (const auto& shape : j["size_after"]["output_shapes"])
            for (const auto& extent : shape) EXPECT_LE(extent.get<std::int64_t>(), f.widest);
        std::cout << f.block << ' ' << f.pass << ": " << j["runs"] << " runs, " << j["size_after"]["ops"]
                  << " op(s), out " << j["size_after"]["output_shapes"] << ", " << j["bad_when"] << ", "
                  << j["seconds"] << " s\n";

        const auto again = divdet("repro " + (m_dir / "out/repro.json").string() + " --json -");
        EXPECT_EQ(again.code, 1) << again.err << again.out;
        EXPECT_EQ(again.json()["reproduced"], true);
        EXPECT_EQ(again.json()["bad_when"], f.badWhen);
        EXPECT_NE(text(m_dir / "out/repro.md").find(pass), std::string::npos);
    }
    EXPECT_TRUE(faults.empty()) << ::testing::PrintToString(faults);
}

TEST_F(Minify, EveryScriptFailsWithItsPassAndPassesWithTheReferenceInItsPlace) {
    if (!hasNumpy()) GTEST_SKIP() << "no numpy for /usr/bin/python3";
    for (const Fault& f : kFaults) {
        SCOPED_TRACE(std::string(f.block) + " " + f.pass);
        const auto o = minify(f);
        ASSERT_EQ(o.code, 0) << o.err << o.out;
        const std::string script = text(m_dir / "out/repro.py"), pass = o.json()["passes"][0];
        const auto [code, said] = python(m_dir / "out/repro.py");
        EXPECT_EQ(code, 1) << said;
        EXPECT_NE(said.find("guilty pass: " + pass), std::string::npos) << said << script;
        EXPECT_EQ(script.find("divdet."), std::string::npos);
        EXPECT_LE(std::count(script.begin(), script.end(), '\n'), 35) << script;
        // up_faulty = …  # guilty: …   becomes   up_faulty = up
        std::string mended;
        const std::regex guilty("(\\w+)_faulty = .*# guilty: .*");
        mended = std::regex_replace(script, guilty, "$1_faulty = $1");
        ASSERT_NE(mended, script);
        std::ofstream(m_dir / "mended.py") << mended;
        const auto [fine, complaint] = python(m_dir / "mended.py");
        EXPECT_EQ(fine, 0) << complaint << mended;
    }
}

TEST_F(Minify, EndsAreToldApart) {
    auto o =
        divdet(std::string("minify mlp --pass tf32") + kSmall + " --rtol 1 -o " + (m_dir / "out").string());
    EXPECT_EQ(o.code, 1) << o.err;
    EXPECT_NE(o.out.find("NOTHING FAILS"), std::string::npos) << o.out;
    for (const char* hint : {"tolerance", "random", "hardware"})
        EXPECT_NE(o.out.find(hint), std::string::npos) << o.out;
    EXPECT_FALSE(std::filesystem::exists(m_dir / "out"));
    o = divdet(std::string("minify mlp --no-passes") + kSmall);
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(divdet("minify nonsense --pass tf32").code, 2);
    EXPECT_EQ(divdet(std::string("minify mlp --pass split-k-bf16 --bad-when metric") + kSmall).code, 2);
    EXPECT_EQ(divdet(std::string("minify mlp --pass split-k-bf16 --max-runs 0") + kSmall).code, 2);
    o = divdet(std::string("minify mlp --pass split-k-bf16 --max-runs 5 --json -") + kSmall);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["complete"], false);
    EXPECT_LE(o.json()["runs"].get<int>(), 5);
    o = divdet(std::string("minify mlp --pass split-k-bf16") + kSmall);
    EXPECT_NE(o.out.find("SMALLEST"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("-o DIR"), std::string::npos) << o.out;
    for (const char* topic : {"minify", "repro"}) EXPECT_EQ(divdet(std::string("help ") + topic).code, 0);
}

TEST_F(Minify, AReproThatWasMendedIsNotReproduced) {
    ASSERT_EQ(minify(kFaults[2]).code, 0);
    const auto file = m_dir / "out/repro.json";
    const std::string good = text(file);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string changed = good;
        const auto at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        changed.replace(at, from.size(), to);
        std::ofstream(m_dir / "changed.json") << changed;
        return divdet("repro " + (m_dir / "changed.json").string());
    };
    auto o = with("\"passes\": [\"split-k-bf16\"]", "\"passes\": [\"reassociate\"]");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("NOT REPRODUCED"), std::string::npos) << o.out;
    o = with("\"failure\":\"accuracy\"", "\"failure\":\"non-finite\"");
    EXPECT_EQ(o.code, 3) << o.err;
    EXPECT_NE(o.out.find("another way"), std::string::npos) << o.out;
    o = with("\"graph\"", "\"grape\"");
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("changed.json"), std::string::npos) << o.err;
    EXPECT_EQ(divdet("repro " + (m_dir / "absent.json").string()).code, 2);
    EXPECT_EQ(divdet("repro " + file.string() + " --device nowhere").code, 2);
    EXPECT_EQ(divdet("repro " + file.string() + " --start-log " + file.string()).code, 2);
}

TEST_F(Minify, BundlesOfTorchThatLostTheirFailureAreTold) {
    DIVDET_NEEDS_SHARED("data/torch/minifier/truth.json");
    const auto root = sharedPath("data/torch/minifier");
    const std::pair<const char*, int> cases[] = {{"aot_accuracy", 1},
                                                 {"aot_compile_error", 1},
                                                 {"dynamo_accuracy_torch2.2.2", 1},
                                                 {"dynamo_runtime_error", 0},
                                                 {"aot_accuracy_torch2.2.2", 0}};
    for (const auto& [name, code] : cases) {
        SCOPED_TRACE(name);
        auto o = divdet("repro '" + (root / name).string() + "' --json -");
        EXPECT_EQ(o.code, code) << o.err;
        EXPECT_EQ(o.json()["answer"], code ? "same" : "lost");
        o = divdet("repro '" + (root / name).string() + "'");
        EXPECT_NE(o.out.find(code ? "SAME FAILURE" : "LOST"), std::string::npos) << o.out;
        EXPECT_NE(o.out.find("nothing was run"), std::string::npos);
        EXPECT_EQ(divdet("inspect '" + (root / name).string() + "'/run*/minifier/repro.py").code, 0);
    }
    EXPECT_EQ(divdet("repro '" + (root / "aot_accuracy").string() + "' --device cpu").code, 2);
    EXPECT_EQ(divdet("repro '" + m_dir.string() + "'").code, 2);
}

} // namespace
} // namespace divdet
