#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "compare/scan.h"
#include "gui/sane_answer.h"
#include "session/run_block.h"

/// Small results for tests of plots and models: real summaries of made-up numbers, no block is run.
namespace divdet::samples {

/// The same numbers everywhere: a counter through a mixing function.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed)
        : m_state(seed * 0x9E3779B97F4A7C15ULL + 1) {}
    double uniform() {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    double normal() {
        const double u = uniform() + 0x1p-60;
        return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * uniform());
    }

private:
    std::uint64_t m_state;
};

/// A pair of n elements: reference normal with the given spread, error = absolute·normal +
/// relative·|r|·normal.
struct PairRecipe {
    std::string name = "out";
    double absolute = 0, relative = 0, spread = 0.3;
    int elements = 4096;
    bool judged = true;
    int zeros = 0, nans = 0; ///< exact zeros in the reference; NaN in the candidate
    std::uint64_t seed = 1;
};

inline TapPair pairOf(const PairRecipe& recipe, const Tolerance& tolerance = {}) {
    Numbers numbers(recipe.seed);
    std::vector<float> r, c;
    for (int i = 0; i < recipe.elements; ++i) {
        const double value = i < recipe.zeros ? 0 : recipe.spread * numbers.normal();
        const double error =
            recipe.absolute * numbers.normal() + recipe.relative * std::fabs(value) * numbers.normal();
        r.push_back(static_cast<float>(value));
        c.push_back(i >= recipe.elements - recipe.nans ? NAN : static_cast<float>(value + error));
    }
    const Shape shape{recipe.elements / 64, 64};
    const Tensor reference = tensorOf<float>(DType::f32, shape, r),
                 candidate = tensorOf<float>(DType::f32, shape, c);
    TapPair pair;
    pair.name = pair.candidateName = recipe.name;
    pair.op = "matmul";
    pair.judged = recipe.judged;
    pair.referenceShape = pair.candidateShape = shape;
    auto summary = scan(reference.view(), candidate.view(), {tolerance, true});
    if (summary)
        pair.summary = std::make_shared<Summary>(std::move(summary.value()));
    else
        pair.problem = summary.error();
    return pair;
}

inline std::shared_ptr<const Comparison> comparisonOf(std::vector<PairRecipe> recipes,
                                                      const Tolerance& t = {}) {
    auto out = std::make_shared<Comparison>();
    out->referenceName = "reference";
    out->candidateName = "candidate";
    for (const PairRecipe& recipe : recipes) out->pairs.push_back(pairOf(recipe, t));
    return out;
}

inline PassAlone aloneOf(const std::string& id, const std::string& variant, double absolute, double relative,
                         bool enabled = true) {
    PairRecipe recipe;
    recipe.absolute = absolute;
    recipe.relative = relative;
    return {{id, variant, {}}, enabled, comparisonOf({recipe})};
}

/// A live run as the first lesson sees it: three drift passes, both landmark bugs; with `bug` the bf16
/// accumulator is on and part of the sum.
inline std::shared_ptr<const LiveResult> liveOf(bool bug) {
    auto live = std::make_shared<LiveResult>();
    live->alone = {aloneOf("reassociate", "splitk:8", 1e-8, 3e-8), aloneOf("tf32", "rne", 5e-6, 2e-5),
                   aloneOf("int8", "per-token", 2.3e-4, 1e-5),
                   aloneOf("wrong-accumulator", "bf16", 1.5e-3, 5e-4, bug),
                   aloneOf("wrong-accumulator", "fp16", 1.9e-4, 2e-4, false)};
    for (const PassAlone& alone : live->alone)
        if (alone.enabled) live->request.passes.push_back(alone.choice);
    PairRecipe x{"x", 0, 0, 1, 4096, false}, up{"up", 1e-3, 1e-3, 1, 8192, false}, out;
    out.absolute = bug ? 2.2e-3 : 2.3e-4;
    out.relative = bug ? 1e-3 : 1e-5;
    live->together = comparisonOf({x, up, out});
    live->complete = true;
    return live;
}

/// The sane tolerance of that run: its drift passes as honest, every bug that it ran.
inline std::shared_ptr<const SaneAnswer> saneOf(const LiveResult& live) {
    auto runs = std::make_shared<SaneRuns>();
    runs->request = live.request;
    for (const PassAlone& alone : live.alone) {
        const bool bug = alone.choice.id == "wrong-accumulator";
        runs->runs.push_back(
            {bug ? SaneKind::fault : SaneKind::drift, alone.enabled, {alone.choice}, alone.comparison});
    }
    auto out = std::make_shared<SaneAnswer>();
    out->runs = runs;
    for (const Rule rule : {Rule::allclose, Rule::either})
        for (const bool equalNan : {false, true}) {
            const Tolerance t{rule, 0, 0, equalNan, {}};
            out->tolerances[SaneAnswer::slot(t)] = saneTolerance(*runs, t);
        }
    return out;
}

} // namespace divdet::samples
