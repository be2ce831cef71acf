#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "cuda/loader/cuda_backend.h"
#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/graphs.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "run/execute.h"
#include "run/replay.h"

/// What is on the device is not sent there again, and what has changed is: programs on the executor beside
/// the twin, with the copies from host to device counted.
namespace divdet {
namespace {

class Uploads : public testing::Test {
protected:
    void SetUp() override {
        block = *block::bind(*block::preset("mlp"), {{"tokens", 3}, {"width", 16}, {"hidden", 24}});
        inputs = *run::makeInputs(block, 7);
    }
    lower::LoweredGraph program(const std::vector<std::string>& passes) const {
        std::vector<lower::PassChoice> choices;
        for (const std::string& p : passes) choices.push_back(*lower::parsePass(p));
        return *lower::lower(block, choices);
    }
    run::Target gpuTarget(run::OpCache* cache = nullptr) { return {gpu, "cuda:1", cache}; }

    static bool sameBits(const run::Taps& a, const run::Taps& b) {
        bool same = a.taps.size() == b.taps.size();
        for (std::size_t i = 0; same && i < a.taps.size(); ++i) {
            const Tensor &x = a.taps[i].tensor, &y = b.taps[i].tensor;
            same = x.dtype() == y.dtype() && x.shape() == y.shape() &&
                   std::memcmp(x.view().data, y.view().data,
                               static_cast<std::size_t>(x.elements()) * itemSize(x.dtype())) == 0;
        }
        return same;
    }
    /// Uploads of a run whose taps must be the twin's.
    std::uint64_t execute(const lower::LoweredGraph& p, const run::Inputs& on,
                          run::OpCache* cache = nullptr) {
        const std::uint64_t before = cuda_on_cpu::uploads();
        const auto got = run::execute(p, on, gpuTarget(cache));
        const std::uint64_t count = cuda_on_cpu::uploads() - before;
        EXPECT_TRUE(got.ok()) << got.error().text();
        EXPECT_TRUE(got.ok() && sameBits(*got, *run::execute(p, on, {twin, "cpu:sm_80"})));
        return count;
    }
    std::uint64_t replay(const lower::LoweredGraph& p, const run::Inputs& previous, const run::Inputs& on) {
        const std::uint64_t before = cuda_on_cpu::uploads();
        const auto plan = run::planMemory(p);
        const auto got = run::replay(p, plan, previous, on, gpuTarget());
        const std::uint64_t count = cuda_on_cpu::uploads() - before;
        EXPECT_TRUE(got.ok()) << got.error().text();
        EXPECT_TRUE(got.ok() && sameBits(*got, *run::replay(p, plan, previous, on, {twin, "cpu:sm_80"})));
        return count;
    }
    /// Inputs and weights that the block reads.
    std::uint64_t leaves() const {
        std::uint64_t n = 0;
        for (const auto& v : block.graph.values) n += v.role != block::Role::intermediate;
        return n;
    }

