#include <string>

#include <gtest/gtest.h>

#include "npz_lite.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"
#include "shared_data.h"

using namespace divdet::numerics;

namespace {

/// Inputs and outputs recorded on a real GPU: one dot product per row.
struct Recording {
    const char* gpu;
    Arch arch;
    const char* format;
    OperandFormat operand;
};

constexpr Recording kRecordings[] = {
    {"v100", Arch::sm70, "fp16", OperandFormat::f16},   {"a100", Arch::sm80, "fp16", OperandFormat::f16},
    {"a100", Arch::sm80, "bf16", OperandFormat::bf16},  {"a100", Arch::sm80, "tf32", OperandFormat::tf32},
    {"a2", Arch::sm86, "fp16", OperandFormat::f16},     {"a2", Arch::sm86, "bf16", OperandFormat::bf16},
    {"a2", Arch::sm86, "tf32", OperandFormat::tf32},    {"ada", Arch::sm89, "fp16", OperandFormat::f16},
    {"ada", Arch::sm89, "bf16", OperandFormat::bf16},   {"ada", Arch::sm89, "tf32", OperandFormat::tf32},
    {"h100", Arch::sm90, "fp16", OperandFormat::f16},   {"h100", Arch::sm90, "bf16", OperandFormat::bf16},
    {"h100", Arch::sm90, "tf32", OperandFormat::tf32},  {"h200", Arch::sm90, "fp16", OperandFormat::f16},
    {"h200", Arch::sm90, "bf16", OperandFormat::bf16},  {"h200", Arch::sm90, "tf32", OperandFormat::tf32},
    {"b200", Arch::sm100, "fp16", OperandFormat::f16},  {"b200", Arch::sm100, "bf16", OperandFormat::bf16},
    {"b200", Arch::sm100, "tf32", OperandFormat::tf32},
};

class RecordedVectors : public testing::TestWithParam<Recording> {
protected:
    NpzWords member(const char* name) const {
        const std::string file = std::string(GetParam().gpu) + "_" + GetParam().format + ".npz";
        return npz_lite::words(sharedPath("data/tensor_core_vectors") / file, name);
    }

    /// Rows whose result differs from the recorded one.
    int mismatches(const char* output, const TcSpec& spec) const {
        const NpzWords a = member("a"), b = member("b"), c = member("c"), d = member(output);
        EXPECT_EQ(d.words.size(), 5000u);
        const std::size_t k = a.shape.size() == 2 ? a.shape[1] : 0;
        std::vector<float> x(k), y(k);
        int count = 0;
        for (std::size_t row = 0; row < d.words.size(); ++row) {
            for (std::size_t i = 0; i < k; ++i) {
                x[i] = floatFromBits(a.words[row * k + i]);
                y[i] = floatFromBits(b.words[row * k + i]);
            }
            // The recording keeps c in fp32; the fp16 accumulator received it rounded.
            float start = floatFromBits(c.words[row]);
            if (spec.output == TcOutput::f16) start = roundToF16(start);
            count += bitsOf(tcDot(x.data(), 1, y.data(), 1, k, start, spec)) != d.words[row];
        }
        return count;
    }
};

} // namespace

TEST_P(RecordedVectors, ModelGivesEveryBit) {
    DIVDET_NEEDS_SHARED("data/tensor_core_vectors");
    EXPECT_EQ(mismatches("d_f32", tcSpec(GetParam().arch, GetParam().operand)), 0);
    if (GetParam().operand == OperandFormat::f16) {
        EXPECT_EQ(mismatches("d_f16", tcSpec(GetParam().arch, OperandFormat::f16, true)), 0);
    }
}

/// Another alignment width must fail, or the vectors would prove nothing.
TEST_P(RecordedVectors, WrongModelIsFound) {
    DIVDET_NEEDS_SHARED("data/tensor_core_vectors");
    for (const int off : {-1, 1}) {
        TcSpec wrong = tcSpec(GetParam().arch, GetParam().operand);
        wrong.alignBits += off;
        EXPECT_GT(mismatches("d_f32", wrong), 100) << off;
    }
}

INSTANTIATE_TEST_SUITE_P(Gpus, RecordedVectors, testing::ValuesIn(kRecordings), [](const auto& recording) {
    return std::string(recording.param.gpu) + "_" + recording.param.format;
});
