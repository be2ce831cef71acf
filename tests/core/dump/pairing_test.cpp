#include "dump/pairing.h"

#include <set>

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "dump/glob.h"
#include "dump/name_noise.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

class FakeDump final : public Dump {
public:
    explicit FakeDump(const std::vector<std::pair<std::string, Shape>>& taps)
        : Dump(make(taps)) {}

private:
    static Manifest make(const std::vector<std::pair<std::string, Shape>>& taps) {
        Manifest m{"fake", "fake", {}, {}, {}, std::nullopt};
        for (const auto& [tapName, shape] : taps) {
            TapEntry t;
            t.name = tapName;
            t.shape = shape;
            m.taps.push_back(t);
        }
        return m;
    }
    Result<Tensor> loadStored(std::size_t, const std::string&) const override { return Tensor{}; }
};

std::string textOf(const Dump& r, const Dump& c, const PairingOptions& options = {}) {
    const auto p = pairTaps(r, c, options);
    if (!p) return p.error().message + "; " + p.error().hint;
    std::string out;
    for (const Pair& pair : p->pairs)
        out += r.taps()[pair.reference].name + "=" + c.taps()[pair.candidate].name + "(" +
               std::string(toString(pair.by)) + ") ";
    for (const auto i : p->onlyReference) out += "-" + r.taps()[i].name + " ";
    for (const auto i : p->onlyCandidate) out += "+" + c.taps()[i].name + " ";
    return out;
}

TEST(Pairing, ByNameInDepthOrder) {
    const FakeDump r({{"b", {2}}, {"a", {3}}}), c({{"a", {3}}, {"b", {2}}});
    EXPECT_EQ(textOf(r, c), "b=b(name) a=a(name) ");
}

TEST(Pairing, ByNameWithoutNoise) {
    const FakeDump r({{"layer1.attn", {2}}, {"x", {2}}, {"Head", {2}}});
    const FakeDump c({{"_orig_mod.module.layer1.attn", {2}}, {"x:0", {9}}, {"head", {2}}});
    EXPECT_EQ(
        textOf(r, c),
        "layer1.attn=_orig_mod.module.layer1.attn(normalised) x=x:0(normalised) Head=head(normalised) ");
}

TEST(Pairing, AmbiguousNamesAreLeftAlone) {
    const FakeDump r({{"a.w", {2}}, {"z", {1}}}),
        c({{"module.a.w", {2}}, {"_orig_mod.a.w", {2}}, {"z", {1}}});
    EXPECT_EQ(textOf(r, c), "z=z(name) -a.w +module.a.w +_orig_mod.a.w ");
}

TEST(Pairing, CaseCountsBeforeItIsFolded) {
    const FakeDump r({{"a", {1}}, {"A", {1}}}), c({{"module.A", {1}}, {"module.a", {1}}});
    EXPECT_EQ(textOf(r, c), "a=module.a(normalised) A=module.A(normalised) ");
}

TEST(Pairing, ByOrderOnlyIfAllTheRestMatches) {
    const FakeDump r({{"p", {2}}, {"q", {3}}}), c({{"s", {2}}, {"t", {3}}}), d({{"s", {3}}, {"t", {2}}}),
        e({{"s", {2}}});
    EXPECT_EQ(textOf(r, c), "p=s(order) q=t(order) ");
    EXPECT_EQ(textOf(r, d), "-p -q +s +t ");
    EXPECT_EQ(textOf(r, e), "-p -q +s ");
}

TEST(Pairing, TwoSingleTensorsAlwaysPair) {
    const FakeDump r({{"p", {2}}}), c({{"s", {3, 4}}});
    EXPECT_EQ(textOf(r, c), "p=s(order) ");
}

TEST(Pairing, UserDecides) {
    const FakeDump r({{"p", {2}}, {"q", {3}}}), c({{"p", {2}}, {"q", {3}}});
    PairingOptions o;
    o.explicitPairs = {{"p", "q"}};
    EXPECT_EQ(textOf(r, c, o), "p=q(user) -q +p ");
    o.explicitPairs = {{"p", "qq"}};
    EXPECT_EQ(textOf(r, c, o), "the candidate has no tap 'qq'; did you mean 'q'?");
    o.explicitPairs = {{"p", "q"}, {"p", "p"}};
    EXPECT_NE(textOf(r, c, o).find("paired twice"), std::string::npos);
}

