#include <gtest/gtest.h>

#include "cuda/module/kept_values.h"
#include "cuda_on_cpu/device.h"

namespace divdet::cuda {
namespace {

divdet_tensor_type floats(std::int64_t n) {
    divdet_tensor_type t{};
    t.dtype = DIVDET_F32;
    t.rank = 1;
    t.extent[0] = n;
    return t;
}

class Kept : public testing::Test {
protected:
    std::shared_ptr<const DeviceValue> value(std::int64_t n) const {
        return std::make_shared<const DeviceValue>(
            DeviceValue{floats(n), Buffer(queue, byteCount(floats(n)))});
    }
    Queue queue{1};
    KeptValues kept{100}; // 25 floats
};

TEST_F(Kept, TheLeastRecentlyUsedGoesFirst) {
    for (std::uint64_t key = 1; key <= 3; ++key) kept.keep(key, value(8));
    EXPECT_EQ(kept.bytes(), 96u);
    EXPECT_TRUE(kept.find(1, floats(8)));
    kept.keep(4, value(8));
    EXPECT_FALSE(kept.find(2, floats(8)));
    for (const std::uint64_t key : {1, 3, 4}) EXPECT_TRUE(kept.find(key, floats(8))) << key;
    kept.keep(5, value(10)); // two of the others go
    EXPECT_EQ(kept.bytes(), 72u);
    EXPECT_FALSE(kept.find(3, floats(8)));
    EXPECT_TRUE(kept.find(4, floats(8)));
}

TEST_F(Kept, OnlyTheSameTypeIsFoundAndTheLaterValueCounts) {
    kept.keep(7, value(8));
    EXPECT_FALSE(kept.find(7, floats(9)));
    auto halves = floats(8);
    halves.dtype = DIVDET_F16;
    EXPECT_FALSE(kept.find(7, halves));
    const auto later = value(4);
    kept.keep(7, later);
    EXPECT_EQ(kept.find(7, floats(4)), later);
    EXPECT_EQ(kept.bytes(), 16u);
}

TEST_F(Kept, NothingWithoutAKeyAndNothingLargerThanTheBound) {
    kept.keep(0, value(1));
    EXPECT_FALSE(kept.find(0, floats(1)));
    kept.keep(1, value(8));
    kept.keep(2, value(26));
    EXPECT_FALSE(kept.find(2, floats(26)));
    EXPECT_TRUE(kept.find(1, floats(8))); // it did not have to make room
    kept.keep(3, value(25));
    EXPECT_EQ(kept.bytes(), 100u);
}

TEST_F(Kept, WhatIsInUseOutlivesItsPlace) {
    const std::size_t before = cuda_on_cpu::buffersInUse();
    kept.keep(1, value(8));
    kept.keep(2, value(8));
    const auto used = kept.find(1, floats(8));
    EXPECT_TRUE(kept.dropAll());
    EXPECT_EQ(kept.bytes(), 0u);
    EXPECT_FALSE(kept.find(1, floats(8)));
    EXPECT_EQ(cuda_on_cpu::buffersInUse(), before + 1);
    EXPECT_FALSE(kept.dropAll());
}

} // namespace
} // namespace divdet::cuda
