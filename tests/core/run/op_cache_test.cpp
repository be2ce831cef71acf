#include "run/op_cache.h"

#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace divdet::run {
namespace {

Tensor bytes(std::int64_t n) {
    return TensorBuilder(DType::u8, {n}).finish();
}

TEST(OpCache, CountsHitsAndMisses) {
    OpCache cache;
    EXPECT_FALSE(cache.find(keyOf("a")).has_value());
    cache.store(keyOf("a"), bytes(10));
    EXPECT_EQ(cache.find(keyOf("a"))->elements(), 10);
    const auto c = cache.counters();
    EXPECT_EQ(c.hits, 1);
    EXPECT_EQ(c.misses, 1);
    EXPECT_EQ(c.entries, 1u);
    EXPECT_EQ(c.bytes, 10u);
    cache.clear();
    EXPECT_EQ(cache.counters().entries, 0u);
}

TEST(OpCache, DropsTheLongestUnused) {
    OpCache cache(100);
    cache.store(keyOf("a"), bytes(40));
    cache.store(keyOf("b"), bytes(40));
    EXPECT_TRUE(cache.find(keyOf("a")).has_value());
    cache.store(keyOf("c"), bytes(40));
    EXPECT_TRUE(cache.find(keyOf("a")).has_value());
    EXPECT_FALSE(cache.find(keyOf("b")).has_value());
    EXPECT_EQ(cache.counters().evictions, 1);
    EXPECT_EQ(cache.counters().bytes, 80u);
    cache.store(keyOf("huge"), bytes(101));
    EXPECT_EQ(cache.counters().bytes, 80u);
}

TEST(OpCache, StoringTwiceKeepsOne) {
    OpCache cache;
    cache.store(keyOf("a"), bytes(7));
    cache.store(keyOf("a"), bytes(7));
    EXPECT_EQ(cache.counters().bytes, 7u);
}

TEST(OpCache, TakesManyThreads) {
    OpCache cache(1000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&cache, t] {
            for (int i = 0; i < 500; ++i) {
                const Key key = keyOf(std::to_string((i * 7 + t) % 50));
                if (!cache.find(key)) cache.store(key, bytes(30));
            }
        });
    for (auto& t : threads) t.join();
    const auto c = cache.counters();
    EXPECT_EQ(c.hits + c.misses, 2000);
    EXPECT_LE(c.bytes, 1000u);
    EXPECT_EQ(c.bytes, c.entries * 30);
}

TEST(Key, DependsOnEveryByte) {
    std::set<Key> keys;
    for (int i = 0; i < 20000; ++i) keys.insert(keyOf("op matmul " + std::to_string(i)));
    keys.insert(keyOf(""));
    keys.insert(keyOf(std::string(1, '\0')));
    keys.insert(keyOf(std::string(2, '\0')));
    EXPECT_EQ(keys.size(), 20003u);
    EXPECT_EQ(toString(Key{1, 0xABC}), "00000000000000010000000000000abc");
}

} // namespace
} // namespace divdet::run
