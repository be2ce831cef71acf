#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cuda/backend_abi.h"
#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/graphs.h"

/// The table's replay: which calls the driver gets, in which order, and what becomes of the numbers when it
/// refuses one of them.
namespace {

using cuda_on_cpu::graphCalls;
using cuda_on_cpu::Refused;

using Calls = std::vector<std::string>;
using Floats = std::vector<float>;

const divdet_backend_v1& table() {
    return *divdet_backend_v1_entry();
}

divdet_tensor_type vectorOf(std::int64_t n) {
    divdet_tensor_type t{};
    t.dtype = DIVDET_F32;
    t.rank = 1;
    t.extent[0] = n;
    return t;
}

/// s = 2 x, y = relu(s), z = y + w; x is (3, 4) before and (-1, 5) now, w is (10, 20).
class GraphReplay : public testing::Test {
protected:
    GraphReplay() {
        error = {sizeof error, sizeof text, text};
        EXPECT_EQ(table().open(1, &session, &error), DIVDET_OK) << text;
        values = {{vectorOf(2), "x", now, 0},
                  {vectorOf(2), "w", w, 7},
                  {vectorOf(2), "s", nullptr, 0},
                  {vectorOf(2), "y", nullptr, 0},
                  {vectorOf(2), "z", nullptr, 0}};
        ops = {{"scale", &index[0], &index[2], &factor, 1, 1, 1},
               {"relu", &index[2], &index[3], nullptr, 1, 1, 0},
               {"add", both, &index[4], nullptr, 2, 1, 0}};
        options.struct_size = sizeof options;
        graphCalls().clear();
    }
    ~GraphReplay() override {
        cuda_on_cpu::refuse(Refused::nothing);
        table().close(session);
    }
    divdet_status replay() {
        const divdet_graph graph{sizeof graph, 5,   static_cast<std::uint32_t>(ops.size()), 3, values.data(),
                                 ops.data(),   taps};
        const divdet_replay how{
            sizeof how, static_cast<std::uint32_t>(stale.size()), previous, stale.data(), note, sizeof note};
        return table().replay(session, &graph, &options, &how, &run, &failedOp, &error);
    }
    Floats tap(std::uint32_t i) {
        Floats x(2);
        EXPECT_EQ(table().tap_copy(run, i, x.data(), 8, &error), DIVDET_OK) << text;
        return x;
    }

    const float now[2] = {-1, 5}, before[2] = {3, 4}, w[2] = {10, 20};
    const std::uint32_t index[5] = {0, 1, 2, 3, 4}, both[2] = {3, 1}, taps[3] = {2, 3, 4};
    const void* previous[5] = {before, nullptr, nullptr, nullptr, nullptr};
    std::vector<std::uint32_t> stale;
    divdet_attribute factor{"factor", "0x1p1"};
    std::vector<divdet_value> values;
    std::vector<divdet_op> ops;
    divdet_run_options options{};
    char text[256] = {}, note[256] = "?";
    divdet_error error{};
    divdet_session* session = nullptr;
    divdet_run* run = nullptr;
    std::uint32_t failedOp = 99;
};

TEST_F(GraphReplay, CapturesOnceAndLaunchesTwice) {
    ASSERT_EQ(replay(), DIVDET_OK) << text;
    EXPECT_EQ(graphCalls(), (Calls{"begin", "end", "instantiate", "launch", "launch", "destroy"}));
    EXPECT_STREQ(note, "");
    EXPECT_EQ(failedOp, 3u);
    EXPECT_EQ(tap(0), (Floats{-2, 10}));
    EXPECT_EQ(tap(1), (Floats{0, 10}));
    EXPECT_EQ(tap(2), (Floats{10, 30}));
    EXPECT_LT(table().op_milliseconds(run, 0), 0);
}

TEST_F(GraphReplay, AStaleOpIsLeftOutByAnUpdate) {
    stale = {0};
    ASSERT_EQ(replay(), DIVDET_OK) << text;
    EXPECT_EQ(graphCalls(), (Calls{"begin", "end", "instantiate", "launch", "begin", "end", "update",
                                   "launch", "destroy"}));
    EXPECT_EQ(tap(0), (Floats{6, 8})); // of the previous x
    EXPECT_EQ(tap(2), (Floats{16, 28}));
    stale = {1};
    ASSERT_EQ(replay(), DIVDET_OK) << text;
    EXPECT_EQ(tap(0), (Floats{-2, 10}));
    EXPECT_EQ(tap(1), (Floats{6, 8}));
}

TEST_F(GraphReplay, RefusedCapturesAreLaunchedOneByOneWithANote) {
    stale = {1};
    const std::pair<Refused, const char*> cases[] = {
        {Refused::begin, "beginning a capture: operation not permitted when stream is capturing"},
        {Refused::end, "capturing: unknown error"},
        {Refused::instantiate, "building a graph: operation not permitted when stream is capturing"},
        {Refused::update, ""}}; // then it is built anew
    for (const auto& [what, why] : cases) {
        cuda_on_cpu::refuse(what);
        graphCalls().clear();
        ASSERT_EQ(replay(), DIVDET_OK) << text;
        EXPECT_STREQ(note, why);
        EXPECT_EQ(tap(0), (Floats{-2, 10})) << why;
        EXPECT_EQ(tap(1), (Floats{6, 8})) << why;
        EXPECT_EQ(tap(2), (Floats{16, 28})) << why;
    }
    EXPECT_EQ(graphCalls(), (Calls{"begin", "end", "instantiate", "launch", "begin", "end", "update",
                                   "destroy", "instantiate", "launch", "destroy"}));
}

TEST_F(GraphReplay, WhatFailsIsAValue) {
    cuda_on_cpu::refuse(Refused::launch);
    EXPECT_EQ(replay(), DIVDET_DEVICE_ERROR);
    EXPECT_STREQ(text, "launching a captured graph: invalid device ordinal");
    EXPECT_EQ(run, nullptr);
    cuda_on_cpu::refuse(Refused::nothing);
    stale = {3};
    EXPECT_EQ(replay(), DIVDET_INVALID);
    stale.clear();
    previous[3] = before;
    EXPECT_EQ(replay(), DIVDET_INVALID);
    EXPECT_STREQ(text, "previous bytes of a value that has none of its own");
    previous[3] = nullptr;
    ops[1] = {"fold", &index[2], &index[3], nullptr, 1, 1, 0};
    EXPECT_EQ(replay(), DIVDET_UNSUPPORTED);
    EXPECT_EQ(failedOp, 1u);
    ops[1] = {"relu", &index[2], &index[3], nullptr, 1, 1, 0};
    int asked = 0; // cancelled while capturing: the stream must be free again
    options.context = &asked;
    options.cancelled = [](void* context) { return ++*static_cast<int*>(context) == 5 ? 1 : 0; };
    EXPECT_EQ(replay(), DIVDET_CANCELLED);
    EXPECT_FALSE(cuda_on_cpu::capturing());
    options.cancelled = nullptr;
    EXPECT_EQ(replay(), DIVDET_OK);
}

TEST_F(GraphReplay, MemoryIsGivenBackWithTheRun) {
    ASSERT_EQ(replay(), DIVDET_OK) << text;
    table().release(run);
    const std::size_t after = cuda_on_cpu::buffersInUse(); // w is kept under its key
    stale = {0, 2};
    ASSERT_EQ(replay(), DIVDET_OK) << text;
    EXPECT_GT(cuda_on_cpu::buffersInUse(), after);
    table().release(run);
    EXPECT_EQ(cuda_on_cpu::buffersInUse(), after);
}

} // namespace
