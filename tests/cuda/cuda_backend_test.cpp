#include <cstring>
#include <filesystem>
#include <fstream>

#include "block/op_def.h"
#include "cuda/loader/cuda_backend.h"
#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/executor.h"
#include "host/twin_backend.h"
#include "kernels/kernel_test_support.h"
#include "lower/lowered.h"
#include "scratch_folder.h"

/// The whole module through its table, on the executor, against the CPU twin: every op and every slot, on
/// every architecture that has a twin.
namespace divdet {
namespace {

using block::OpKind;
using lower::Slots;

struct Pair {
    const char *gpu, *twin;
};
constexpr Pair kPairs[] = {
    {"cuda:1", "cpu:sm_80"}, {"cuda:2", "cpu:sm_89"}, {"cuda:3", "cpu:sm_90"}, {"cuda:4", "cpu:sm_100"}};

class CudaBackendTest : public testing::Test {
protected:
    Tensor normal(Shape shape, float scale = 1) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        return f32(std::move(shape), m_values.normal(n, scale));
    }
    static Tensor f32(Shape shape, const std::vector<float>& values) {
        return tensorOf<float>(DType::f32, std::move(shape), values);
    }
    Tensor indices(std::int64_t n, std::int64_t rows) {
        std::vector<float> x(static_cast<std::size_t>(n));
        for (float& v : x) v = static_cast<float>(m_values.below(static_cast<std::size_t>(rows)));
        return f32({n}, x);
    }

    static lower::LoweredOp op(OpKind kind, std::size_t inputs, block::Attributes attributes = {}) {
        lower::LoweredOp o{};
        o.kind = kind;
        o.name = "y";
        o.attributes = std::move(attributes);
        for (std::size_t i = 0; i < inputs; ++i) o.inputs.push_back(i);
        o.ownInputs = inputs;
        return o;
    }

    /// Equal dtype, shape and bits (NaNs: equal places), or both unsupported; returns whether it ran.
    bool expectTwin(const lower::LoweredOp& o, const std::vector<Tensor>& in, const Pair& on,
                    std::uint32_t order = 1) {
        SCOPED_TRACE(std::string(block::name(o.kind)) + " " + lower::toString(o.slots) + " on " + on.gpu);
        cuda_on_cpu::useOrder(order);
        const auto got = m_gpu.runOp(on.gpu, o, in, {});
        const auto wanted = m_twin.runOp(on.twin, o, in, {});
        EXPECT_EQ(got.ok(), wanted.ok()) << (got ? wanted.error().text() : got.error().text());
        if (!got || !wanted) return false;
        EXPECT_EQ(got->dtype(), wanted->dtype());
        EXPECT_EQ(got->shape(), wanted->shape());
        if (o.slots.storage == DType::f32) {
            const auto x = got->as<float>(), y = wanted->as<float>();
            for (std::size_t i = 0; i < y.size(); ++i)
                if (!sameValue(x[i], y[i])) {
                    ADD_FAILURE() << "element " << i << ": " << x[i] << ", the twin has " << y[i];
                    break;
                }
        } else {
            const auto x = got->as<std::uint16_t>(), y = wanted->as<std::uint16_t>();
            EXPECT_EQ(std::vector(x.begin(), x.end()), std::vector(y.begin(), y.end()));
        }
        return true;
    }

