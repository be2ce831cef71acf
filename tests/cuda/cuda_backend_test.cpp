#include "block/op_def.h"
#include "cuda/loader/cuda_backend.h"
#include "cuda/op_cases.h"
#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/executor.h"
#include "effort.h"
#include "host/twin_backend.h"
#include "kernels/kernel_test_support.h"

/// The whole module through its table, on the executor, against the CPU twin: every op and every slot, on
/// every architecture that has a twin.
namespace divdet {
namespace {

using block::OpKind;

struct Pair {
    const char *gpu, *twin;
};
constexpr Pair kPairs[] = {
    {"cuda:1", "cpu:sm_80"}, {"cuda:2", "cpu:sm_89"}, {"cuda:3", "cpu:sm_90"}, {"cuda:4", "cpu:sm_100"}};

// Rows, terms and columns beyond a tile, with tails; columns beyond the largest tile, terms beyond a stage.
constexpr std::array<std::int64_t, 3> kTails{17, test::effort(61, 35), 33};
constexpr std::array<std::int64_t, 3> kWide{2, test::effort(97, 70), test::effort(131, 67)};

class CudaBackendTest : public testing::Test {
protected:
    Tensor normal(Shape shape) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        return tensorOf<float>(DType::f32, std::move(shape), m_values.normal(n));
    }
    static lower::LoweredOp op(OpKind kind, std::size_t inputs) {
        lower::LoweredOp o{};
        o.kind = kind;
        o.name = "y";
        for (std::size_t i = 0; i < inputs; ++i) o.inputs.push_back(i);
        o.ownInputs = inputs;
        return o;
    }

    /// The same bits, or refused by both; returns whether it ran.
    bool expectTwin(const OpCase& c, const Pair& on) {
        SCOPED_TRACE(c.text() + " on " + on.gpu);
        const auto got = m_gpu.runOp(on.gpu, c.op, c.inputs, {});
        const auto wanted = m_twin.runOp(on.twin, c.op, c.inputs, {});
        EXPECT_EQ(got.ok(), wanted.ok()) << (got ? wanted.error().text() : got.error().text());
        if (!got || !wanted) {
            EXPECT_FALSE(c.mustRun);
            return false;
        }
        EXPECT_EQ(difference(*got, *wanted), "");
        return true;
    }

    /// Architectures and orders of threads in turn; returns how many ran.
    std::size_t expectTwin(const std::vector<OpCase>& cases) {
        std::size_t ran = 0, at = 0;
        const std::uint64_t before = cuda_on_cpu::blocksRun();
        for (const OpCase& c : cases) {
            cuda_on_cpu::useOrder(static_cast<std::uint32_t>(1 + at % 3));
            ran += expectTwin(c, kPairs[(at + at / 4) % 4]); // four shapes in turn meet every architecture
            ++at;
        }
        EXPECT_GT(cuda_on_cpu::blocksRun(), before);
        return ran;
    }

