#include <cmath>
#include <cstdio>

#include "block/op_def.h"
#include "cuda/loader/cuda_backend.h"
#include "cuda/op_cases.h"
#include "host/twin_backend.h"
#include "kernels/kernel_test_support.h"
#include "tensor/convert.h"

/// On real devices: our own kernels give the twin's bits, cuBLAS stays inside its hard bound. Every test
/// skips where there is no GPU. packaging/gpu_check.sh runs them, the least certain arithmetic first.
namespace divdet {
namespace {

using block::OpKind;
using lower::Operand;

struct GpuDevice {
    std::string id, twin;
    int sm = 0;
};

/// The twin whose arithmetic the device has; sm_86 and 87 multiply as sm_80, sm_103 and sm_12x as sm_100.
std::string twinOf(int sm) {
    if (sm >= 100) return "cpu:sm_100";
    if (sm >= 90) return "cpu:sm_90";
    return sm == 89 ? "cpu:sm_89" : "cpu:sm_80";
}

class Gpu : public testing::Test {
protected:
    void SetUp() override {
        for (const run::DeviceInfo& d : m_gpu.devices()) {
            if (!d.available) GTEST_SKIP() << "no GPU: " << d.whyNot;
            if (d.promise != run::Promise::exact) continue;
            const int sm = std::atoi(d.architecture.c_str() + 3);
            m_devices.push_back({d.id, twinOf(sm), sm});
            std::printf("%s is %s, sm_%d, beside %s\n", d.id.c_str(), d.title.c_str(), sm,
                        twinOf(sm).c_str());
        }
    }

    /// Whether the twin computes what this device does: tensor cores before sm_80 have no twin backend, and
    /// fp8 of sm_12x is another instruction.
    static bool hasTwin(const GpuDevice& d, const lower::Slots& s) {
        if (s.operand == Operand::fp8 && (d.sm >= 120 || d.sm < 80)) return false;
        return d.sm >= 80 || !lower::onTensorCore(s.operand);
    }

    void expectTwin(const std::vector<OpCase>& cases) {
        for (const GpuDevice& d : m_devices) {
            std::size_t ran = 0, differed = 0;
            for (const OpCase& c : cases) {
                if (!hasTwin(d, c.op.slots)) continue;
                const auto got = m_gpu.runOp(d.id, c.op, c.inputs, {});
                const auto wanted = m_twin.runOp(d.twin, c.op, c.inputs, {});
                EXPECT_EQ(got.ok(), wanted.ok()) << c.text() << (got ? "" : got.error().text());
                if (!got || !wanted) continue;
                ++ran;
                const std::string first = difference(*got, *wanted);
                differed += !first.empty();
                EXPECT_EQ(first, "") << c.text() << " on " << d.id;
            }
            std::printf("%s: %zu ops ran, %zu differ from %s\n", d.id.c_str(), ran, differed, d.twin.c_str());
        }
    }

    OpCase productOf(std::int64_t m, std::int64_t k, std::int64_t n, Operand operand) {
        OpCase c;
        c.op.kind = OpKind::matmul;
        c.op.name = "y";
        c.op.inputs = {0, 1};
        c.op.ownInputs = 2;
        c.op.slots.operand = operand;
        for (const Shape& shape : {Shape{m, k}, Shape{k, n}})
            c.inputs.push_back(tensorOf<float>(
                DType::f32, shape, m_values.normal(static_cast<std::size_t>(*elementCount(shape)))));
        return c;
    }

