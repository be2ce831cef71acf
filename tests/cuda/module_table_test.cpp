#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/backend_abi.h"
#include "cuda_on_cpu/device.h"

/// The table as a program in another language would use it: graphs of several ops, errors, sizes.
namespace {

const divdet_backend_v1& table() {
    return *divdet_backend_v1_entry();
}

divdet_tensor_type vectorOf(std::int64_t n, divdet_dtype dtype = DIVDET_F32) {
    divdet_tensor_type t{};
    t.dtype = dtype;
    t.rank = 1;
    t.extent[0] = n;
    return t;
}

/// y = relu(scale(x)), z = y + x, taps z and y.
class ModuleTable : public testing::Test {
protected:
    ModuleTable() {
        error = {sizeof error, sizeof text, text};
        EXPECT_EQ(table().open(1, &session, &error), DIVDET_OK) << text;
        values = {{vectorOf(3), "x", x, 7},
                  {vectorOf(3), "s", nullptr, 0},
                  {vectorOf(3), "y", nullptr, 0},
                  {vectorOf(3, DIVDET_BF16), "z", nullptr, 0}};
        ops = {{"scale", &index[0], &index[1], &factor, 1, 1, 1},
               {"relu", &index[1], &index[2], nullptr, 1, 1, 0},
               {"add", both, &index[3], nullptr, 2, 1, 0}};
        options.struct_size = sizeof options;
    }
    ~ModuleTable() override { table().close(session); }

    divdet_graph graph() const {
        return {sizeof(divdet_graph),
                static_cast<std::uint32_t>(values.size()),
                static_cast<std::uint32_t>(ops.size()),
                2,
                values.data(),
                ops.data(),
                taps};
    }
    divdet_status run() {
        const divdet_graph g = graph();
        return table().run(session, &g, &options, &result, &failedOp, &error);
    }