    Values m_values{41};
    cuda::CudaBackend m_gpu{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    host::TwinBackend m_twin;
};

/// One value of each slot that a product knows, and combinations that only make sense together.
std::vector<Slots> productSlots() {
    std::vector<Slots> all;
    const auto with = [&](auto set) {
        Slots s;
        set(s);
        all.push_back(s);
    };
    using namespace lower;
    with([](Slots&) {});
    for (const SumOrder order : {SumOrder::pairwise, SumOrder::strided})
        with([&](Slots& s) { s.order = order; });
    for (const Operand operand : {Operand::f32, Operand::tf32, Operand::bf16, Operand::fp16, Operand::int4,
                                  Operand::fp8, Operand::int8}) {
        with([&](Slots& s) { s.operand = operand; });
        for (const Accumulator a : {Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16})
            with([&](Slots& s) { s.operand = operand, s.accumulator = a; });
        for (const DType partials : {DType::f32, DType::bf16, DType::f16})
            for (const SumOrder order : {SumOrder::splitK, SumOrder::atomics})
                with([&](Slots& s) {
                    s.operand = operand, s.order = order, s.splits = 3, s.partials = partials;
                    s.orderSeed = order == SumOrder::atomics ? 0xFEDCBA9876543210ull : 0;
                });
        with([&](Slots& s) { s.operand = operand, s.tailTile = 16; });
        with([&](Slots& s) { s.operand = operand, s.missingBarrier = true, s.barrierSeed = 5; });
        with([&](Slots& s) {
            s.operand = operand, s.missingBarrier = true, s.barrierSeed = 6;
            s.order = SumOrder::atomics, s.splits = 4, s.orderSeed = 9;
        });
        with([&](Slots& s) { s.operand = operand, s.order = SumOrder::pairwise; });
        with([&](Slots& s) { s.operand = operand, s.storage = DType::bf16; });
    }
    for (const Tf32Mode mode : {Tf32Mode::nearestAway, Tf32Mode::towardZero})
        with([&](Slots& s) { s.operand = Operand::tf32, s.tf32Mode = mode; });
    with([](Slots& s) { s.operand = Operand::fp8, s.fp8Format = Fp8Format::e5m2; });
    with([](Slots& s) { s.operand = Operand::int4, s.group = 8; });
    with([](Slots& s) { s.operand = Operand::int8, s.granularity = Granularity::perTensor; });
    for (const Scales scales : {Scales::clippedWeight, Scales::clippedActivation, Scales::neighbour})
        for (const Granularity g : {Granularity::perToken, Granularity::perTensor})
            with([&](Slots& s) {
                s.operand = Operand::int8, s.granularity = g, s.scales = scales;
                s.scaleChannel = 3, s.clip = scales == Scales::neighbour ? 1.0f : 0.5f;
            });
    with([](Slots& s) { s.subnormals = Subnormals::flushed; });
    with([](Slots& s) { s.storage = DType::f16; });
    return all;
}

TEST_F(CudaBackendTest, ListsTheDevicesWithTheirArchitecture) {
    const auto devices = m_gpu.devices();
    ASSERT_EQ(devices.size(), 5u);
    EXPECT_EQ(devices[3].id, "cuda:3");
    EXPECT_EQ(devices[3].architecture, "sm_90");
    EXPECT_EQ(devices[3].kind, run::DeviceKind::gpu);
    EXPECT_EQ(devices[3].promise, run::Promise::exact);
    EXPECT_EQ(m_gpu.runOp("cuda:9", op(OpKind::relu, 1), std::vector{normal({2})}, {}).error().code,
              ErrorCode::notFound);
}

TEST_F(CudaBackendTest, ProductsOfEverySlot) {
    const std::vector<std::array<std::int64_t, 3>> shapes = {
        {1, 1, 1}, {5, 7, 3}, {17, 61, 33}, {2, 97, 131}};
    std::size_t ran = 0, at = 0;
    const std::uint64_t before = cuda_on_cpu::blocksRun();
    for (const Slots& slots : productSlots())
        for (const auto& [m, k, n] : shapes) {
            auto o = op(OpKind::matmul, 2);
            o.slots = slots;
            ran += expectTwin(o, {normal({m, k}), normal({k, n})}, kPairs[at % 4], 1 + at % 3);
            ++at;
        }
    EXPECT_GT(ran, 200u);
    EXPECT_GT(cuda_on_cpu::blocksRun(), before + ran);
}

TEST_F(CudaBackendTest, BatchesBiasesAndFusedSteps) {
    std::size_t at = 0;
    for (const lower::Operand operand : {lower::Operand::f32, lower::Operand::tf32, lower::Operand::int8})
        for (const bool fused : {false, true})
            for (const bool barrier : {false, true}) {
                auto o = op(OpKind::matmul, 3);
                o.slots.operand = operand;
                o.slots.fused = fused;
                o.slots.missingBarrier = barrier;
                const std::vector<Tensor> in{normal({3, 5, 19}), normal({3, 19, 37}), normal({37}),
                                             normal({3, 5, 37}), normal({37})};
                expectTwin(o, {in[0], in[1], in[2]}, kPairs[at++ % 4]);
                o.slots.storage = DType::bf16;
                expectTwin(o, {in[0], in[1], in[2]}, kPairs[at++ % 4]);
                if (!fused) continue;
                for (std::size_t i : {3, 4}) o.inputs.push_back(i);
                Slots fast;
                fast.maths = lower::Maths::fast;
                fast.formula = lower::Formula::geluTanh;
                o.fused = {{OpKind::add, {}, 3, {}},
                           {OpKind::gelu, {}, std::nullopt, fast},
                           {OpKind::scale, {{"factor", 0.3}}, std::nullopt, {}},
                           {OpKind::mul, {}, 4, {}},
                           {OpKind::causal_mask, {{"offset", std::int64_t{2}}}, std::nullopt, {}},
                           {OpKind::silu, {}, std::nullopt, {}},
                           {OpKind::relu, {}, std::nullopt, {}}};
                EXPECT_TRUE(expectTwin(o, in, kPairs[at++ % 4]));
                o.fused.erase(o.fused.begin()); // the residual is not the first step: it stays one of its own
                o.fused.push_back({OpKind::add, {}, 3, {}});
                EXPECT_TRUE(expectTwin(o, in, kPairs[at++ % 4]));
            }
}

TEST_F(CudaBackendTest, Convolutions) {
    const block::Attributes attributes{{"groups", std::int64_t{2}},
                                       {"stride_x", std::int64_t{2}},
                                       {"pad_top", std::int64_t{1}},
                                       {"pad_right", std::int64_t{2}},
                                       {"dilation_y", std::int64_t{2}}};
    const Tensor x = normal({2, 4, 9, 5}), w = normal({6, 2, 3, 2}), b = normal({6});
    for (const lower::Operand operand : {lower::Operand::f32, lower::Operand::bf16, lower::Operand::int8})
        for (const bool fused : {false, true}) {
            auto o = op(OpKind::conv2d, 3, attributes);
            o.slots.operand = operand;
            o.slots.fused = fused;
            EXPECT_TRUE(expectTwin(o, {x, w, b}, kPairs[0]));
            if (!fused) continue;
            const auto y = m_twin.runOp("cpu:sm_80", o, std::vector{x, w, b}, {});
            o.inputs.push_back(3);
            o.fused = {{OpKind::add, {}, 3, {}}, {OpKind::relu, {}, std::nullopt, {}}};
            EXPECT_TRUE(expectTwin(o, {x, w, b, normal(y->shape())}, kPairs[2]));
        }
}

TEST_F(CudaBackendTest, RowsInEveryOrder) {
    using namespace lower;
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 5, 31}, Shape{2, 257}}) {
        const Tensor x = normal(shape, 2), gain = normal({shape.back()}), bias = normal({shape.back()});
        for (const SumOrder order : {SumOrder::published, SumOrder::pairwise, SumOrder::strided,
                                     SumOrder::splitK, SumOrder::atomics})
            for (const Maths maths : {Maths::exact, Maths::fast}) {
                Slots s;
                s.order = order;
                s.maths = maths;
                s.splits = order == SumOrder::splitK || order == SumOrder::atomics ? 4 : 1;
                for (auto [o, in] : {std::pair{op(OpKind::rmsnorm, 2, {{"eps", 1e-6}}), std::vector{x, gain}},
                                     {op(OpKind::layernorm, 3, {{"eps", 1e-5}}), {x, gain, bias}},
                                     {op(OpKind::layernorm, 2, {{"eps", 1e-5}}), {x, gain}},
                                     {op(OpKind::softmax, 1), {x}},
                                     {op(OpKind::reduce_sum, 1), {x}}}) {
                    o.slots = s;
                    expectTwin(o, in, kPairs[0]);
                    o.slots.storage = DType::bf16;
                    expectTwin(o, in, kPairs[0]);
                }
            }
        for (const Accumulator a : {Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16}) {
            auto o = op(OpKind::reduce_sum, 1);
            o.slots.accumulator = a;
            o.slots.tailTile = 8;
            expectTwin(o, {x}, kPairs[1]);
        }
    }
}