TEST(Pairing, OnlySkipOrder) {
    const FakeDump r({{"l1.a", {1}}, {"l1.b", {1}}, {"l2.a", {1}}}),
        c({{"l1.a", {1}}, {"l1.b", {1}}, {"l2.a", {1}}});
    PairingOptions o;
    o.only = {"l1.*"};
    EXPECT_EQ(textOf(r, c, o), "l1.a=l1.a(name) l1.b=l1.b(name) ");
    o.skip = {"*.a"};
    EXPECT_EQ(textOf(r, c, o), "l1.b=l1.b(name) ");
    o = {};
    o.order = {"l2.a", "l1.b"};
    EXPECT_EQ(textOf(r, c, o), "l2.a=l2.a(name) l1.b=l1.b(name) l1.a=l1.a(name) ");
    o.order = {"l3.a"};
    EXPECT_NE(textOf(r, c, o).find("no tap 'l3.a'"), std::string::npos);
    o = {};
    o.only = {"l1.aa"};
    EXPECT_EQ(textOf(r, c, o), "no tap matches 'l1.aa'; did you mean 'l1.a'?");
}

RC_GTEST_PROP(Pairing, EachTapOnceAndMirrored, ()) {
    const std::vector<std::string> names = {"a",           "A",   "module.a",          "b", "b:0",
                                            "_orig_mod.b", "c.d", "/c/d/Add_output_0", "e", "f"};
    const auto side = [&] {
        std::vector<std::pair<std::string, Shape>> taps;
        for (const auto& n : names)
            if (*rc::gen::arbitrary<bool>()) taps.push_back({n, {*rc::gen::inRange(1, 3)}});
        return taps;
    };
    const FakeDump r(side()), c(side());
    const auto p = pairTaps(r, c), mirrored = pairTaps(c, r);
    RC_ASSERT(p.ok() && mirrored.ok());
    std::set<std::size_t> left, right;
    std::set<std::pair<std::size_t, std::size_t>> there, back;
    for (const Pair& x : p->pairs) {
        RC_ASSERT(left.insert(x.reference).second && right.insert(x.candidate).second);
        there.insert({x.reference, x.candidate});
    }
    for (const auto i : p->onlyReference) RC_ASSERT(left.insert(i).second);
    for (const auto i : p->onlyCandidate) RC_ASSERT(right.insert(i).second);
    RC_ASSERT(left.size() == r.taps().size() && right.size() == c.taps().size());
    for (const Pair& x : mirrored->pairs) back.insert({x.candidate, x.reference});
    RC_ASSERT(there == back);
}

TEST(NameNoise, WhatIsRemoved) {
    EXPECT_EQ(withoutNoise("_orig_mod.layers.0.q"), "layers.0.q");
    EXPECT_EQ(withoutNoise("model._orig_mod.q"), "model.q");
    EXPECT_EQ(withoutNoise("module.q:0"), "q");
    EXPECT_EQ(withoutNoise("/layers.0/attn/Reshape_output_0"), "layers.0.attn");
    EXPECT_EQ(withoutNoise("my.module.q"), "my.module.q");
    EXPECT_EQ(withoutNoise("/Reshape_output_0"), "/Reshape_output_0");
    EXPECT_EQ(withoutNoise("module"), "module");
    EXPECT_EQ(withoutNoise(""), "");
}

TEST(Glob, StarAndQuestionMark) {
    EXPECT_TRUE(globMatches("layers.*.q", "layers.10.q"));
    EXPECT_TRUE(globMatches("*", ""));
    EXPECT_TRUE(globMatches("a?c*", "abcd"));
    EXPECT_FALSE(globMatches("a?c", "ac"));
    EXPECT_FALSE(globMatches("layers.1", "layers.10"));
    EXPECT_TRUE(globMatches("[ab]", "[ab]"));
    EXPECT_FALSE(globMatches("*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

} // namespace
} // namespace divdet::testing