    Values m_values{77};
    cuda::CudaBackend m_gpu;
    host::TwinBackend m_twin;
    std::vector<GpuDevice> m_devices;
};

/// fp8: by instruction, not by architecture (numerics/tensor_core_spec.h).
TEST_F(Gpu, First_Fp8ProductsHaveTheTwinsBits) {
    std::vector<OpCase> cases;
    for (const auto format : {lower::Fp8Format::e4m3, lower::Fp8Format::e5m2})
        for (const std::int64_t k : {16, 17, 32, 64, 257}) {
            cases.push_back(productOf(64, k, 64, Operand::fp8));
            cases.back().op.slots.fp8Format = format;
        }
    expectTwin(cases);
}

/// Which k an instruction takes in one step: 1 then 2^-24 then 2^-24 …, so that the groups decide what is
/// lost.
TEST_F(Gpu, First_StepsAlongKAreTheTwins) {
    std::vector<OpCase> cases;
    for (const Operand operand : {Operand::fp16, Operand::bf16, Operand::tf32})
        for (std::size_t at = 0; at < 16; ++at) {
            OpCase c = productOf(16, 16, 8, operand);
            std::vector<float> a(16 * 16, 0x1p-12f), b(16 * 8, 0x1p-12f);
            for (std::size_t i = 0; i < 16; ++i) a[i * 16 + at] = 1.0f;
            for (std::size_t j = 0; j < 8; ++j) b[at * 8 + j] = 1.0f;
            c.inputs = {tensorOf<float>(DType::f32, {16, 16}, a), tensorOf<float>(DType::f32, {16, 8}, b)};
            cases.push_back(c);
        }
    expectTwin(cases);
}

TEST_F(Gpu, ProductsOfEverySlotHaveTheTwinsBits) {
    expectTwin(
        productCases({{1, 1, 1}, {5, 7, 3}, {17, 61, 33}, {2, 97, 131}, {129, 300, 257}, {64, 512, 512}}));
}

TEST_F(Gpu, OtherOpsHaveTheTwinsBits) {
    expectTwin(fusedCases());
    expectTwin(convolutionCases());
    expectTwin(rowCases());
    expectTwin(pointwiseCases());
    expectTwin(dataCases());
    expectTwin(emptyCases());
}

TEST_F(Gpu, LargeProductsHaveTheTwinsBits) {
    std::vector<OpCase> cases;
    for (const Operand operand : {Operand::f32, Operand::tf32, Operand::bf16, Operand::fp16, Operand::int8})
        cases.push_back(productOf(512, 1024, 640, operand));
    expectTwin(cases);
}

TEST_F(Gpu, IntegersOfCublasHaveTheTwinsBits) {
    for (const GpuDevice& d : m_devices)
        for (const auto& [m, k, n] :
             {std::array<std::int64_t, 3>{1, 1, 1}, {5, 7, 3}, {64, 512, 512}, {129, 301, 257}}) {
            const OpCase c = productOf(m, k, n, Operand::int8);
            const auto got = m_gpu.runOp(d.id + "/cublas", c.op, c.inputs, {});
            if (!got && got.error().code == ErrorCode::notFound) GTEST_SKIP() << "no cuBLAS";
            ASSERT_TRUE(got.ok()) << got.error().text();
            EXPECT_EQ(difference(*got, *m_twin.runOp(d.twin, c.op, c.inputs, {})), "") << m << k << n;
        }
}

/// |C - C64| <= u (|A| |B|): operands rounded (2u + u^2), then k additions in fp32, truncated at worst.
TEST_F(Gpu, FloatsOfCublasStayInsideTheHardBound) {
    const std::pair<Operand, double> operands[] = {
        {Operand::f32, 0}, {Operand::tf32, 0x1p-11}, {Operand::bf16, 0x1p-8}, {Operand::fp16, 0x1p-11}};
    for (const GpuDevice& d : m_devices)
        for (const auto& [operand, u] : operands) {
            if (d.sm < 80 && (operand == Operand::bf16 || operand == Operand::tf32)) continue;
            const std::int64_t m = 64, k = 512, n = 256;
            const OpCase c = productOf(m, k, n, operand);
            const auto got = m_gpu.runOp(d.id + "/cublas", c.op, c.inputs, {});
            if (!got && got.error().code == ErrorCode::notFound) GTEST_SKIP() << "no cuBLAS";
            ASSERT_TRUE(got.ok()) << got.error().text();
            const auto a = c.inputs[0].as<float>(), b = c.inputs[1].as<float>(), y = got->as<float>();
            const double bound = 2 * u + u * u + static_cast<double>(k + 2) * 0x1p-22;
            double worst = 0;
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    double exact = 0, size = 0;
                    for (std::int64_t t = 0; t < k; ++t) {
                        const double p = static_cast<double>(a[static_cast<std::size_t>(i * k + t)]) *
                                         static_cast<double>(b[static_cast<std::size_t>(t * n + j)]);
                        exact += p;
                        size += std::fabs(p);
                    }
                    const double error =
                        std::fabs(static_cast<double>(y[static_cast<std::size_t>(i * n + j)]) - exact);
                    worst = std::fmax(worst, error / (bound * size));
                }
            std::printf("%s: [%s] by cuBLAS uses %.3g of its bound\n", d.id.c_str(),
                        lower::toString(c.op.slots).c_str(), worst);
            EXPECT_LE(worst, 1);
            EXPECT_GT(worst, 0);
        }
}

/// Not a test of speed: prints it. A product of 4096 cubed, ours beside cuBLAS, in device time.
TEST_F(Gpu, Times) {
    const auto module = cuda::loadCudaModule();
    ASSERT_TRUE(module.ok()) << module.error().text();
    const divdet_backend_v1& table = (*module)->table();
    constexpr std::int64_t kSize = 4096;
    const std::vector<float> a = m_values.normal(kSize * kSize), b = m_values.normal(kSize * kSize);
    divdet_session* session = nullptr;
    ASSERT_EQ(table.open(0, &session, nullptr), DIVDET_OK);
    divdet_tensor_type type{DIVDET_F32, 2, {kSize, kSize}};
    const divdet_value values[] = {
        {type, "a", a.data(), 1}, {type, "b", b.data(), 2}, {type, "c", nullptr, 0}};
    const std::uint32_t in[] = {0, 1}, out = 2;
    for (const char* operand : {"f32", "tf32", "bf16", "fp16", "int8"}) {
        double best[2] = {1e30, 1e30};
        for (std::uint32_t library = 0; library < 2; ++library)
            for (int repeat = 0; repeat < 4; ++repeat) {
                const divdet_attribute attributes[] = {{"product", "1,4096,4096,4096"}, {"operand", operand}};
                const divdet_op op{"matmul", in, &out, attributes, 2, 1, 2};
                const divdet_graph graph{sizeof graph, 3, 1, 1, values, &op, &out};
                divdet_run_options options{};
                options.struct_size = sizeof options;
                options.use_library_gemm = library;
                divdet_run* run = nullptr;
                if (table.run(session, &graph, &options, &run, nullptr, nullptr) != DIVDET_OK) break;
                best[library] = std::fmin(best[library], table.op_milliseconds(run, 0));
                table.release(run);
            }
        std::printf("4096^3 %-5s with conversions: own %.3f ms, cuBLAS %.3f ms, own reaches %.0f %%\n",
                    operand, best[0], best[1], 100 * best[1] / best[0]);
    }
    table.close(session);
}

} // namespace
} // namespace divdet
