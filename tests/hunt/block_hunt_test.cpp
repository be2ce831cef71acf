// Hunts in live blocks: every fault planted among drifts is found, as pass, as op and as layer; pairs;
// stages.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "effort.h"
#include "host/twin_backend.h"
#include "lower/pass_info.h"
#include "session/hunt/find_stage.h"
#include "session/hunt/hunt_block.h"

namespace divdet {
namespace {

using hunt::Ending;

Session& session() {
    static const auto backends = [] {
        auto registry = std::make_shared<run::BackendRegistry>();
        registry->add(std::make_shared<host::TwinBackend>());
        return registry;
    }();
    static Session one(backends);
    return one;
}

BlockRequest small(const std::string& block) {
    BlockRequest r;
    r.block = block;
    r.eachAlone = false;
    if (block == "reduction" || block == "scatter-add") return r;
    r.dims["tokens"] = block == "lm" ? 64 : 16;
    if (block == "lm") return r;
    r.dims["width"] = 64;
    if (block != "linear" && block != "attention") r.dims["hidden"] = 128;
    return r;
}

block::BoundGraph bound(const BlockRequest& r) {
    return *block::bind(*blockGraph(r));
}

lower::PassChoice parsed(const std::string& text) {
    return *lower::parsePass(text);
}

/// Everything that is drift and fits, in the order of menus.
std::vector<lower::PassChoice> drifts(const block::BoundGraph& graph) {
    std::vector<lower::PassChoice> out;
    for (const auto& info : lower::passList())
        if (info.kind == lower::PassKind::drift)
            if (lower::PassChoice c = parsed(info.id); lower::checkFit(graph, c)) {
                if (info.varies) c.variant = "seed:1";
                out.push_back(c);
            }
    return out;
}

std::vector<std::string> namesOf(const BlockHunt& h) {
    std::vector<std::string> out;
    for (const auto& c : h.result.culprits)
        for (const std::size_t i : c.items) out.push_back(h.request.options.items[i]);
    return out;
}

BlockHunt huntIn(BlockHuntRequest request) {
    auto h = huntBlock(session(), request);
    EXPECT_TRUE(h.ok()) << h.error().text();
    return h ? *h : BlockHunt{};
}

constexpr const char* kBlocks[] = {"mlp",     "attention", "linear",    "transformer",
                                   "stack:4", "lm",        "reduction", "scatter-add"};

/// Twelve passes, one of them a bug: at most four runs of search, on every preset.
TEST(BlockHunt, EveryFaultAmongTwelvePassesIsFound) {
    const std::size_t blocks = test::effort<std::size_t>(std::size(kBlocks), 2);
    std::map<std::string, int> found;
    for (std::size_t b = 0; b < blocks; ++b) {
        const BlockRequest base = small(kBlocks[b]);
        const auto graph = bound(base);
        for (const auto& info : lower::passList()) {
            if (info.kind != lower::PassKind::bug) continue;
            lower::PassChoice fault = parsed(info.id);
            if (info.id == "dropped-tail") fault.variant = "tile:24"; // what divides no K here
            if (!lower::checkFit(graph, fault)) continue;
            if (info.varies) fault.variant = "seed:3";
            const bool crash = info.id == "crash";
            BlockHuntRequest request{base, Over::passes, {BadWhen::Kind::bug}, {}};
            if (crash) request.bad = {BadWhen::Kind::crash};
            request.block.passes = drifts(graph);
            while (request.block.passes.size() > 11) request.block.passes.pop_back();
            const std::size_t at = request.block.passes.size() / 3;
            request.block.passes.insert(request.block.passes.begin() + static_cast<std::ptrdiff_t>(at),
                                        fault);
            SCOPED_TRACE(std::string(kBlocks[b]) + " " + toString(fault));
            const BlockHunt h = huntIn(request);
            if (h.result.ending == Ending::nothingFails) continue; // it changes no bit here, or too little
            EXPECT_EQ(h.result.ending, Ending::found) << ::testing::PrintToString(h.result.story);
            EXPECT_EQ(namesOf(h), std::vector<std::string>{toString(fault)})
                << ::testing::PrintToString(h.result.story);
            EXPECT_LE(h.result.runs - h.result.checks, 4u) << ::testing::PrintToString(h.result.story);
            ++found[info.id];
        }
    }
    // No fault is one that the hunts never saw fail.
    for (const auto& info : lower::passList())
        EXPECT_TRUE(info.kind == lower::PassKind::drift || blocks < std::size(kBlocks) || found[info.id] > 0)
            << info.id;
}

TEST(BlockHunt, PairsNameTheOp) {
    BlockHuntRequest request{small("transformer"), Over::pairs, {}, {}};
    const auto ops = lower::fittingOps(bound(request.block), "wrong-accumulator", "bf16");
    ASSERT_GT(ops.size(), 3u);
    request.block.passes = {parsed("tf32"), parsed("reassociate"),
                            parsed("wrong-accumulator=bf16@" + ops[2])};
    BlockHunt h = huntIn(request);
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"wrong-accumulator=bf16@" + ops[2]});
    EXPECT_NE(h.commands.at(0).find("--pass wrong-accumulator=bf16@" + ops[2]), std::string::npos);
    EXPECT_EQ(h.commands.at(0).find("tf32"), std::string::npos);
    request.over = Over::ops;
    h = huntIn(request);
    EXPECT_EQ(namesOf(h), std::vector<std::string>{ops[2]});
}