    Values m_values{42};
    cuda::CudaBackend m_gpu{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    host::TwinBackend m_twin;
};

TEST_F(CudaBackendTest, ListsTheDevicesWithTheirArchitecture) {
    const auto devices = m_gpu.devices();
    ASSERT_EQ(devices.size(), 10u);
    EXPECT_EQ(devices[6].id, "cuda:3");
    EXPECT_EQ(devices[6].architecture, "sm_90");
    EXPECT_EQ(devices[6].kind, run::DeviceKind::gpu);
    EXPECT_EQ(devices[6].promise, run::Promise::exact);
    EXPECT_EQ(devices[7].id, "cuda:3/cublas");
    EXPECT_EQ(devices[7].title, "executor of sm_90 by cuBLAS 13.0.0 and cuBLASLt 13.1.2, 1 multiprocessors");
    EXPECT_EQ(devices[7].promise, run::Promise::bounded);
    EXPECT_EQ(m_gpu.runOp("cuda:9", op(OpKind::relu, 1), std::vector{normal({2})}, {}).error().code,
              ErrorCode::notFound);
}

TEST_F(CudaBackendTest, ProductsOfEverySlot) {
    EXPECT_GT(expectTwin(productCases({{1, 1, 1}, {5, 7, 3}, kTails, kWide})), 200u);
}

TEST_F(CudaBackendTest, BatchesBiasesAndFusedSteps) {
    EXPECT_GT(expectTwin(fusedCases()), 30u);
}

TEST_F(CudaBackendTest, Convolutions) {
    EXPECT_EQ(expectTwin(convolutionCases()), 9u);
}

TEST_F(CudaBackendTest, RowsInEveryOrder) {
    EXPECT_GT(expectTwin(rowCases()), 200u);
}

TEST_F(CudaBackendTest, PointwiseOpsAndStorage) {
    EXPECT_GT(expectTwin(pointwiseCases()), 100u);
}

TEST_F(CudaBackendTest, DataAndScatter) {
    EXPECT_GT(expectTwin(dataCases()), 12u);
}

TEST_F(CudaBackendTest, TensorsWithoutElementsAndWithoutTerms) {
    EXPECT_EQ(expectTwin(emptyCases()), 6u);
}

/// A slot value that came later than the loader's words must be refused, not ignored.
/// Whole numbers add exactly in any order, so the device's own atomic additions give the ordered sum.
TEST_F(CudaBackendTest, RacesScatterAddAndNothingElse) {
    lower::LoweredOp scatter = op(OpKind::scatter_add, 2);
    scatter.attributes = {{"rows", std::int64_t{3}}};
    std::vector<float> rows, source;
    for (int i = 0; i < 40; ++i) {
        rows.push_back(static_cast<float>(i % 3));
        for (int j = 0; j < 5; ++j) source.push_back(static_cast<float>(i * j % 11 - 4));
    }
    const std::vector<Tensor> inputs{tensorOf<float>(DType::f32, {40}, rows),
                                     tensorOf<float>(DType::f32, {40, 5}, source)};
    const auto ordered = m_twin.runOp("cpu:sm_80", scatter, inputs, {});
    ASSERT_TRUE(ordered.ok()) << ordered.error().text();
    run::RaceSeen seen;
    EXPECT_EQ(m_gpu.raceOp("cuda:1", scatter, inputs, {}, seen, {}).error().code, ErrorCode::usage);
    scatter.slots.order = lower::SumOrder::atomics;
    const auto raced = m_gpu.raceOp("cuda:1", scatter, inputs, {}, seen, {});
    ASSERT_TRUE(raced.ok()) << raced.error().text();
    EXPECT_EQ(difference(*raced, *ordered), "");
    EXPECT_EQ(seen.races, 1);
    EXPECT_EQ(seen.threads, 0);
    lower::LoweredOp product = op(OpKind::matmul, 2);
    product.slots.order = lower::SumOrder::atomics;
    product.slots.splits = 2;
    const std::vector<Tensor> operands{normal({4, 8}), normal({8, 4})};
    const auto refused = m_gpu.raceOp("cuda:1", product, operands, {}, seen, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_EQ(refused.error().path, "y");
    EXPECT_NE(refused.error().message.find("cuda:1 is not measured"), std::string::npos);
}

TEST_F(CudaBackendTest, RefusesSlotsItHasNoWordsFor) {
    auto o = op(OpKind::relu, 1);
    o.slots.partials = DType::f64;
    const auto refused = m_gpu.runOp("cuda:1", o, std::vector{normal({2})}, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    o.slots = {};
    o.slots.buffer = lower::Buffer::stale; // what it means is done by who calls
    EXPECT_TRUE(m_gpu.runOp("cuda:1", o, std::vector{normal({2})}, {}).ok());
}

TEST_F(CudaBackendTest, SaysWhatADeviceLacks) {
    auto o = op(OpKind::matmul, 2);
    o.slots.operand = lower::Operand::tf32;
    const auto turing = m_gpu.runOp("cuda:0", o, std::vector{normal({3, 4}), normal({4, 5})}, {});
    ASSERT_FALSE(turing.ok());
    EXPECT_EQ(turing.error().code, ErrorCode::unsupported);
    EXPECT_EQ(turing.error().message, "sm_75 has no tensor-core instruction for these operands");
}

TEST_F(CudaBackendTest, OutOfMemoryIsAnErrorAndTheSessionGoesOn) {
    const std::vector in{normal({40, 50}), normal({50, 60})};
    ASSERT_TRUE(m_gpu.runOp("cuda:1", op(OpKind::matmul, 2), in, {}).ok());
    const std::size_t before = cuda_on_cpu::buffersInUse();
    cuda_on_cpu::limitMemory(25000);
    const auto refused = m_gpu.runOp("cuda:1", op(OpKind::matmul, 2), in, {});
    cuda_on_cpu::limitMemory(cuda_on_cpu::kNoLimit);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_EQ(refused.error().message, "taking 9600 bytes of device memory: out of memory");
    EXPECT_EQ(cuda_on_cpu::buffersInUse(), before); // nothing is left behind
    EXPECT_TRUE(expectTwin(OpCase{op(OpKind::matmul, 2), in, true}, kPairs[0]));
}

TEST_F(CudaBackendTest, CancellingEndsARun) {
    const Progress progress;
    progress.token.cancel();
    const auto out = m_gpu.runOp("cuda:1", op(OpKind::relu, 1), std::vector{normal({2})}, progress);
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace divdet
