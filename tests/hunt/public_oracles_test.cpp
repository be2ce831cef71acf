// Case C12 of the public cases: oracles that tempt a reducer to end at another failure. A program there is a
// set of nodes; here it is a chain of as many ops, which the minimiser may leave out.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "host/twin_backend.h"
#include "make_tensor.h"
#include "session/hunt/minify_block.h"
#include "shared_data.h"

namespace divdet {
namespace {

using Names = std::vector<std::string>;
using nlohmann::json;

json jsonFile(const std::filesystem::path& path) {
    return json::parse(std::ifstream(path));
}

/// x, then one op of each name, one number wide, so that nothing but ops can become fewer.
hunt::Case chainOf(const Names& names) {
    block::Graph g;
    auto value = g.addInput("x", {1});
    g.values[value].data = test::f32({0});
    for (const auto& name : names) value = g.addOp(block::OpKind::relu, name, {value});
    g.markOutput(value);
    return {std::move(g), {*lower::parsePass("bf16")}};
}

Names namesOf(const hunt::Case& c) {
    Names out;
    for (const block::Op& op : c.graph.ops) out.push_back(c.graph.opName(op));
    return out;
}

/// Answers by the rules of a file; the first that fits.
class RulesOracle : public hunt::CaseOracle {
public:
    explicit RulesOracle(json file)
        : m_file(std::move(file))
        , m_live(session(), BlockRequest{}, Symptom{}) {}

    Result<hunt::Outcome> ask(const hunt::Case& c, const Progress&) override {
        const Names nodes = namesOf(c);
        if (!c.passes[0].ops.empty()) return hunt::Outcome{hunt::Answer::good, "", "another pass"};
        asked.push_back(nodes);
        for (json& rule : m_file["rules"])
            if (fits(rule, nodes)) return outcome(rule);
        return Error{ErrorCode::internal, "no rule fits", "", ""};
    }
    Result<run::Taps> record(const hunt::Case& c, const Progress& progress) override {
        return m_live.record(c, progress);
    }
    std::vector<Names> asked;

private:
    static Session& session() {
        static const auto backends = [] {
            auto registry = std::make_shared<run::BackendRegistry>();
            registry->add(std::make_shared<host::TwinBackend>());
            return registry;
        }();
        static Session one(backends);
        return one;
    }
    static bool fits(const json& rule, const Names& nodes) {
        const auto has = [&](const json& name) { return std::count(nodes.begin(), nodes.end(), name) > 0; };
        if (rule.contains("only"))
            return rule["only"].size() == nodes.size() &&
                   std::all_of(rule["only"].begin(), rule["only"].end(), has);
        if (rule.contains("if_has")) return std::all_of(rule["if_has"].begin(), rule["if_has"].end(), has);
        if (rule.contains("if_missing"))
            return !std::all_of(rule["if_missing"].begin(), rule["if_missing"].end(), has);
        return true;
    }
    hunt::Outcome outcome(json& rule) {
        std::string what;
        if (rule.contains("then_sequence"))
            what = rule["then_sequence"][m_turn++ % rule["then_sequence"].size()];
        else
            what = rule.contains("then") ? rule["then"] : rule["else"];
        if (what == "pass") return {hunt::Answer::good, "", what};
        // Without a reference that repeats itself there is nothing to be wrong against.
        if (!rule.value("reference_deterministic", true) && trustsFlags)
            return {hunt::Answer::unresolved, "", "the reference varies"};
        return {hunt::Answer::bad, what, what, rule.value("magnitude", 0.0)};
    }

    json m_file;
    LiveCaseOracle m_live;
    std::size_t m_turn = 0;

public:
    bool trustsFlags = true; ///< false: the size alone has to tell
};

struct Reduced {
    hunt::MinimiseResult result;
    std::vector<Names> asked;
};

Reduced reduced(const std::string& name, const Names& order, bool trustsFlags) {
    RulesOracle oracle(jsonFile(sharedPath("cases/C12") / (name + ".json")));
    oracle.trustsFlags = trustsFlags;
    auto r = hunt::minimise(oracle, chainOf(order), {});
    EXPECT_TRUE(r.ok()) << r.error().text();
    return {r ? std::move(*r) : hunt::MinimiseResult{}, oracle.asked};
}

Names sorted(Names names) {
    std::sort(names.begin(), names.end());
    return names;
}

const std::map<std::string, hunt::MinimiseEnding> kEndings{
    {"reduced", hunt::MinimiseEnding::reduced},
    {"does-not-reproduce", hunt::MinimiseEnding::notBad},
    {"not-reducible", hunt::MinimiseEnding::irreducible},
    {"flaky", hunt::MinimiseEnding::unsteady}};

void checkOne(const std::string& name, const json& expected, const Reduced& reduced) {
    const auto& [r, asked] = reduced;
    EXPECT_EQ(r.ending, kEndings.at(expected["outcome"])) << ::testing::PrintToString(r.story);
    if (expected.contains("final")) {
        EXPECT_EQ(json(sorted(namesOf(r.smallest))), expected["final"]) << ::testing::PrintToString(asked);
        EXPECT_EQ(r.after.failure, expected["final_class"]) << name;
    }
    if (r.ending == hunt::MinimiseEnding::reduced) {
        EXPECT_EQ(asked.back(), namesOf(r.smallest)); // checked once more
    }
}

/// In an order that offers the tempting program too: n7 alone comes before n5 alone.
TEST(PublicOracles, AreReducedOrToldAsExpected) {
    DIVDET_NEEDS_SHARED("cases/C12/case.json");
    const json about = jsonFile(sharedPath("cases/C12/case.json"));
    std::vector<json> checks{about};
    for (const json& c : about["more"]) checks.push_back(c);
    EXPECT_EQ(checks.size(), 5u);
    const std::vector<Names> orders{{"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"},
                                    {"n7", "n6", "n5", "n4", "n3", "n2", "n1", "n0"},
                                    {"n7", "n5", "n0", "n3", "n2", "n1", "n4", "n6"}};
    for (const json& check : checks) {
        const json& expected = check["expect"]["minify"];
        std::set<Names> tempted;
        for (const Names& order : orders)
            for (const bool trustsFlags : {true, false}) {
                SCOPED_TRACE(check["name"].get<std::string>() + " from " + order[0] + order[1]);
                const Reduced one = reduced(check["name"], order, trustsFlags);
                checkOne(check["name"], expected, one);
                tempted.insert(one.asked.begin(), one.asked.end());
            }
        for (const json& refused : expected.value("rejected", json::array()))
            EXPECT_TRUE(tempted.contains(refused.get<Names>())) << "the test offers no temptation";
    }
}

} // namespace
} // namespace divdet