TEST_F(CudaBackendTest, PointwiseOpsAndStorage) {
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 5, 7}, Shape{13, 101}}) {
        std::vector<float> any = m_values.anyBits(static_cast<std::size_t>(*elementCount(shape)));
        const Tensor x = f32(shape, any), y = normal(shape), row = normal({shape.back()});
        for (const DType storage : {DType::f32, DType::bf16, DType::f16})
            for (const auto subnormals : {lower::Subnormals::kept, lower::Subnormals::flushed})
                for (auto [o, in] : {std::pair{op(OpKind::add, 2), std::vector{x, y}},
                                     {op(OpKind::mul, 2), {x, row}},
                                     {op(OpKind::scale, 1, {{"factor", 0.3}}), {x}},
                                     {op(OpKind::causal_mask, 1, {{"offset", std::int64_t{-1}}}), {x}},
                                     {op(OpKind::gelu, 1), {x}},
                                     {op(OpKind::silu, 1), {x}},
                                     {op(OpKind::relu, 1), {x}}}) {
                    o.slots.storage = storage;
                    o.slots.subnormals = subnormals;
                    if (storage == DType::f32) o.slots.maths = lower::Maths::fast;
                    EXPECT_TRUE(expectTwin(o, in, kPairs[0]));
                }
    }
}

