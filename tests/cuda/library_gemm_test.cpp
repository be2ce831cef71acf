#include <algorithm>
#include <cmath>

#include "block/op_def.h"
#include "cuda/loader/cuda_backend.h"
#include "cuda/op_cases.h"
#include "cuda_on_cpu/library_calls.h"
#include "host/twin_backend.h"
#include "kernels/kernel_test_support.h"

/// What cuBLAS and cuBLASLt are asked for, against stand-ins that compute what their arguments say and refuse
/// what the real ones refuse. Their sums have bits of their own, so only integers must be the twin's.
namespace divdet {
namespace {

using cuda_on_cpu::LibraryCall;
using cuda_on_cpu::libraryCalls;
using cuda_on_cpu::Lt;
using lower::Operand;

class Library : public testing::Test {
protected:
    void SetUp() override { libraryCalls().clear(); }
    void TearDown() override { cuda_on_cpu::setLt(Lt::works); }

    OpCase product(std::int64_t m, std::int64_t k, std::int64_t n, Operand operand) {
        OpCase c;
        c.op.kind = block::OpKind::matmul;
        c.op.name = "y";
        c.op.inputs = {0, 1};
        c.op.ownInputs = 2;
        c.op.slots.operand = operand;
        for (const Shape& shape : {Shape{m, k}, Shape{k, n}})
            c.inputs.push_back(tensorOf<float>(
                DType::f32, shape, m_values.normal(static_cast<std::size_t>(*elementCount(shape)))));
        return c;
    }
    /// Runs it beside the twin; the calls that it made.
    std::vector<LibraryCall> run(const OpCase& c) {
        libraryCalls().clear();
        const auto got = m_gpu.runOp("cuda:1/cublas", c.op, c.inputs, {});
        const auto wanted = m_twin.runOp("cpu:sm_80", c.op, c.inputs, {});
        EXPECT_EQ(got.ok(), wanted.ok()) << c.text();
        if (!got || !wanted) return libraryCalls();
        if (c.op.slots.operand == Operand::int8) {
            EXPECT_EQ(difference(*got, *wanted), "") << c.text();
        } else if (c.op.slots.storage == DType::f32) {
            const auto x = got->as<float>(), y = wanted->as<float>();
            for (std::size_t i = 0; i < y.size(); ++i)
                if (std::isfinite(y[i])) {
                    EXPECT_NEAR(x[i], y[i], 0.02 * (1 + std::fabs(y[i]))) << c.text();
                }
        }
        return libraryCalls();
    }

    Values m_values{42};
    cuda::CudaBackend m_gpu{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    host::TwinBackend m_twin;
};

/// Our [m, k] by [k, n] with 5, 7, 3 is the library's 3 by 5, or with everything padded to 16.
TEST_F(Library, EveryPrecisionIsAskedForAsTheLibrariesTakeIt) {
    struct Row {
        Operand operand;
        LibraryCall call;
    };
    using By = LibraryCall::By;
    const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const Row rows[] = {
        {Operand::f32,
         {By::gemmEx, N, N, 3, 5, 7, 3, 7, 3, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC}},
        {Operand::tf32,
         {By::lt, N, N, 3, 5, 7, 3, 7, 3, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32}},
        {Operand::fp16, {By::lt, T, N, 16, 16, 16, 16, 16, 16, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F}},
        {Operand::bf16, {By::lt, T, N, 16, 16, 16, 16, 16, 16, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F}},
        {Operand::int8, {By::lt, T, N, 16, 16, 16, 16, 16, 16, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I}},
    };
    for (const Lt how : {Lt::works, Lt::absent, Lt::knowsNoAlgorithm}) {
        cuda_on_cpu::setLt(how);
        cuda::CudaBackend anew{cuda::CudaModule::of(*divdet_backend_v1_entry())};
        for (const Row& row : rows) {
            const OpCase c = product(5, 7, 3, row.operand);
            libraryCalls().clear();
            ASSERT_TRUE(anew.runOp("cuda:1/cublas", c.op, c.inputs, {}).ok()) << c.text();
            ASSERT_EQ(libraryCalls().size(), 1u) << c.text();
            const LibraryCall &got = libraryCalls()[0], &due = row.call;
            EXPECT_EQ(got.by, how == Lt::works ? due.by : By::gemmEx) << c.text();
            const auto numbers = [](const LibraryCall& x) {
                return std::vector<int>{x.opA, x.opB, x.m,  x.n,   x.k,      x.lda,
                                        x.ldb, x.ldc, x.in, x.out, x.compute};
            };
            EXPECT_EQ(numbers(got), numbers(due)) << c.text();
        }
    }
}

TEST_F(Library, NumbersAreTheTwinsWhoeverMultiplies) {
    std::size_t exact = 0, byLt = 0;
    auto cases = productCases({{1, 1, 1}, {5, 7, 3}, {17, 61, 33}});
    const auto fused = fusedCases();
    cases.insert(cases.end(), fused.begin(), fused.end());
    for (const OpCase& c : cases) {
        for (const LibraryCall& call : run(c)) {
            const bool pedantic = call.compute == CUBLAS_COMPUTE_32F_PEDANTIC;
            EXPECT_EQ(call.by, pedantic ? LibraryCall::By::gemmEx : LibraryCall::By::lt) << c.text();
            byLt += !pedantic;
        }
        exact += c.op.slots.operand == Operand::int8;
    }
    EXPECT_GT(exact, 30u);
    EXPECT_GT(byLt, 30u);
    cuda_on_cpu::setLt(Lt::absent);
    cuda::CudaBackend plain{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    const OpCase c = product(17, 61, 33, Operand::int8);
    EXPECT_EQ(difference(*plain.runOp("cuda:1/cublas", c.op, c.inputs, {}),
                         *m_twin.runOp("cpu:sm_80", c.op, c.inputs, {})),
              "");
}

TEST_F(Library, TheHeuristicIsAskedOncePerProduct) {
    const OpCase c = product(5, 7, 3, Operand::bf16);
    run(c);
    const std::size_t asked = cuda_on_cpu::heuristicsAsked();
    run(c);
    EXPECT_EQ(cuda_on_cpu::heuristicsAsked(), asked);
    run(product(5, 17, 3, Operand::bf16));
    EXPECT_EQ(cuda_on_cpu::heuristicsAsked(), asked + 1);
}

/// Matrices of a batch begin where the one before ends, which is no multiple of 256 bytes, or of 16.
TEST_F(Library, AlgorithmsAreAskedForThePointersAsTheyLie) {
    OpCase c = product(3, 5, 7, Operand::tf32);
    for (std::size_t i = 0; i < 2; ++i) {
        const Shape shape = i == 0 ? Shape{4, 3, 5} : Shape{4, 5, 7};
        c.inputs[i] = tensorOf<float>(DType::f32, shape,
                                      m_values.normal(static_cast<std::size_t>(*elementCount(shape))));
    }
    const auto calls = run(c);
    ASSERT_EQ(calls.size(), 4u);
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(),
                            [](const LibraryCall& x) { return x.by == LibraryCall::By::lt; }));
}

TEST_F(Library, ADeviceSaysWhichLibrariesItHas) {
    cuda_on_cpu::setLt(Lt::absent);
    cuda::CudaBackend without{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    EXPECT_EQ(without.devices()[7].title,
              "executor of sm_90 by cuBLAS 13.0.0 without cuBLASLt (libcublasLt.so.13: no such file), 1 "
              "multiprocessors");
}

} // namespace
} // namespace divdet