    float x[3] = {-1, 2, 3};
    const std::uint32_t index[4] = {0, 1, 2, 3}, both[2] = {2, 0}, taps[2] = {3, 2};
    divdet_attribute factor{"factor", "0x1p1"};
    std::vector<divdet_value> values;
    std::vector<divdet_op> ops;
    divdet_run_options options{};
    char text[256] = {};
    divdet_error error{};
    divdet_session* session = nullptr;
    divdet_run* result = nullptr;
    std::uint32_t failedOp = 99;
};

TEST_F(ModuleTable, RunsAGraphAndHandsOutItsTaps) {
    for (int again = 0; again < 2; ++again) { // the second time x is still there, by its cache key
        ASSERT_EQ(run(), DIVDET_OK) << text;
        divdet_tensor_type type{};
        ASSERT_EQ(table().tap_type(result, 0, &type, &error), DIVDET_OK);
        EXPECT_EQ(type.dtype, DIVDET_BF16);
        std::uint16_t z[3];
        float y[3];
        ASSERT_EQ(table().tap_copy(result, 0, z, sizeof z, &error), DIVDET_OK) << text;
        ASSERT_EQ(table().tap_copy(result, 1, y, sizeof y, &error), DIVDET_OK) << text;
        EXPECT_EQ(std::vector<float>(y, y + 3), (std::vector<float>{0, 4, 6}));
        EXPECT_EQ(std::vector<std::uint16_t>(z, z + 3), (std::vector<std::uint16_t>{0xBF80, 0x40C0, 0x4110}));
        EXPECT_GE(table().op_milliseconds(result, 2), 0);
        EXPECT_LT(table().op_milliseconds(result, 3), 0);
        EXPECT_EQ(table().tap_copy(result, 0, z, 5, &error), DIVDET_INVALID);
        EXPECT_EQ(table().tap_copy(result, 2, z, 6, &error), DIVDET_NOT_FOUND);
        table().release(result);
    }
}

TEST_F(ModuleTable, NamesTheOpThatFailsAndWhy) {
    const divdet_attribute strange{"tempo", "presto"};
    ops[1].attributes = &strange;
    ops[1].attribute_count = 1;
    EXPECT_EQ(run(), DIVDET_UNSUPPORTED);
    EXPECT_EQ(failedOp, 1u);
    EXPECT_STREQ(text, "attribute tempo means nothing to this op");
    EXPECT_EQ(result, nullptr);
    ops[1] = {"fold", &index[1], &index[2], nullptr, 1, 1, 0};
    EXPECT_EQ(run(), DIVDET_UNSUPPORTED);
    EXPECT_STREQ(text, "this module has no op fold");
    ops[1] = {"relu", &index[3], &index[2], nullptr, 1, 1, 0};
    EXPECT_EQ(run(), DIVDET_INVALID);
    EXPECT_STREQ(text, "an op reads a value that nobody has written");
}

TEST_F(ModuleTable, ChecksTheGraphBeforeItRuns) {
    const std::uint32_t outside = 17;
    ops[2].outputs = &outside;
    EXPECT_EQ(run(), DIVDET_INVALID);
    EXPECT_EQ(failedOp, 3u);
    divdet_graph old = graph();
    old.struct_size = 4;
    EXPECT_EQ(table().run(session, &old, &options, &result, nullptr, nullptr), DIVDET_INVALID);
    values[0].type.extent[0] = -3;
    EXPECT_EQ(run(), DIVDET_INVALID);
}

TEST_F(ModuleTable, TextsAreCutToTheirBufferAndTerminated) {
    char small[6] = "?????";
    divdet_error cut{sizeof cut, sizeof small, small};
    divdet_session* none = nullptr;
    EXPECT_EQ(table().open(77, &none, &cut), DIVDET_DEVICE_ERROR);
    EXPECT_STREQ(small, "choos");
    EXPECT_EQ(none, nullptr);
}

TEST_F(ModuleTable, PromisesWhatAnOpWouldBeWorth) {
    const divdet_graph g = graph();
    divdet_promise promise = DIVDET_APPROXIMATE;
    ASSERT_EQ(table().op_promise(session, &g, 0, &options, &promise, &error), DIVDET_OK) << text;
    EXPECT_EQ(promise, DIVDET_EXACT);
    const divdet_attribute atomics[] = {{"order", "atomics"}, {"atomics", "hardware"}};
    ops[1] = {"scatter_add", both, &index[2], atomics, 2, 1, 2};
    const divdet_graph scatter = graph();
    ASSERT_EQ(table().op_promise(session, &scatter, 1, &options, &promise, &error), DIVDET_OK) << text;
    EXPECT_EQ(promise, DIVDET_APPROXIMATE);
    const divdet_attribute product[] = {{"product", "1,1,1,3"}, {"operand", "int8"}};
    options.use_library_gemm = 1; // floats are within a bound, integers exact, and so are our own kernels
    ops[1] = {"matmul", both, &index[2], product, 2, 1, 1};
    const divdet_graph floats = graph();
    ASSERT_EQ(table().op_promise(session, &floats, 1, &options, &promise, &error), DIVDET_OK) << text;
    EXPECT_EQ(promise, DIVDET_BOUNDED);
    ops[1].attribute_count = 2;
    const divdet_graph integers = graph();
    ASSERT_EQ(table().op_promise(session, &integers, 1, &options, &promise, &error), DIVDET_OK) << text;
    EXPECT_EQ(promise, DIVDET_EXACT);
}

TEST_F(ModuleTable, StopsBetweenOpsWhenAsked) {
    int asked = 0;
    options.context = &asked;
    options.cancelled = [](void* context) { return ++*static_cast<int*>(context) == 2 ? 1 : 0; };
    EXPECT_EQ(run(), DIVDET_CANCELLED);
    EXPECT_EQ(failedOp, 1u);
}

/// A program that was built before a field came gets all the others, and nothing behind them.
TEST(ModuleDevices, FillOnlyAsMuchAsTheProgramKnows) {
    divdet_device_info info;
    std::memset(&info, 0x55, sizeof info);
    info.struct_size = offsetof(divdet_device_info, blas_lt_version);
    ASSERT_EQ(table().device_info(2, &info, nullptr), DIVDET_OK);
    EXPECT_EQ(info.struct_size, offsetof(divdet_device_info, blas_lt_version));
    EXPECT_EQ(info.compute_capability, 89u);
    EXPECT_STREQ(info.blas_version, "13.0.0");
    EXPECT_EQ(info.blas_lt_version[0], 0x55);
    info.struct_size = sizeof info;
    ASSERT_EQ(table().device_info(2, &info, nullptr), DIVDET_OK);
    EXPECT_STREQ(info.blas_lt_version, "13.1.2");
    EXPECT_STREQ(info.blas_lt_note, "");
    info.struct_size = 8;
    EXPECT_EQ(table().device_info(2, &info, nullptr), DIVDET_INVALID);
    info.struct_size = sizeof info;
    EXPECT_EQ(table().device_info(7, &info, nullptr), DIVDET_NOT_FOUND);
}

TEST(ModuleMemory, ASessionGivesBackWhatItTook) {
    const std::size_t before = cuda_on_cpu::buffersInUse();
    divdet_session* session = nullptr;
    ASSERT_EQ(table().open(1, &session, nullptr), DIVDET_OK);
    const float x[2] = {1, 2};
    const divdet_value values[] = {{vectorOf(2), "x", x, 3}, {vectorOf(2), "y", nullptr, 0}};
    const std::uint32_t in = 0, out = 1;
    const divdet_op op{"relu", &in, &out, nullptr, 1, 1, 0};
    const divdet_graph graph{sizeof graph, 2, 1, 1, values, &op, &out};
    divdet_run* run = nullptr;
    ASSERT_EQ(table().run(session, &graph, nullptr, &run, nullptr, nullptr), DIVDET_OK);
    EXPECT_GT(cuda_on_cpu::buffersInUse(), before);
    table().close(session); // frees its runs too
    EXPECT_EQ(cuda_on_cpu::buffersInUse(), before);
}

} // namespace
