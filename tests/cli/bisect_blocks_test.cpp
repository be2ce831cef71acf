// What `divdet bisect` promises of live blocks and of a user's command, through the command line alone.
#include <algorithm>

#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using Names = std::vector<std::string>;
using nlohmann::json;

class BisectBlocks : public CliFixture {
protected:
    static std::string passes(const Names& names) {
        std::string out;
        for (const auto& name : names) out += " --pass " + name;
        return out;
    }

    json bisect(const std::string& block, const Names& names, const std::string& more = "") {
        const auto o = divdet("bisect " + block + passes(names) + " --json - " + more);
        EXPECT_EQ(o.code, 0) << block << passes(names) << '\n' << o.err << o.out;
        return o.json();
    }

    std::string script(const std::string& text) {
        const auto path = m_dir / "script.sh";
        std::ofstream(path) << text;
        return path.string();
    }
};

std::string sizesOf(const std::string& block) {
    if (block == "reduction" || block == "scatter-add") return "";
    if (block == "lm") return " --tokens 64";
    if (block == "linear" || block == "attention") return " --tokens 16 --width 64";
    return " --tokens 16 --width 64 --hidden 128";
}

/// Drift, more than twelve for each block; those that do not fit are left out.
const Names kDrift{"reassociate",
                   "fuse",
                   "tf32",
                   "bf16",
                   "fp16",
                   "int8",
                   "int4-weights",
                   "fp8",
                   "fast-math",
                   "gelu-tanh",
                   "flush-to-zero",
                   "atomics=seed:1",
                   "reassociate=pairwise",
                   "reassociate=splitk:4",
                   "reassociate=strided",
                   "reassociate=splitk:2",
                   "atomics=seed:2",
                   "reassociate=splitk:16",
                   "atomics=seed:3",
                   "atomics=seed:4"};

/// On, off, the culprit alone, everything else: four checks.
TEST_F(BisectBlocks, OneBugAmongTwelvePassesTakesFourRunsAndItsChecksOnEveryPreset) {
    const auto blocks = divdet("blocks --json -").json()["blocks"];
    EXPECT_EQ(blocks.size(), 8u);
    for (const auto& about : blocks) {
        std::string block = about["id"];
        if (block == "stack") block = "stack:4";
        const std::string sized = block + sizesOf(block);
        Names fitting;
        for (const auto& drift : kDrift)
            if (fitting.size() < 11 && divdet("run " + sized + " --pass " + drift).code != 2)
                fitting.push_back(drift);
        ASSERT_EQ(fitting.size(), 11u) << block;
        for (const char* bug : {"wrong-accumulator=bf16", "stale-buffer"})
            for (const std::ptrdiff_t at : {0, 4, 11}) {
                Names names = fitting;
                names.insert(names.begin() + at, bug);
                SCOPED_TRACE(block + passes(names));
                const json j = bisect(sized, names);
                ASSERT_EQ(j["culprits"].size(), 1u);
                EXPECT_EQ(j["culprits"][0]["items"], json::array({bug}));
                EXPECT_LE(j["checks"].get<int>(), 4);
                EXPECT_LE(j["runs"].get<int>() - j["checks"].get<int>(), 4) << j["story"];
            }
    }
}

/// The tolerance lies between what each of them needs and what both need.
TEST_F(BisectBlocks, TwoThatAreHarmlessAloneAreFoundAsAPair) {
    const std::string mlp = "mlp --tokens 16 --width 64 --hidden 128";
    const std::string a = "wrong-accumulator=bf16@up", b = "wrong-accumulator=bf16@down";
    const auto needed = [&](const Names& names) {
        const auto j = divdet("run " + mlp + passes(names) + " --rtol 1e-2 --json -").json();
        double most = 0;
        for (const auto& t : j["tensors"])
            if (t["judged"] == true) most = std::max(most, t["needed"]["atol_at_rtol"].get<double>());
        return most;
    };
    const double alone = std::max(needed({a, "reassociate"}), needed({b, "reassociate"}));
    const double both = needed({a, b, "reassociate"});
    ASSERT_GT(both, alone);
    const std::string tolerance =
        " --bad-when verdict --rtol 1e-2 --atol " + std::to_string((alone + both) / 2);
    const json j = bisect(mlp, {"reassociate", a, "flush-to-zero", "fast-math", b}, tolerance);
    ASSERT_EQ(j["culprits"].size(), 1u);
    EXPECT_EQ(j["culprits"][0]["items"], json::array({a, b})) << j["story"];
}

