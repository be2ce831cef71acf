#include "session/result_file.h"

#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "compare/scan.h"
#include "dump/write.h"
#include "judge/metric/task_metric.h"
#include "make_tensor.h"
#include "report/json_comparison.h"
#include "scratch_folder.h"
#include "session/result/container.h"
#include "session/tap_pairs.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

TapPair pairOf(const std::string& name, const Tensor& r, const Tensor& c, const Tolerance& t) {
    TapPair p;
    p.name = name;
    p.candidateName = name;
    p.referenceDType = r.dtype();
    p.candidateDType = c.dtype();
    p.referenceShape = r.shape();
    p.candidateShape = c.shape();
    const JudgeContext nothing;
    comparePair(p, {r, c, {}, {}}, t, true, {}, &nothing);
    return p;
}

/// Pairs of every kind: noise, equal, NaN and infinities, zeros, integers, shapes that differ.
CompareResult sample(std::uint32_t seed) {
    const Tolerance t{Rule::allclose, 1e-3, 1e-6, false};
    Comparison c;
    c.referenceName = "r.npz";
    c.candidateName = "c.npz";
    std::vector<double> a = test::normals(600, seed), b = a;
    std::mt19937 engine(seed + 1);
    std::normal_distribution<double> noise(0, 1e-3);
    for (auto& x : b) x *= 1 + noise(engine);
    c.pairs.push_back(pairOf("noise", test::f64(a, {20, 30}), test::f64(b, {20, 30}), t));
    c.pairs.push_back(pairOf("equal", test::f64(a), test::f64(a), t));
    a[3] = test::kNan, a[4] = test::kInf, b[4] = test::kInf, b[5] = -test::kInf, a[7] = 0, b[7] = -0.0;
    c.pairs.push_back(pairOf("non\0finite\xff|`", test::f64(a), test::f64(b), t));
    c.pairs.push_back(pairOf("shapes", test::f32({1, 2}), test::f32({1, 2, 3}), t));
    c.pairs.push_back(pairOf("one", test::f32({1}), test::f32({2}), t));
    c.pairs[1].judged = false;
    c.pairs[2].pairedBy = PairedBy::normalised;
    c.pairs[2].cautions = {"duplicate-member"};
    c.onlyInReference = {"x"};
    c.missingJudged = true;
    c.notes = {"paired by order"};
    c.cautions = {"subset-compared"};
    CompareResult out;
    out.request.pairing.explicitPairs = {{"a", "b"}};
    out.request.pairing.only = {"*"};
    out.request.referenceLoad.opaqueAs = DType::bf16;
    out.request.judge = {JudgeSelection::Kind::named, {"noise"}};
    out.request.overrides.rtol = 1e-3;
    out.tolerance = t;
    out.comparison = std::make_shared<const Comparison>(std::move(c));
    out.request.metric = {"noise", "", {0.5, {}, 1.0, {}}};
    const auto targets = test::f64(std::vector<double>(20, 2));
    const auto logits = test::f64(a, {20, 30}), other = test::f64(b, {20, 30});
    auto metric = measureTask({logits.view(), other.view(), targets.view(), {}});
    metric->logits = "noise";
    metric->notes = {"a note"};
    out.metric = std::make_shared<const TaskMetric>(*metric);
    out.referenceFormat = out.candidateFormat = "npz";
    out.seconds = 1.25;
    out.complete = true;
    return out;
}

std::string jsonOf(const CompareResult& r, const Tolerance& t) {
    return text(toJson(*r.comparison, judge(*r.comparison, t), {"compare", "", 1, r.seconds}));
}

