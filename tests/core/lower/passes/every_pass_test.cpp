#include <cmath>

#include "core/lower/passes/pass_run.h"
#include "tensor/convert.h"

/// Every preset with every pass and variant: it runs, or says why it does not fit.
namespace divdet {
namespace {

using test::PassRun;

/// Odd sizes, so that tails exist, with several tiles in the products.
block::DimValues sizes(const block::Graph& g) {
    const block::DimValues all{{"tokens", 37}, {"width", 36}, {"heads", 3}, {"hidden", 75},
                               {"vocab", 21},  {"k", 101},    {"rows", 5}};
    block::DimValues out;
    for (const auto& d : g.dims)
        if (!d.fixed) out[d.name] = all.at(d.name);
    return out;
}

std::vector<std::string> variantsOf(const lower::PassInfo& info) {
    if (info.id == "race" || info.id == "atomics") return {info.id + "=seed:2"};
    if (info.variants.empty()) return {info.id};
    std::vector<std::string> all;
    for (const auto& v : info.variants) all.push_back(info.id + "=" + v);
    return all;
}

struct Difference {
    bool any = false, finite = true;
};

Difference difference(const Tensor& candidate, const Tensor& reference) {
    std::vector<double> c(static_cast<std::size_t>(candidate.elements())), r(c.size());
    loadAsDouble(candidate.view(), 0, c);
    loadAsDouble(reference.view(), 0, r);
    Difference d;
    for (std::size_t i = 0; i < c.size(); ++i) {
        d.any = d.any || !(c[i] == r[i]);
        d.finite = d.finite && std::isfinite(c[i]);
    }
    return d;
}

/// What cannot show at these sizes with normal inputs: no result is subnormal.
bool unseen(const std::string& id) {
    return id == "flush-to-zero";
}

TEST(EveryPass, RunsOnEveryPresetOrSaysWhyNot) {
    int ran = 0, refused = 0;
    for (const auto& preset : block::presetList())
        for (const char* norm : {"", "layer"}) {
            if (*norm && !preset.options.norm) continue;
            const std::string id(preset.id == "stack" ? "stack:2" : preset.id);
            const auto g = *block::preset(id, {.norm = norm, .activation = "", .layers = {}});
            PassRun r(g, sizes(g));
            const auto reference = r.run({});
            const std::string judged = r.block.graph.outputs().front();
            for (const auto& info : lower::passList())
                for (const auto& text : variantsOf(info)) {
                    SCOPED_TRACE(id + " " + norm + " " + text);
                    if (const auto fits = r.fit(text); !fits) {
                        ++refused;
                        const std::string head = info.id + " does not fit: ";
                        EXPECT_EQ(fits.error().message.find(head), 0u) << fits.error().text();
                        EXPECT_GT(fits.error().message.size(), head.size() + 10);
                        EXPECT_EQ(lower::lower(r.block, PassRun::choices({text})).error().message,
                                  fits.error().message);
                        continue;
                    }
                    ++ran;
                    EXPECT_FALSE(
                        lower::fittingOps(r.block, info.id, lower::parsePass(text)->variant).empty());
                    const auto taps = r.tryRun({text});
                    if (info.id == "crash") {
                        EXPECT_FALSE(taps.ok());
                        EXPECT_FALSE(taps.error().path.empty());
                        continue;
                    }
                    ASSERT_TRUE(taps.ok()) << taps.error().text();
                    const auto d = difference(taps->find(judged)->tensor, reference.find(judged)->tensor);
                    EXPECT_EQ(d.finite, info.id != "masked-row-nan");
                    EXPECT_EQ(d.any, !unseen(info.id));
                }
        }
    EXPECT_GT(ran, 200);
    EXPECT_GT(refused, 30);
}

/// What a pass does to an op is the same whatever the order in which different passes are switched on,
/// except between two that are equals; and no two passes contradict each other in a way no backend can run.
TEST(EveryPass, RunsBesideEveryOther) {
    const auto g = *block::preset("transformer", {.norm = "layer", .activation = "", .layers = {}});
    PassRun r(g, {{"tokens", 9}, {"width", 18}, {"heads", 3}, {"hidden", 19}, {"vocab", 7}});
    run::OpCache cache;
    r.cache = &cache;
    std::vector<std::string> all;
    for (const auto& info : lower::passList())
        if (info.id != "crash")
            for (const auto& text : variantsOf(info))
                if (r.fit(text)) all.push_back(text);
    ASSERT_GT(all.size(), 28u);
    for (const auto& a : all)
        for (const auto& b : all) {
            const auto taps = r.tryRun({a, b});
            EXPECT_TRUE(taps.ok()) << a << " " << b << ": " << taps.error().text();
        }
}

} // namespace
} // namespace divdet
