// Neither the number of threads nor the instruction set changes a byte of the result.
#include <set>

#include <gtest/gtest.h>

#include "base/instruction_set.h"
#include "cli/cli_fixture.h"
#include "effort.h"
#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

class SameBits : public CliFixture {
protected:
    /// What differs on purpose: the time and the number of threads.
    std::string document(const std::string& environment, const std::string& args) {
        const Output o = divdetWith(environment, args);
        auto j = o.json();
        EXPECT_TRUE(o.code == 0 || o.code == 1) << o.err;
        j.erase("seconds");
        j["environment"].erase("threads");
        return j.dump();
    }
    Output divdetWith(const std::string& environment, const std::string& args) {
        if (environment.empty()) return divdet(args);
        ::setenv("DIVDET_ISA", environment.c_str(), 1);
        Output o = divdet(args);
        ::unsetenv("DIVDET_ISA");
        return o;
    }
    std::string dump(const std::string& name, std::uint32_t seed, bool candidate) {
        // Longer than two chunks of the scan (one under a sanitizer), with a ragged end and everything that
        // is not a plain number.
        constexpr std::size_t kCount = test::effort(600'011, 300'011);
        std::vector<double> values = test::normals(kCount, 5), noise = test::normals(kCount, seed, 1e-3);
        for (std::size_t i = 0; i < kCount && candidate; ++i) values[i] *= 1 + noise[i];
        values[100] = 0, values[5000] = candidate ? -0.0 : 0.0, values[7000] = test::kNan;
        values[kCount / 2] = candidate ? test::kInf : 1, values[kCount - 1] = 1e-40;
        std::vector<NamedTensor> tensors;
        for (const DType t : {DType::f64, DType::f32, DType::f16, DType::bf16})
            tensors.push_back({std::string(name_(t)), *converted(test::f64(values), t)});
        const auto path = m_dir / name;
        EXPECT_TRUE(writeSafetensors(path, tensors).ok());
        return path.string();
    }
    static std::string_view name_(DType t) { return divdet::name(t); }
};

TEST_F(SameBits, OfCompareOnEveryInstructionSetAndAnyNumberOfThreads) {
    const auto r = dump("r.safetensors", 1, false), c = dump("c.safetensors", 2, true);
    const std::string call = "compare " + r + " " + c + " --json - --rtol 1e-3 --atol 1e-5 --threads ";
    const auto sets = instructionSets();
    ASSERT_FALSE(sets.empty());
    std::set<std::string> documents;
    for (const auto& set : sets)
        for (const char* threads : {"1", "2", "7"})
            documents.insert(document(std::string(set), call + threads));
    documents.insert(document("", call + "2"));
    EXPECT_EQ(documents.size(), 1u);
    RecordProperty("instruction_sets", static_cast<int>(sets.size()));
}

TEST_F(SameBits, AnUnknownInstructionSetIsAUsageError) {
    const auto r = npy("r.npy", test::f32({1, 2}));
    EXPECT_EQ(divdetWith("mmx", "compare " + r + " " + r).code, 2);
}

} // namespace
} // namespace divdet