TEST_F(BisectBlocks, APassAndItsOpAreNamed) {
    const std::string transformer = "transformer --tokens 16 --width 64 --hidden 128";
    for (const char* op : {"attn.k", "mlp.down"}) {
        const std::string fault = std::string("wrong-accumulator=bf16@") + op;
        json j = bisect(transformer, {"tf32", "reassociate", fault}, "--over pairs");
        EXPECT_EQ(j["culprits"][0]["items"], json::array({fault})) << j["story"];
        j = bisect(transformer, {"tf32", "reassociate", fault}, "--over ops");
        EXPECT_EQ(j["culprits"][0]["items"], json::array({op})) << j["story"];
    }
}

TEST_F(BisectBlocks, OneFaultyLayerOfSixteen) {
    const std::string stack = "stack:16 --tokens 16 --width 32 --hidden 64";
    for (const char* layer : {"layer0", "layer11", "layer15"}) {
        const std::string fault = std::string("wrong-accumulator=bf16@") + layer + ".mlp.up";
        const json j = bisect(stack, {"tf32", fault}, "--over layers");
        EXPECT_EQ(j["culprits"][0]["items"], json::array({layer})) << j["story"];
        EXPECT_LE(j["runs"].get<int>() - j["checks"].get<int>(), 5) << j["story"]; // 17: the head too
    }
}

/// An exception that has nothing to do with the failure, wherever item 6 is on without item 5.
TEST_F(BisectBlocks, ATracebackIsUnresolved) {
    std::string items;
    for (int i = 0; i < 12; ++i) items += "item" + std::to_string(i) + "\n";
    std::ofstream(m_dir / "items.txt") << items;
    const std::string sh =
        script("case ,$DIVDET_ENABLED, in\n"
               " *,item5,item6,*) ;;\n"
               " *,item6,*) printf 'Traceback (most recent call last):\\n  File \"a\", line 1\\n"
               "KeyError: 5\\n' >&2; exit 1;;\nesac\n"
               "case ,$DIVDET_ENABLED, in *,item8,*) exit 1;; esac\n");
    const std::string hunt =
        "bisect --items " + (m_dir / "items.txt").string() + " --cmd 'sh " + sh + "' --json -";
    auto o = divdet(hunt);
    EXPECT_EQ(o.code, 0) << o.err << o.out;
    EXPECT_EQ(o.json()["culprits"][0]["items"], json::array({"item8"})) << o.json()["story"];
    const std::string story = o.json()["story"].dump();
    EXPECT_NE(story.find("unresolved"), std::string::npos) << story;
    EXPECT_NE(story.find("KeyError"), std::string::npos) << story;
    // Nothing but tracebacks is no answer at all; named as the failure it is one.
    script(
        "printf 'Traceback (most recent call last):\\n  File \"a\", line 1\\nKeyError: 5\\n' >&2; exit 1\n");
    EXPECT_EQ(divdet(hunt).code, 3);
    script("case ,$DIVDET_ENABLED, in *,item3,*) printf 'Traceback (most recent call last):\\nKeyError: "
           "5\\n' >&2; "
           "exit 1;; esac\n");
    o = divdet(hunt + " --fail-regex '^KeyError'");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["culprits"][0]["items"], json::array({"item3"}));
}

} // namespace
} // namespace divdet
