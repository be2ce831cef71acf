#include "lower/stages.h"

#include <cstring>

#include <fmt/format.h>

#include "core/lower/passes/pass_run.h"
#include "numerics/half_written.h"

namespace divdet {
namespace {

using lower::Stage;
using test::Floats;
using test::PassRun;

constexpr Stage kStages[] = {Stage::capture, Stage::decompose, Stage::lower, Stage::replay};

/// A race that spoils the first tile of every product.
std::uint64_t seedThatHits() {
    std::uint64_t seed = 0;
    while (!numerics::halfWritten(seed, 0, 0, 40).hit) ++seed;
    return seed;
}

class Stages : public testing::Test {
protected:
    Stages()
        : r(*block::preset("transformer", {.norm = "layer", .activation = "", .layers = {}}),
            {{"tokens", 20}, {"width", 40}, {"heads", 2}, {"hidden", 24}, {"vocab", 18}}) {}

    run::Taps after(Stage stage, const PassRun::Passes& passes) {
        const auto program = lower::programAfter(stage, r.block, PassRun::choices(passes));
        EXPECT_TRUE(program.ok()) << program.error().text();
        const run::Target target{r.twin, r.device};
        if (stage != Stage::replay) return *run::execute(*program, r.inputs, target);
        const auto previous = *run::otherInputs(r.block, r.inputs, r.seed);
        return *run::replay(*program, run::planMemory(*program), previous, r.inputs, target);
    }
    static bool sameBits(const run::Taps& a, const run::Taps& b) {
        for (const run::Tap& t : a.taps) {
            const run::Tap* other = b.find(t.name);
            if (!other) continue; // fused away
            const auto bytes = static_cast<std::size_t>(t.tensor.elements()) * itemSize(t.tensor.dtype());
            if (t.tensor.dtype() != other->tensor.dtype() ||
                std::memcmp(t.tensor.view().data, other->tensor.view().data, bytes) != 0)
                return false;
        }
        return true;
    }
    /// The first stage whose program gives other bits than the block as written.
    std::string firstToDiffer(const PassRun::Passes& passes) {
        const auto reference = *run::reference32(r.block, r.inputs, {r.twin, r.device});
        for (const Stage stage : kStages)
            if (!sameBits(reference, after(stage, passes))) return std::string(name(stage));
        return "none";
    }

    PassRun r;
};

TEST_F(Stages, WithoutPassesEveryStageGivesTheSameBits) {
    EXPECT_EQ(firstToDiffer({}), "none");
}

TEST_F(Stages, TheFirstToDifferIsThePasssOwn) {
    int tried = 0;
    for (const auto& info : lower::passList()) {
        if (info.id == "crash") continue;         // gives no bits
        if (info.id == "flush-to-zero") continue; // nothing here is subnormal
        std::string pass = info.id;
        if (pass == "dropped-tail") pass += "=tile:48";
        if (pass == "race") pass += fmt::format("=seed:{}", seedThatHits());
        EXPECT_EQ(firstToDiffer({pass}), name(info.stage)) << pass;
        ++tried;
    }
    EXPECT_GE(tried, 22);
}

TEST_F(Stages, AFaultAmongHonestPassesOfLaterStagesIsFoundFirst) {
    EXPECT_EQ(firstToDiffer({"int8", "reassociate", "swapped-weight"}), "capture");
    EXPECT_EQ(firstToDiffer({"int8", "reassociate", "double-scale"}), "decompose");
    EXPECT_EQ(firstToDiffer({"int8", "reassociate"}), "lower");
}

TEST_F(Stages, AreFunctionsOfTheirInputAlone) {
    const auto choices = PassRun::choices({"swapped-weight", "mask-off-by-one", "double-scale", "tf32"});
    const auto captured = lower::captured(r.block, choices);
    EXPECT_FALSE(block::sameGraph(captured.graph, r.block.graph));
    const auto decomposed = lower::decomposed(captured, choices);
    EXPECT_FALSE(block::sameGraph(captured.graph, decomposed.graph));
    const auto step = *run::execute(lower::lowered(decomposed, choices), r.inputs, {r.twin, r.device});
    EXPECT_TRUE(sameBits(step, r.run({"swapped-weight", "mask-off-by-one", "double-scale", "tf32"})));
    // Values, and so taps and inputs, are those of the graph as written.
    for (const auto* g : {&captured.graph, &decomposed.graph}) {
        EXPECT_EQ(g->taps(), r.block.graph.taps());
        ASSERT_EQ(g->values.size(), r.block.graph.values.size());
        for (std::size_t i = 0; i < g->values.size(); ++i)
            EXPECT_TRUE(block::sameValue(g->values[i], r.block.graph.values[i]));
    }
    EXPECT_TRUE(block::sameGraph(lower::captured(r.block, PassRun::choices({"tf32"})).graph, r.block.graph));
}

TEST_F(Stages, APassChosenTwiceActsOnce) {
    for (const std::string pass : {"swapped-weight", "double-scale", "mask-off-by-one"})
        EXPECT_TRUE(sameBits(r.run({pass, pass}), r.run({pass}))) << pass;
}

TEST_F(Stages, ReplayIsLowerUntilThereIsAMemoryPlan) {
    EXPECT_TRUE(sameBits(after(Stage::lower, {"int8"}), after(Stage::replay, {"int8"})));
}

TEST_F(Stages, RefuseWhatDoesNotFitWhicheverStageIsAskedFor) {
    EXPECT_FALSE(
        lower::programAfter(Stage::capture, r.block, PassRun::choices({"dropped-tail=tile:2"})).ok());
}

TEST_F(Stages, TheRunsNumberBecomesTheSeedOfWhatVaries) {
    const auto choices = lower::forRun(PassRun::choices({"race", "atomics=seed:4", "tf32"}), 12);
    EXPECT_EQ(choices[0].variant, "seed:12");
    EXPECT_EQ(choices[1].variant, "seed:4");
    EXPECT_EQ(choices[2].variant, "rne");
}

} // namespace
} // namespace divdet