TEST_F(CudaBackendTest, DataAndScatter) {
    const Tensor a = normal({3, 5, 7});
    EXPECT_TRUE(expectTwin(op(OpKind::transpose, 1), {a}, kPairs[0]));
    EXPECT_TRUE(expectTwin(op(OpKind::transpose, 1, {{"perm", "2,0,1"}}), {a}, kPairs[0]));
    EXPECT_TRUE(
        expectTwin(op(OpKind::split_heads, 1, {{"heads", std::int64_t{5}}}), {normal({7, 30})}, kPairs[0]));
    EXPECT_TRUE(expectTwin(op(OpKind::merge_heads, 1), {a}, kPairs[0]));
    EXPECT_TRUE(expectTwin(op(OpKind::embedding, 2), {indices(23, 11), normal({11, 3})}, kPairs[0]));
    EXPECT_FALSE(expectTwin(op(OpKind::embedding, 2), {f32({1}, {11}), normal({11, 3})}, kPairs[0]));
    const Tensor x = normal({6, 31}, 50), scale = f32({31}, std::vector<float>(31, 0.37f)),
                 zero = f32({31}, std::vector<float>(31, 3.0f));
    EXPECT_TRUE(expectTwin(op(OpKind::quantize, 3), {x, scale, zero}, kPairs[0]));
    EXPECT_TRUE(expectTwin(op(OpKind::dequantize, 2, {{"axis", std::int64_t{0}}}),
                           {x, f32({6}, {1, 2, 3, 4, 5, 6})}, kPairs[0]));
    for (const lower::SumOrder order : {lower::SumOrder::published, lower::SumOrder::pairwise,
                                        lower::SumOrder::strided, lower::SumOrder::splitK})
        for (const auto accumulator : {lower::Accumulator::native, lower::Accumulator::bf16}) {
            auto o = op(OpKind::scatter_add, 2, {{"rows", std::int64_t{9}}});
            o.slots.order = order;
            o.slots.splits = order == lower::SumOrder::splitK ? 3 : 1;
            o.slots.accumulator = accumulator;
            EXPECT_TRUE(expectTwin(o, {indices(101, 7), normal({101, 13})}, kPairs[0]));
        }
    // Atomic additions have no twin; the GPU adds them in the order in which they arrive.
    auto atomic = op(OpKind::scatter_add, 2, {{"rows", std::int64_t{9}}});
    atomic.slots.order = lower::SumOrder::atomics;
    atomic.slots.splits = 2;
    EXPECT_TRUE(m_gpu.runOp("cuda:1", atomic, std::vector{indices(10, 9), normal({10, 3})}, {}).ok());
}

TEST_F(CudaBackendTest, TensorsWithoutElementsAndWithoutTerms) {
    EXPECT_TRUE(expectTwin(op(OpKind::matmul, 2), {normal({3, 0}), normal({0, 5})}, kPairs[0]));
    EXPECT_TRUE(expectTwin(op(OpKind::matmul, 2), {normal({0, 4}), normal({4, 5})}, kPairs[0]));
    for (const auto operand : {lower::Operand::int8, lower::Operand::fp16, lower::Operand::fp8}) {
        auto o = op(OpKind::matmul, 2);
        o.slots.operand = operand;
        o.slots.order = lower::SumOrder::splitK;
        o.slots.splits = 3;
        EXPECT_TRUE(expectTwin(o, {normal({3, 0}), normal({0, 5})}, kPairs[0]));
    }
    EXPECT_TRUE(expectTwin(op(OpKind::relu, 1), {normal({0, 4})}, kPairs[0]));
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
    EXPECT_TRUE(expectTwin(op(OpKind::matmul, 2), in, kPairs[0]));
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
