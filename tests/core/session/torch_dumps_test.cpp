// Real dumps from torch against what torch and numpy said of them, recorded in truth.json; and the frontier
// of every tap against the element predicate.
#include <cmath>
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compare/scan.h"
#include "dump/open.h"
#include "dump/pairing.h"
#include "session/compare_dumps.h"
#include "shared_data.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kDumps = "data/torch/dumps";

/// name in truth.json and file of each dump that this version reads.
std::vector<std::pair<std::string, fs::path>> dumpFiles() {
    std::vector<std::pair<std::string, fs::path>> out;
    for (const auto& e : fs::directory_iterator(sharedPath(kDumps)))
        if (const auto x = e.path().extension(); x == ".safetensors" || x == ".npz")
            out.emplace_back(e.path().stem(), e.path());
    std::sort(out.begin(), out.end());
    return out;
}

double num(const json& j) {
    if (j.is_string()) return j == "inf" ? INFINITY : NAN;
    return j.get<double>();
}

std::string near(double got, double want) {
    if (got == want || std::fabs(got - want) <= 1e-9 * std::fabs(want)) return {};
    return std::to_string(got) + " for " + std::to_string(want);
}

/// Everything that differs from the truth, as text; empty when nothing does.
std::vector<std::string> differences(const TapPair& pair, const Summary& s, const json& truth) {
    std::vector<std::string> out;
    const auto check = [&](const char* what, double got, double want) {
        if (auto d = near(got, want); !d.empty()) out.push_back(pair.name + " " + what + ": " + d);
    };
    check("elements", static_cast<double>(s.elements), truth["numel"].get<double>());
    check("max_abs", s.maxAbs.value, num(truth["max_abs"]));
    check("max_abs index", static_cast<double>(s.maxAbs.index), truth["max_abs_index"].get<double>());
    if (s.infiniteRel == 0) check("max_rel", s.maxRel.value, num(truth["max_rel"]));
    check("rms", s.rms, num(truth["rms"]));
    check("mean_abs", s.meanAbs, num(truth["mean_abs"]));
    check("sqnr_db", s.sqnrDb, num(truth["sqnr_db"]));
    check("cosine", s.cosine.value_or(NAN), num(truth["cosine"]));
    return out;
}

class TorchDumps : public ::testing::TestWithParam<const char*> {};

TEST_P(TorchDumps, StatisticsAndMismatchesEqualTheTruth) {
    DIVDET_NEEDS_SHARED(kDumps / "truth.json");
    std::ifstream in(sharedPath(kDumps / "truth.json"));
    const json truth = json::parse(in);
    Session session(std::make_shared<run::BackendRegistry>());
    int taps = 0, counts = 0;
    for (const auto& [name, path] : dumpFiles()) {
        const json& expected = truth["files"][name][std::string("vs_") + GetParam()]["taps"];
        CompareRequest request;
        request.reference = sharedPath(kDumps / (std::string(GetParam()) + ".safetensors"));
        request.candidate = path;
        request.tolerance = Tolerance{};
        auto result = compareDumps(session, request);
        ASSERT_TRUE(result.ok()) << result.error().text();
        const Comparison& c = *(*result)->comparison;
        ASSERT_GE(c.pairs.size(), expected.size()) << path;
        std::size_t found = 0;
        for (const TapPair& pair : c.pairs) {
            if (!expected.contains(pair.name)) continue; // input_ids and target_ids have no truth
            ASSERT_TRUE(pair.summary) << path << " " << pair.name;
            const json& t = expected[pair.name];
            ++found;
            for (const auto& d : differences(pair, *pair.summary, t)) ADD_FAILURE() << path << " " << d;
            for (const auto& at : t["isclose"]) {
                const Tolerance tol{Rule::allclose, at["rtol"], at["atol"], false};
                auto data = pair.load();
                ASSERT_TRUE(data.ok());
                const AtTolerance a = *recount(data->reference.view(), data->candidate.view(), tol);
                EXPECT_EQ(a.mismatches, at["f64_mismatches"].get<std::int64_t>()) << path << " " << pair.name;
                EXPECT_EQ(pair.summary->frontier.answer(tol) == FrontierAnswer::passes,
                          at["f64_allclose"].get<bool>())
                    << path << " " << pair.name;
                ++counts;
            }
        }
        EXPECT_EQ(found, expected.size()) << path;
        taps += static_cast<int>(found);
    }
    std::printf("%d taps, %d counts against %s\n", taps, counts, GetParam());
    EXPECT_GT(taps, 0);
}

TEST_P(TorchDumps, TheFrontierIsTheElementPredicate) {
    DIVDET_NEEDS_SHARED(kDumps / "truth.json");
    auto reference = openDump(sharedPath(kDumps / (std::string(GetParam()) + ".safetensors")));
    ASSERT_TRUE(reference.ok());
    std::mt19937_64 engine(17);
    std::uniform_real_distribution<double> exponent(-9, 0);
    long long asked = 0, corners = 0;
    for (const auto& [name, path] : dumpFiles()) {
        if (path.extension() == ".npz") continue; // same tensors
        auto candidate = openDump(path);
        ASSERT_TRUE(candidate.ok());
        const auto pairing = pairTaps(**reference, **candidate);
        ASSERT_TRUE(pairing.ok());
        for (const Pair& p : pairing->pairs) {
            const Tensor r = *(*reference)->load(p.reference), c = *(*candidate)->load(p.candidate);
            if (kind(r.dtype()) != DTypeKind::floating) continue;
            const Summary s = *scan(r.view(), c.view(), {Tolerance{}, false});
            const auto n = static_cast<std::size_t>(r.elements());
            std::vector<double> x(n), y(n);
            loadAsDouble(r.view(), 0, y);
            loadAsDouble(c.view(), 0, x);
            std::vector<Tolerance> tolerances;
            // 1,000 random ones on each file, spread over its 47 float taps, and the corners of each curve.
            for (int i = 0; i < 1000 / 40; ++i)
                tolerances.push_back({i % 2 ? Rule::either : Rule::allclose, std::pow(10, exponent(engine)),
                                      std::pow(10, exponent(engine)), false});
            asked += static_cast<long long>(tolerances.size());
            for (Rule rule : {Rule::allclose, Rule::either}) {
                const auto curve = s.frontier.corners(rule);
                for (std::size_t i = 0; i < curve.size(); i += curve.size() / 8 + 1) {
                    const auto [rtol, atol] = curve[i];
                    tolerances.push_back({rule, rtol, atol, false});
                    if (atol > 0) tolerances.push_back({rule, rtol, std::nextafter(atol, 0), false});
                    if (rtol > 0) tolerances.push_back({rule, std::nextafter(rtol, 0), atol, false});
                    ++corners;
                }
            }
            for (const Tolerance& t : tolerances) {
                bool all = true;
                for (std::size_t i = 0; i < n && all; ++i) all = passes(t, x[i], y[i]);
                ASSERT_EQ(s.frontier.answer(t) == FrontierAnswer::passes, all)
                    << path << " tap " << p.reference << " rtol " << t.rtol << " atol " << t.atol;
            }
        }
    }
    std::printf("%lld random tolerances and %lld corners against %s\n", asked, corners, GetParam());
    EXPECT_GE(asked, 10'000); // ten files
}

INSTANTIATE_TEST_SUITE_P(References, TorchDumps, ::testing::Values("ref_fp64", "eager_fp32"));

} // namespace
} // namespace divdet