TEST(BlockHunt, ASetOfItemsLeavesThosePassesAtThoseOps) {
    BlockRequest request = small("mlp");
    request.passes = {parsed("tf32"), parsed("reassociate=splitk:4@up"), parsed("gelu-tanh")};
    const auto texts = [&](Over over, const hunt::ItemSet& on) {
        std::string out;
        for (const auto& p : BlockItems::of(request, over)->passes(on)) out += toString(p) + ' ';
        return out;
    };
    const auto names = [&](Over over) { return BlockItems::of(request, over)->names(); };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(Over::passes), (Names{"tf32=rne", "reassociate=splitk:4@up", "gelu-tanh"}));
    EXPECT_EQ(texts(Over::passes, {true, false, true}), "tf32=rne gelu-tanh ");
    EXPECT_EQ(names(Over::pairs),
              (Names{"tf32=rne@up", "reassociate=splitk:4@up", "gelu-tanh@act", "tf32=rne@down"}));
    EXPECT_EQ(texts(Over::pairs, {false, true, false, true}), "tf32=rne@down reassociate=splitk:4@up ");
    EXPECT_EQ(names(Over::ops), (Names{"up", "act", "down"}));
    EXPECT_EQ(texts(Over::ops, {true, false, false}), "tf32=rne@up reassociate=splitk:4@up ");
    EXPECT_EQ(texts(Over::ops, {true, true, true}), "tf32=rne reassociate=splitk:4@up gelu-tanh ");
    EXPECT_EQ(names(Over::stages), (Names{"decompose", "lower"}));
    EXPECT_EQ(texts(Over::stages, {true, false}), "gelu-tanh ");
    EXPECT_EQ(texts(Over::stages, {false, false}), "");
}

TEST(BlockHunt, OneFaultyLayerOfSixteen) {
    BlockHuntRequest request{small("stack:16"), Over::layers, {}, {}};
    request.block.dims["width"] = 32;
    request.block.dims["hidden"] = 64;
    std::string ops;
    for (const auto& op : lower::fittingOps(bound(request.block), "wrong-accumulator", "bf16"))
        if (op.starts_with("layer11.")) ops += (ops.empty() ? "" : ",") + op;
    ASSERT_FALSE(ops.empty());
    request.block.passes = {parsed("tf32"), parsed("wrong-accumulator=bf16@" + ops)};
    const BlockHunt h = huntIn(request);
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"layer11"}) << ::testing::PrintToString(h.result.story);
    EXPECT_GE(h.request.options.items.size(), 16u);
    EXPECT_LE(h.result.runs - h.result.checks, 5u);
}

/// Two passes each of which stays within the tolerance while both together leave it.
TEST(BlockHunt, TwoThatAreHarmlessAloneAreFoundAsAPair) {
    const BlockRequest base = small("mlp");
    const auto needed = [&](const std::vector<std::string>& ids) {
        BlockRequest r = base;
        for (const auto& id : ids) r.passes.push_back(parsed(id));
        r.classify = false;
        const auto run = *runBlock(session(), r);
        return neededAtol(*run->together, {Rule::allclose, 1e-2, 1, false});
    };
    // On different ops, so that neither overrides the other.
    const std::string a = "wrong-accumulator=bf16@up", b = "wrong-accumulator=bf16@down";
    const double alone = std::max(needed({a, "reassociate"}), needed({b, "reassociate"}));
    const double both = needed({a, b, "reassociate"});
    ASSERT_GT(both, alone);
    BlockHuntRequest request{base, Over::passes, {BadWhen::Kind::verdict}, {}};
    request.block.tolerance = {Rule::allclose, 1e-2, (alone + both) / 2, false};
    for (const auto& id :
         {std::string("reassociate"), a, std::string("flush-to-zero"), std::string("fast-math"), b})
        request.block.passes.push_back(parsed(id));
    const BlockHunt h = huntIn(request);
    EXPECT_EQ(h.result.ending, Ending::found) << ::testing::PrintToString(h.result.story);
    EXPECT_EQ(namesOf(h), (std::vector<std::string>{a, b})) << ::testing::PrintToString(h.result.story);
    EXPECT_EQ(h.result.culprits.size(), 1u);
}

TEST(BlockHunt, ACrashIsHuntedAsACrash) {
    BlockHuntRequest request{small("mlp"), Over::passes, {}, {}};
    request.block.passes = {parsed("tf32"), parsed("wrong-accumulator=bf16"),
                            parsed("crash=unsupported@down")};
    BlockHunt h = huntIn(request);
    EXPECT_EQ(h.request.bad.kind, BadWhen::Kind::crash);
    EXPECT_EQ(h.result.failure, "crash: unsupported");
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"crash=unsupported@down"});
    request.block.passes.pop_back();
    h = huntIn(request);
    EXPECT_EQ(h.request.bad.kind, BadWhen::Kind::bug);
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"wrong-accumulator=bf16"});
}

