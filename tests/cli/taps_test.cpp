// All taps of two dumps judged together, as scripts and people see it.
#include <gtest/gtest.h>

#include "cli/cli_fixture.h"
#include "make_tensor.h"
#include "shared_data.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

class Taps : public CliFixture {
protected:
    /// `layers.N.out` for N = 0 … 3, all equal but for an error of `relative` in layer 2, which layer 3
    /// carries on.
    std::string npz(const std::string& name, double relative) {
        std::vector<NamedTensor> taps;
        for (std::uint32_t l = 0; l < 4; ++l) {
            auto values = test::normals(1024, l);
            if (l >= 2)
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] += relative * test::normals(1024, 9)[i];
            taps.push_back({"layers." + std::to_string(l) + ".out",
                            *converted(test::f64(values, {16, 64}), DType::f32)});
        }
        const auto path = m_dir / name;
        EXPECT_TRUE(writeNpz(path, taps).ok());
        return path.string();
    }
};

TEST_F(Taps, TheFirstBadTapIsNamedAndLaterOnesInherit) {
    const auto r = npz("r.npz", 0), c = npz("c.npz", 0.5);
    const auto j = divdet("compare " + r + " " + c + " --json -").json();
    EXPECT_EQ(j["class"], "bug");
    EXPECT_EQ(j["first_bad"], "layers.2.out");
    ASSERT_EQ(j["tensors"].size(), 4u);
    EXPECT_EQ(j["tensors"][0]["class"], "identical");
    EXPECT_EQ(j["tensors"][2]["class"], "bug");
    EXPECT_EQ(j["tensors"][3]["class"], "inherited");
    ASSERT_FALSE(j["findings"].empty());
    EXPECT_EQ(j["findings"][0]["tap"], "layers.2.out");
    EXPECT_EQ(j["findings"][0]["id"], "prefix");
    const Output o = divdet("compare " + r + " " + c);
    EXPECT_NE(o.out.find("class bug: first at layers.2.out; 1 later tap only carries it on"),
              std::string::npos)
        << o.out;
}

TEST_F(Taps, RoundingHasNoFirstBadTap) {
    const auto r = npz("r.npz", 0), c = npz("c.npz", 1e-7);
    const auto j = divdet("compare " + r + " " + c + " --json -").json();
    EXPECT_EQ(j["class"], "drift");
    EXPECT_TRUE(j["first_bad"].is_null());
    EXPECT_TRUE(j["findings"].empty());
}

TEST_F(Taps, ASavedResultKeepsTheFirstBadTap) {
    const auto r = npz("r.npz", 0), c = npz("c.npz", 0.5), kept = (m_dir / "kept.divdet").string();
    divdet("compare " + r + " " + c + " --save " + kept);
    const auto j = divdet("compare " + kept + " --json -").json();
    EXPECT_EQ(j["class"], "bug");
    EXPECT_EQ(j["first_bad"], "layers.2.out");
}

TEST_F(Taps, ABugInARealDumpIsFoundWithoutAnythingDeclared) {
    DIVDET_NEEDS_SHARED("data/torch/dumps");
    const auto dump = [](const char* name) {
        return sharedPath(std::string("data/torch/dumps/") + name + ".safetensors").string();
    };
    const auto j =
        divdet("compare " + dump("eager_bf16") + " " + dump("bug_bf16_accumulator") + " --json -").json();
    EXPECT_EQ(j["class"], "bug");
    EXPECT_EQ(j["first_bad"], "layers.2.mlp.down");
}

TEST_F(Taps, WhatIsDeclaredTellsDriftFromBug) {
    DIVDET_NEEDS_SHARED("data/torch/dumps");
    const auto compare = [&](const char* reference, const char* candidate, const char* more) {
        const auto dump = [](const char* name) {
            return sharedPath(std::string("data/torch/dumps/") + name + ".safetensors").string();
        };
        return divdet(std::string("compare ") + dump(reference) + " " + dump(candidate) + more + " --json -")
            .json();
    };
    EXPECT_NE(compare("ref_fp64", "int8_dynamic_fp32", " --declare int8")["class"], "bug");
    for (const char* reference : {"ref_fp64", "int8_dynamic_fp32"}) {
        const auto j = compare(reference, "bug_clipped_channel", " --declare int8");
        EXPECT_EQ(j["class"], "bug") << reference;
        EXPECT_EQ(j["first_bad"], "layers.1.mlp.act") << reference;
    }
    const auto undeclared = compare("ref_fp64", "int8_dynamic_fp32", "");
    EXPECT_EQ(undeclared["class"], "unclear");
}

} // namespace
} // namespace divdet