    block::BoundGraph block;
    run::Inputs inputs;
    cuda::CudaBackend gpu{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    host::TwinBackend twin;
};

TEST_F(Uploads, EveryInputGoesOnceAndNoResultGoesBack) {
    const auto plain = program({});
    EXPECT_EQ(execute(plain, inputs), leaves());
    EXPECT_EQ(execute(plain, inputs), 0u);
    // Another program over the same weights, and results that the op cache remembers.
    run::OpCache cache;
    EXPECT_EQ(execute(program({"tf32"}), inputs, &cache), 0u);
    EXPECT_EQ(execute(program({"tf32", "reassociate=splitk:4@down"}), inputs, &cache), 0u);
    EXPECT_GT(cache.counters().hits, 0);
    EXPECT_GT(execute(program({"bf16"}), inputs), 0u); // inputs kept in another dtype have other bits
}

TEST_F(Uploads, OtherInputsAreSent) {
    const auto plain = program({});
    execute(plain, inputs);
    const auto other = *run::otherInputs(block, inputs, 7);
    EXPECT_EQ(execute(plain, other), 1u); // x; the weights are there
    EXPECT_EQ(execute(plain, *run::makeInputs(block, 8)), leaves());
    EXPECT_EQ(execute(plain, inputs), 0u);
}

/// In a replay the bytes of a buffer change under its readers.
TEST_F(Uploads, AReplayReadsWhatItsBuffersHold) {
    auto stale = program({});
    const auto other = *run::otherInputs(block, inputs, 7);
    execute(stale, inputs);
    const auto first = replay(stale, other, inputs);
    EXPECT_GT(first, 0u);
    for (auto& op : stale.ops)
        if (op.name == "up") op.slots.buffer = lower::Buffer::stale;
    EXPECT_EQ(replay(stale, other, inputs), first);
    EXPECT_EQ(replay(stale, inputs, other), first);
    execute(program({}), other);
}

/// The same program replayed by the module as a captured graph, by the ops of a module that is too old for
/// that, and by the twin: the same bits, whatever was stale.
TEST_F(Uploads, AReplayedProgramHasTheTwinsBits) {
    divdet_backend_v1 old = *divdet_backend_v1_entry();
    old.struct_size = DIVDET_BACKEND_FIRST_SIZE;
    cuda::CudaBackend oldGpu{cuda::CudaModule::of(old)};
    for (const std::vector<std::string>& passes : {std::vector<std::string>{"stale-buffer"},
                                                   {"stale-buffer", "tf32", "fuse"},
                                                   {"stale-buffer", "int8"},
                                                   {"stale-buffer", "bf16"}}) {
        const auto p = program(passes);
        ASSERT_TRUE(run::needsReplay(p));
        const auto wanted = run::runProgram(p, inputs, 7, {twin, "cpu:sm_80"});
        cuda_on_cpu::graphCalls().clear();
        const auto got = run::runProgram(p, inputs, 7, gpuTarget());
        ASSERT_TRUE(got.ok()) << got.error().text();
        EXPECT_TRUE(sameBits(*got, *wanted)) << passes[0];
        EXPECT_EQ(std::count(cuda_on_cpu::graphCalls().begin(), cuda_on_cpu::graphCalls().end(), "launch"),
                  2);
        EXPECT_TRUE(got->notes.empty());
        cuda_on_cpu::refuse(cuda_on_cpu::Refused::begin);
        const auto singly = run::runProgram(p, inputs, 7, gpuTarget());
        cuda_on_cpu::refuse(cuda_on_cpu::Refused::nothing);
        EXPECT_TRUE(sameBits(*singly, *wanted)) << passes[0];
        ASSERT_EQ(singly->notes.size(), 1u);
        EXPECT_EQ(singly->notes[0],
                  "cuda:1 replayed the program launch by launch, as it captured no CUDA graph "
                  "(beginning a capture: operation not permitted when stream is capturing)");
        cuda_on_cpu::graphCalls().clear();
        const auto byOps = run::runProgram(p, inputs, 7, {oldGpu, "cuda:1"});
        EXPECT_TRUE(byOps.ok() && sameBits(*byOps, *wanted)) << passes[0];
        EXPECT_TRUE(cuda_on_cpu::graphCalls().empty());
        const auto library = run::runProgram(p, inputs, 7, {gpu, "cuda:1/cublas"});
        EXPECT_TRUE(library.ok() && library->taps.size() == wanted->taps.size());
    }
    execute(program({}), inputs); // nothing that a session keeps was overwritten
    execute(program({}), *run::otherInputs(block, inputs, 7));
}

TEST_F(Uploads, AreSentAgainAfterMemoryWasShort) {
    const auto plain = program({});
    EXPECT_EQ(execute(plain, inputs), leaves());
    const std::size_t kept = cuda_on_cpu::bytesInUse();
    EXPECT_GT(kept, 4000u);
    cuda_on_cpu::limitMemory(kept + 100); // less than any weight's copy and result together need
    const auto other = *run::makeInputs(block, 8);
    EXPECT_GE(execute(plain, other), leaves());
    cuda_on_cpu::limitMemory(cuda_on_cpu::kNoLimit);
    EXPECT_GT(execute(plain, inputs), 0u);
    EXPECT_EQ(execute(plain, inputs), 0u);
}

} // namespace
} // namespace divdet