/// NaN from one pass, wrong numbers from another: the hunt for NaN does not end at the wrong numbers.
TEST(BlockHunt, ANanIsNotTradedForWrongNumbers) {
    BlockHuntRequest request{small("attention"), Over::passes, {}, {}};
    request.block.passes = {parsed("masked-row-nan"), parsed("tf32"), parsed("wrong-accumulator=bf16")};
    const BlockHunt h = huntIn(request);
    EXPECT_EQ(h.result.failure, "non-finite");
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"masked-row-nan"});
}

TEST(BlockHunt, WhatVariesFromRunToRunIsRecognised) {
    BlockHuntRequest request{small("mlp"), Over::passes, {}, {}};
    request.block.dims = {{"tokens", 16}, {"width", 32}, {"hidden", 32}}; // few tiles: many runs hit none
    request.block.passes = {parsed("tf32"), parsed("race"), parsed("reassociate")};
    request.bad = {BadWhen::Kind::bug};
    request.options.repeat = 12;
    const BlockHunt h = huntIn(request);
    ASSERT_EQ(h.result.ending, Ending::found) << ::testing::PrintToString(h.result.story);
    EXPECT_FALSE(h.result.steady);
    EXPECT_EQ(namesOf(h), std::vector<std::string>{"race"});
    request.options.strict = true;
    EXPECT_EQ(huntIn(request).result.ending, Ending::unsteady);
}

TEST(BlockHunt, NothingFailsWhereThereIsOnlyDrift) {
    BlockHuntRequest request{small("mlp"), Over::passes, {}, {}};
    request.block.passes = {parsed("reassociate"), parsed("tf32")};
    EXPECT_EQ(huntIn(request).result.ending, Ending::nothingFails);
    request.block.tolerance = {Rule::allclose, 1e-7, 1e-9, false};
    const BlockHunt tight = huntIn(request);
    EXPECT_EQ(tight.request.bad.kind, BadWhen::Kind::verdict);
    EXPECT_TRUE(tight.result.more); // each of the two is enough
    request.block.passes.clear();
    EXPECT_EQ(huntBlock(session(), request).error().code, ErrorCode::usage);
    request.block.passes = {parsed("int8")};
    request.block.block = "scatter-add";
    request.block.dims.clear();
    EXPECT_FALSE(huntBlock(session(), request).ok());
}

TEST(BlockHunt, AFindingOrAMetricCanBeHunted) {
    BlockHuntRequest request{small("lm"), Over::passes, *parseBadWhen("finding:stale-match"), {}};
    request.block.passes = {parsed("tf32"), parsed("wrong-accumulator=bf16"), parsed("stale-buffer")};
    EXPECT_EQ(namesOf(huntIn(request)), std::vector<std::string>{"stale-buffer"});
    request.bad = *parseBadWhen("metric");
    request.block.metric.limits.minTop1 = 0.9;
    request.block.passes = {parsed("tf32"), parsed("swapped-weight")};
    EXPECT_EQ(namesOf(huntIn(request)), std::vector<std::string>{"swapped-weight"});
    EXPECT_EQ(parseBadWhen("wrong").error().code, ErrorCode::usage);
    EXPECT_EQ(parseBadWhen("finding:").error().code, ErrorCode::usage);
}

TEST(Stages, TheStageOfAFaultIsTheFirstThatDisagrees) {
    std::set<lower::Stage> seen;
    for (const char* block : {"attention", "mlp"}) {
        const auto graph = bound(small(block));
        for (const auto& info : lower::passList()) {
            if (info.kind != lower::PassKind::bug || info.id == "crash") continue;
            lower::PassChoice fault = parsed(info.id);
            if (info.varies) fault.variant = "seed:3";
            BlockRequest request = small(block);
            if (!lower::checkFit(graph, fault)) continue;
            request.passes = {parsed("tf32"), fault};
            SCOPED_TRACE(std::string(block) + " " + info.id);
            const auto r = findStage(session(), request, {});
            ASSERT_TRUE(r.ok()) << r.error().text();
            if (!r->first) continue; // too small to be seen here
            EXPECT_EQ(r->stages[*r->first].name, name(info.stage));
            EXPECT_TRUE(r->sure);
            EXPECT_FALSE(r->meaning.empty());
            seen.insert(info.stage);
        }
    }
    EXPECT_EQ(seen.size(), 4u);
}

TEST(Stages, ACrashIsPlacedToo) {
    BlockRequest request = small("mlp");
    request.passes = {parsed("crash"), parsed("gelu-tanh")};
    const auto r = *findStage(session(), request, {});
    EXPECT_EQ(r.bad.kind, BadWhen::Kind::crash);
    EXPECT_EQ(r.stages[*r.first].name, "lower");
    EXPECT_FALSE(r.stages[0].changed);
    EXPECT_TRUE(r.stages[1].changed);
    request.passes.clear();
    EXPECT_EQ(findStage(session(), request, {}).error().code, ErrorCode::usage);
}

} // namespace
} // namespace divdet