TEST(ResultFile, IsJudgedLikeTheComparisonThatWasSaved) {
    const CompareResult original = sample(7);
    auto read = decodeResult(encodeResult(original, "divdet compare r c"));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read->command, "divdet compare r c");
    EXPECT_EQ(read->result.tolerance, original.tolerance);
    EXPECT_EQ(read->result.request.pairing.explicitPairs, original.request.pairing.explicitPairs);
    EXPECT_EQ(read->result.request.referenceLoad.opaqueAs, DType::bf16);
    EXPECT_EQ(read->result.request.judge, original.request.judge);
    EXPECT_EQ(read->result.request.overrides.rtol, 1e-3);
    EXPECT_EQ(read->result.request.metric, original.request.metric);
    ASSERT_TRUE(read->result.metric);
    EXPECT_EQ(read->result.metric->agreed, original.metric->agreed);
    ASSERT_TRUE(read->result.metric->firstFlip); // a row with NaN: its logits are NaN too
    EXPECT_EQ(read->result.metric->firstFlip->token, original.metric->firstFlip->token);
    EXPECT_EQ(read->result.metric->firstFlip->reference, -1);
    EXPECT_EQ(read->result.metric->notes, original.metric->notes);
    EXPECT_EQ(jsonOf(read->result, original.tolerance), jsonOf(original, original.tolerance));
    for (std::size_t i = 0; i < original.comparison->pairs.size(); ++i) {
        const auto &a = original.comparison->pairs[i].summary, &b = read->result.comparison->pairs[i].summary;
        ASSERT_EQ(a == nullptr, b == nullptr);
        if (!a) continue;
        EXPECT_EQ(a->frontier.hull(), b->frontier.hull());
        EXPECT_EQ(a->frontier.stairs(), b->frontier.stairs());
        EXPECT_EQ(a->ulpHistogram, b->ulpHistogram);
        EXPECT_EQ(a->tiles.maxAbs, b->tiles.maxAbs);
        EXPECT_EQ(a->tiles.rms, b->tiles.rms);
        EXPECT_EQ(a->tiles.rowsPerTile, b->tiles.rowsPerTile);
        EXPECT_EQ(a->maxMagnitude, b->maxMagnitude);
        EXPECT_EQ(a->signedZero, b->signedZero);
    }
    // Written again it is the same file: nothing is lost on the way.
    EXPECT_EQ(encodeResult(read->result, "divdet compare r c"), encodeResult(original, "divdet compare r c"));
}

RC_GTEST_PROP(ResultFile, AnswersEveryToleranceAsBefore, (std::uint32_t seed)) {
    const CompareResult original = sample(seed);
    auto read = decodeResult(encodeResult(original, ""));
    RC_ASSERT(read.ok());
    for (int i = 0; i < 10; ++i) {
        Tolerance t;
        t.rule = *rc::gen::element(Rule::allclose, Rule::either);
        t.rtol = std::pow(10.0, *rc::gen::inRange(-120, 10) / 10.0);
        t.atol = std::pow(10.0, *rc::gen::inRange(-120, 10) / 10.0);
        t.equalNan = *rc::gen::arbitrary<bool>();
        const auto &a = *original.comparison, &b = *read->result.comparison;
        RC_ASSERT(neededRtol(a, t) == neededRtol(b, t));
        RC_ASSERT(neededAtol(a, t) == neededAtol(b, t));
        RC_ASSERT(neededRtolLinked(a, t) == neededRtolLinked(b, t));
        RC_ASSERT(jsonOf(original, t) == jsonOf(read->result, t));
    }
}

TEST(ResultFile, ReopensTheDumpsWhileTheyAreThere) {
    const test::ScratchFolder dir;
    ASSERT_TRUE(writeNpy(dir / "r.npy", test::f32({1, 2, 3, 4})).ok());
    ASSERT_TRUE(writeNpy(dir / "c.npy", test::f32({1, 2, 3, 4.5f})).ok());
    Session session(std::make_shared<run::BackendRegistry>());
    CompareRequest request;
    request.reference = dir / "r.npy";
    request.candidate = dir / "c.npy";
    auto compared = compareDumps(session, request);
    ASSERT_TRUE(compared.ok());
    ASSERT_TRUE(writeResult(dir / "x.divdet", **compared, "").ok());
    EXPECT_TRUE(isResultFile(dir / "x.divdet"));
    EXPECT_FALSE(isResultFile(dir / "r.npy"));
    EXPECT_FALSE(isResultFile(dir / "none"));
    auto read = readResult(dir / "x.divdet");
    ASSERT_TRUE(read.ok()) << read.error().text();
    auto data = read->result.comparison->pairs[0].load();
    ASSERT_TRUE(data.ok()) << data.error().text();
    EXPECT_EQ(data->candidate.elements(), 4);

    ASSERT_TRUE(writeNpy(dir / "c.npy", test::f32({1, 2, 3, 4, 5})).ok());
    auto changed = readResult(dir / "x.divdet")->result.comparison->pairs[0].load();
    ASSERT_FALSE(changed.ok());
    EXPECT_EQ(changed.error().code, ErrorCode::mismatch);
    fs::remove(dir / "c.npy");
    auto gone = readResult(dir / "x.divdet")->result.comparison->pairs[0].load();
    ASSERT_FALSE(gone.ok());
    EXPECT_EQ(gone.error().code, ErrorCode::notFound);
}

TEST(ResultFile, RefusesANewerSchemaByItsNumber) {
    auto bytes = encodeResult(sample(1), "");
    bytes[8] = std::byte{2};
    auto read = decodeResult(bytes, "x.divdet");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::unsupported);
    EXPECT_NE(read.error().message.find("schema 2"), std::string::npos) << read.error().text();
    EXPECT_EQ(read.error().path, "x.divdet");
}

