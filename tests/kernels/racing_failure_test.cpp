// A thread that cannot be made, or that fails while it adds, ends the race in an error value: with threads
// left at the starting line the test would never end.
#include <atomic>
#include <new>
#include <system_error>

#include <gtest/gtest.h>

#include "host/racing.h"
#include "host/twin_backend.h"
#include "host/twin_ops.h"
#include "lower/lower.h"
#include "run/inputs.h"

namespace divdet {
namespace {

/// A machine with room for `most` threads beside the calling one.
struct FewThreads {
    int most;
    std::atomic<int> made{0}, ended{0};

    host::RacingThreads racing(int count) {
        return {count, [this](std::function<void()> work) {
                    if (made == most)
                        throw std::system_error(
                            std::make_error_code(std::errc::resource_unavailable_try_again));
                    ++made;
                    return std::jthread([this, work = std::move(work)] {
                        work();
                        ++ended;
                    });
                }};
    }
};

struct Sums {
    std::vector<float> x = std::vector<float>(64 * 128, 1.0f), sums = std::vector<float>(64);
    run::RaceSeen seen;

    Status race(const host::RacingThreads& threads) {
        return host::raceSumRows(x.data(), 64, 128, 128, 8, sums.data(), threads, seen);
    }
};

TEST(RacingFailure, AThreadThatCannotBeMadeEndsTheRace) {
    for (const int most : {0, 1, 3}) {
        FewThreads machine{most};
        Sums s;
        const auto done = s.race(machine.racing(5));
        ASSERT_FALSE(done.ok());
        EXPECT_EQ(done.error().code, ErrorCode::refused);
        EXPECT_NE(done.error().message.find(std::to_string(most + 1) + " of 5 threads"), std::string::npos)
            << done.error().text();
        EXPECT_NE(done.error().hint.find("--threads"), std::string::npos);
        EXPECT_EQ(machine.ended, most); // joined before the error is returned
        EXPECT_EQ(s.seen.races, 0);     // what did not run was not seen
    }
}

TEST(RacingFailure, JustEnoughThreadsRace) {
    FewThreads machine{4};
    Sums s;
    const auto done = s.race(machine.racing(5));
    ASSERT_TRUE(done.ok()) << done.error().text();
    EXPECT_EQ(s.seen.threads, 5);
    EXPECT_EQ(machine.ended, 4);
    for (const float sum : s.sums) EXPECT_EQ(sum, 128.0f);
}

TEST(RacingFailure, AnExceptionInAThreadIsItsError) {
    const auto part = [](const void*, std::size_t chunk, float* partial) {
        if (chunk == 2) throw std::bad_alloc();
        partial[0] = 1;
    };
    float c = 0;
    run::RaceSeen seen;
    for (const int threads : {1, 3}) {
        const auto done = host::raceChunks(6, 1, nullptr, part, &c, {threads}, seen);
        ASSERT_FALSE(done.ok());
        EXPECT_EQ(done.error().code, ErrorCode::refused);
        EXPECT_NE(done.error().message.find("memory"), std::string::npos) << done.error().text();
    }
    const auto other = [](const void*, std::size_t, float*) { throw std::runtime_error("a broken part"); };
    const auto done = host::raceChunks(1, 1, nullptr, other, &c, {2}, seen);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::internal);
    EXPECT_NE(done.error().message.find("a broken part"), std::string::npos);
    EXPECT_EQ(seen.races, 0);
}

/// Every op that races says which op it was.
TEST(RacingFailure, OpsPassTheErrorOn) {
    block::Graph g;
    const auto x = g.addInput("x", {5, 67}), w = g.addWeight("w", {67, 11}, {});
    const auto rows = g.addInput("rows", {5}, {.kind = block::FillKind::indices, .limit = 3});
    g.markOutput(g.addOp(block::OpKind::matmul, "product", {x, w}));
    g.markOutput(g.addOp(block::OpKind::reduce_sum, "sum", {x}));
    g.markOutput(g.addOp(block::OpKind::scatter_add, "scatter", {rows, x}, {{"rows", std::int64_t{3}}}));
    const auto bound = block::bind(g);
    ASSERT_TRUE(bound.ok()) << bound.error().text();
    const auto program = lower::lower(*bound, {*lower::parsePass("atomics")});
    ASSERT_TRUE(program.ok()) << program.error().text();
    const auto inputs = run::makeInputs(*bound, 0);
    int raced = 0;
    for (const lower::LoweredOp& op : program->ops) {
        std::vector<Tensor> in;
        for (const auto i : op.inputs) in.push_back(inputs->tensors[i]);
        FewThreads machine{1};
        run::RaceSeen seen;
        const host::twin::Race race{machine.racing(3), seen};
        const host::twin::Call call{op, in, numerics::Arch::sm80, {}, &race};
        const auto out = op.kind == block::OpKind::matmul       ? host::twin::product(call)
                         : op.kind == block::OpKind::reduce_sum ? host::twin::reduceRows(call)
                                                                : host::twin::scatterAddRows(call);
        ASSERT_FALSE(out.ok()) << op.name;
        EXPECT_EQ(out.error().code, ErrorCode::refused) << op.name;
        EXPECT_EQ(out.error().path, op.name);
        ++raced;
    }
    EXPECT_EQ(raced, 3);
}

TEST(RacingFailure, NobodyMakesThousandsOfThreads) {
    lower::LoweredOp op;
    op.slots.order = lower::SumOrder::atomics;
    run::RaceSeen seen;
    host::TwinBackend twin;
    const auto out = twin.raceOp("cpu:sm_80", op, {}, {host::kMostRacingThreads + 1}, seen, {});
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code, ErrorCode::usage);
    EXPECT_NE(out.error().hint.find("1024"), std::string::npos);
}

} // namespace
} // namespace divdet
