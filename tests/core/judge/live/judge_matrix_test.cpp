#include <algorithm>
#include <cstdio>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "block/open_block.h"
#include "effort.h"
#include "host/twin_backend.h"
#include "lower/pass_info.h"
#include "run/taps.h"
#include "session/run_block.h"

/// Every fault on every block, beside every kind of declared drift: found, at the right op, with its cause
/// named. And honest drift, alone and in pairs: never a bug.
namespace divdet {
namespace {

/// Under a sanitizer the first two: every fault fits one of them.
constexpr const char* kBlocks[] = {"mlp", "attention", "transformer", "lm", "stack:4"};
const std::span<const char* const> kTried(kBlocks, test::effort<std::size_t>(std::size(kBlocks), 2));
constexpr const char* kDrifts[] = {"", "tf32", "int8", "bf16"};

class JudgeMatrix : public testing::Test {
public:
    static Session& sessionOf() { return session(); }

protected:
    static Session& session() {
        static const auto backends = [] {
            auto registry = std::make_shared<run::BackendRegistry>();
            registry->add(std::make_shared<host::TwinBackend>());
            return registry;
        }();
        static Session session(backends);
        return session;
    }

    static BlockRequest request(const std::string& block, const std::string& norm = "") {
        BlockRequest r;
        r.block = block;
        r.norm = norm;
        r.eachAlone = false;
        r.dims["tokens"] = block == "lm" ? 128 : 16;
        if (block != "lm") r.dims["width"] = 64;
        if (block != "lm" && block != "attention") r.dims["hidden"] = 128;
        return r;
    }

    static std::shared_ptr<const LiveResult> run(BlockRequest r,
                                                 const std::vector<lower::PassChoice>& passes) {
        r.passes = passes;
        auto result = runBlock(session(), r);
        EXPECT_TRUE(result.ok()) << result.error().text();
        return result ? *result : nullptr;
    }