TEST(ResultFile, ASizeThatLiesIsRefusedBeforeItIsAllocated) {
    auto bytes = encodeResult(sample(1), "");
    for (int i = 16; i < 24; ++i) bytes[static_cast<std::size_t>(i)] = std::byte{0x7f};
    EXPECT_EQ(decodeResult(bytes).error().code, ErrorCode::refused);
}

TEST(ResultFile, EveryCutIsAnError) {
    const auto bytes = encodeResult(sample(1), "");
    for (std::size_t n = 0; n < bytes.size(); n += n < 64 ? 1 : 97)
        EXPECT_FALSE(decodeResult(std::span(bytes).first(n)).ok()) << n;
}

/// A document with one value replaced.
Result<SavedResult> withValue(const char* pointer, const result::Node& value) {
    auto document = *result::unpack(encodeResult(sample(1), ""), "");
    document[result::Node::json_pointer(pointer)] = value;
    return decodeResult(result::pack(document));
}

TEST(ResultFile, ANumberThatCannotBeIsNamed) {
    const std::string summary = "/result/comparison/pairs/0/summary";
    const std::pair<std::string, result::Node> bad[] = {
        {summary + "/elements", 601},
        {summary + "/equal", -1},
        {summary + "/max_abs/index", 600},
        {summary + "/at/worst/index", -2},
        {summary + "/tiles/rows", 21},
        {summary + "/tiles/rows_per_tile", 0},
        {summary + "/nan/both", 601},
        {summary + "/ulp_histogram", result::Node::array()},
        {summary + "/needed_linked/0", std::nan("")},
        {summary + "/at/tolerance/rtol", -1.0},
        {summary + "/at/tolerance/rule", "perhaps"},
        {summary + "/frontier/hull", "text"},
        {"/result/tolerance/atol", std::numeric_limits<double>::infinity()},
        {"/result/comparison/pairs/0/reference_shape/0", -20},
        {"/result/comparison/pairs/0/reference_dtype", "f33"},
        {"/result/comparison/pairs/0/structural", 3},
        {"/result/comparison", nullptr},
        {"/result/metric/tokens", 21},
        {"/result/metric/agreed", 21},
        {"/result/metric/leading/0", -1},
        {"/result/metric/first_flip/token", 20},
        {"/result/metric/first_flip/candidate", 30},
        {"/result/metric/kl_largest_token", 20},
        {"/result/metric/scored/lost", -1},
        {"/result/metric/scored/right_candidate", 20},
        {"/result/request/reference", std::string("a\0b", 3)},
    };
    for (const auto& [where, value] : bad) {
        auto read = withValue(where.c_str(), value);
        ASSERT_FALSE(read.ok()) << where;
        EXPECT_EQ(read.error().code, ErrorCode::malformed) << where;
    }
    EXPECT_TRUE(withValue((summary + "/equal").c_str(), 0).ok());
}

TEST(ResultFile, AMissingFieldIsNamed) {
    auto document = *result::unpack(encodeResult(sample(1), ""), "");
    document["result"]["comparison"]["pairs"][0]["summary"].erase("sqnr_db");
    auto read = decodeResult(result::pack(document));
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().message.find("result.comparison.pairs.summary.sqnr_db: missing"),
              std::string::npos)
        << read.error().message;
}

TEST(ResultFile, ADeepDocumentIsRefusedWithoutRecursion) {
    result::Node deep = 1;
    for (int i = 0; i < 30; ++i) deep = result::Node::array({deep});
    EXPECT_EQ(decodeResult(result::pack(deep)).error().code, ErrorCode::malformed);
}

TEST(ResultFile, DamagedBytesNeverCrash) {
    const auto document = *result::unpack(encodeResult(sample(1), ""), "");
    const auto plain = result::Node::to_cbor(document);
    std::mt19937 engine(5);
    int readable = 0;
    for (int i = 0; i < 400; ++i) {
        auto hurt = plain;
        for (int k = 0; k < 3; ++k) hurt[engine() % hurt.size()] = static_cast<std::uint8_t>(engine());
        result::Node parsed;
        try {
            parsed = result::Node::from_cbor(hurt, true, false);
        } catch (const result::Node::exception&) { // a claimed length beyond memory is thrown all the same
            continue;
        }
        if (parsed.is_discarded()) continue;
        if (auto read = decodeResult(result::pack(parsed))) {
            ++readable; // then it can be judged and shown
            jsonOf(read->result, read->result.tolerance);
        }
    }
    EXPECT_GT(readable, 0);
}

} // namespace
} // namespace divdet