    static block::BoundGraph bound(const BlockRequest& r) { return *block::bind(*blockGraph(r)); }
};

lower::PassChoice parsed(const std::string& text) {
    return *lower::parsePass(text);
}

const TapPair* firstBug(const Comparison& c) {
    for (const TapPair& p : c.pairs)
        if (p.pairClass == PairClass::bug) return &p;
    return nullptr;
}

bool has(const TapPair& p, std::string_view id) {
    for (const Finding& f : p.findings)
        if (f.id == id) return true;
    return false;
}

/// The fault, and what must be among the findings of the op that has it.
struct Fault {
    std::string pass;
    std::string finding;
};
const Fault kFaults[] = {{"wrong-accumulator=bf16", "same-bits-as"},
                         {"wrong-accumulator=fp16", "same-bits-as"},
                         {"split-k-bf16", "same-bits-as"},
                         {"clip-calibration=weight", "same-bits-as"},
                         {"clip-calibration=activation", "same-bits-as"},
                         {"wrong-scale", "same-bits-as"},
                         {"dropped-tail=tile:24", "missing-terms"},
                         {"dropped-tail=tile:48", "missing-terms"},
                         {"double-scale", "same-bits-as"},
                         {"mask-off-by-one", "same-bits-as"},
                         {"masked-row-nan", "same-bits-as"},
                         {"swapped-weight", "same-bits-as"},
                         {"fp16-overflow", "same-bits-as"},
                         {"race=seed:1", "wrong-tiles"},
                         {"stale-buffer", "stale-match"}};

/// The run with the fault gives the very bits of the run without it at this op: nobody can see it.
bool changesNoBit(const LiveResult& with, const LiveResult& without, const std::string& op) {
    const auto bits = [&](const LiveResult& r) {
        const Tensor& t = r.candidate->find(op)->tensor;
        const auto* from = reinterpret_cast<const char*>(t.view().data);
        return std::string(from, from + static_cast<std::size_t>(t.elements()) * itemSize(t.dtype()));
    };
    return bits(with) == bits(without);
}

/// A race hits tiles at random; of a small output the first seeds may hit none.
std::string seedThatHits(const BlockRequest& base, lower::PassChoice choice) {
    BlockRequest r = base;
    r.classify = false;
    Session& session = JudgeMatrix::sessionOf();
    const auto honest = runBlock(session, r);
    for (int seed = 1; seed < 20; ++seed) {
        choice.variant = "seed:" + std::to_string(seed);
        r.passes = {choice};
        const auto faulty = runBlock(session, r);
        if (honest.ok() && faulty.ok() && !changesNoBit(**faulty, **honest, choice.ops[0])) break;
    }
    return choice.variant;
}

TEST_F(JudgeMatrix, EveryFaultIsFoundAtItsOpUnlessItChangesNoBit) {
    int found = 0;
    std::set<std::string> unseen;
    for (const char* block : kTried) {
        const BlockRequest base = request(block);
        const auto graph = bound(base);
        for (const Fault& fault : kFaults) {
            lower::PassChoice choice = parsed(fault.pass);
            if (!lower::checkFit(graph, choice)) continue;
            // One op in the middle of those that the fault fits, unless it only makes sense on its own
            // choice.
            const auto fitting = lower::fittingOps(graph, choice.id, choice.variant);
            const auto acting = lower::actingOps(graph, choice);
            const std::string op = acting.size() == 1 ? acting[0] : fitting[fitting.size() / 2];
            choice.ops = {op};
            if (choice.id == "race") choice.variant = seedThatHits(base, choice);
            std::string line;
            for (const char* drift : kDrifts) {
                SCOPED_TRACE(std::string(block) + " " + lower::toString(choice) + " beside '" + drift + "'");
                std::vector<lower::PassChoice> declared;
                if (*drift) declared.push_back(parsed(drift));
                const auto honest = run(base, declared);
                auto passes = declared;
                passes.push_back(choice);
                const auto faulty = run(base, passes);
                if (changesNoBit(*faulty, *honest, op)) {
                    unseen.insert(std::string(block) + " " + fault.pass + " " + drift);
                    line += " | same bits";
                    EXPECT_NE(overallClass(*faulty->together), PairClass::bug);
                    continue;
                }
                EXPECT_EQ(overallClass(*faulty->together), PairClass::bug);
                const TapPair* first = firstBug(*faulty->together);
                ASSERT_NE(first, nullptr);
                EXPECT_EQ(first->name, op);
                EXPECT_TRUE(has(*first, "beyond-bound"));
                // Where one tile is the whole output, every product of the batch reads the same half of its
                // data.
                const bool oneTile = choice.id == "race" && has(*first, "missing-terms");
                EXPECT_TRUE(has(*first, fault.finding) || oneTile) << first->findings.back().id;
                line += " | " + std::to_string(first->bound->beyond) + "/" +
                        std::to_string(first->bound->elements);
                for (const Finding& f : first->findings) line += " " + f.id;
                ++found;
            }
            std::printf("%-12s %-44s%s\n", block, lower::toString(choice).c_str(), line.c_str());
        }
    }
    std::printf("%d found, %zu without a changed bit\n", found, unseen.size());
    for (const auto& u : unseen) std::printf("  unseen: %s\n", u.c_str());
    EXPECT_GT(found, test::effort(200, 60));
    EXPECT_LE(unseen.size(), 16u);
}

TEST_F(JudgeMatrix, DriftAloneAndInPairsIsNeverABug) {
    int runs = 0;
    for (const char* block : kTried)
        for (const char* norm : {"", "layer"}) {
            if (*norm && std::string(block) == "lm") continue;
            const BlockRequest base = request(block, norm);
            const auto graph = bound(base);
            std::vector<lower::PassChoice> drifts;
            for (const auto& info : lower::passList()) {
                if (info.kind != lower::PassKind::drift) continue;
                const auto choice = parsed(info.varies ? info.id + "=seed:3" : info.id);
                if (lower::checkFit(graph, choice)) drifts.push_back(choice);
            }
            for (std::size_t i = 0; i < drifts.size(); ++i)
                for (std::size_t j = i;
                     j < std::min(drifts.size(), i + test::effort<std::size_t>(drifts.size(), 2)); ++j) {
                    auto passes = std::vector{drifts[i]};
                    if (j != i) passes.push_back(drifts[j]);
                    const auto result = run(base, passes);
                    const auto c = overallClass(*result->together);
                    ++runs;
                    EXPECT_TRUE(c && (*c == PairClass::drift || *c == PairClass::identical))
                        << block << " " << norm << " " << lower::toString(drifts[i]) << " + "
                        << lower::toString(drifts[j]) << ": " << toString(*c);
                }
        }
    std::printf("%d honest runs\n", runs);
    EXPECT_GT(runs, test::effort(500, 20));
}

/// The drift that can become a bug: of inputs with a large mean one pass leaves nothing of the variance.
TEST_F(JudgeMatrix, OnePassVarianceOfALargeMeanIsABug) {
    BlockRequest r = request("mlp", "layer");
    r.inputs = "large-mean";
    const auto result = run(r, {parsed("one-pass-variance")});
    EXPECT_EQ(overallClass(*result->together), PairClass::bug);
    ASSERT_NE(firstBug(*result->together), nullptr);
    EXPECT_EQ(firstBug(*result->together)->name, "norm");
    r.inputs = "normal";
    EXPECT_EQ(overallClass(*run(r, {parsed("one-pass-variance")})->together), PairClass::drift);
}

} // namespace
} // namespace divdet
