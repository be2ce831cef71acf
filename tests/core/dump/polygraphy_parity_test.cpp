#include <iostream>

#include <nlohmann/json.hpp>

#include "dump_test_support.h"

namespace divdet::testing {
namespace {

using nlohmann::json;

struct Counts {
    int tensors = 0, accepted = 0, refused = 0;
};

/// One iteration's arrays against the taps with that prefix.
void compareArrays(const Dump& dump, const std::string& prefix, const json& arrays, Counts& counts) {
    for (const auto& [name, want] : arrays.items()) {
        SCOPED_TRACE(prefix + name);
        const auto tap = dump.find(prefix + name);
        ASSERT_TRUE(tap);
        EXPECT_FALSE(dump.taps()[*tap].error);
        EXPECT_EQ(dump.taps()[*tap].shape, want["shape"].get<Shape>());
        EXPECT_EQ(numpyKind(dump.taps()[*tap].dtype), want["dtype"].get<std::string>().substr(1));
        EXPECT_EQ(hashOf(dump, *tap), want["sha256_le"].get<std::string>());
        ++counts.tensors;
    }
}

void compareRunners(const Dump& dump, const json& runners, Counts& counts) {
    EXPECT_EQ(dump.format(), "polygraphy");
    std::map<std::string, int> seen;
    std::size_t taps = 0;
    for (const json& runner : runners) {
        std::string name = runner.value(runner.contains("runner") ? "runner" : "name", "");
        if (const int n = ++seen[name]; n > 1) name += "#" + std::to_string(n);
        const std::string first = runners.size() > 1 ? name + "/" : "";
        const auto& iterations = runner["iterations"];
        for (std::size_t i = 0; i < iterations.size(); ++i) {
            const std::string second = iterations.size() > 1 ? "iteration" + std::to_string(i) + "/" : "";
            compareArrays(dump, first + second, iterations[i]["outputs"], counts);
            taps += iterations[i]["outputs"].size();
        }
    }
    EXPECT_EQ(dump.taps().size(), taps);
    EXPECT_EQ(dump.manifest().runners.size(), runners.size());
}

bool clean(const Result<std::shared_ptr<const Dump>>& dump) {
    if (!dump) return false;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i)
        if (!(*dump)->load(i)) return false;
    return true;
}

TEST(PolygraphyParity, WithTheTool) {
    const auto folder = shared("data/onnx/polygraphy");
    DIVDET_NEED_SHARED(folder / "expected.json");
    const auto expected = json::parse(std::ifstream(folder / "expected.json"));
    Counts counts;
    for (const auto& [name, runners] : expected["files"].items()) {
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / name);
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        compareRunners(**dump, runners, counts);
        ++counts.accepted;
    }
    for (const auto& [name, want] : expected["legacy"].items()) {
        SCOPED_TRACE(name);
        const auto dump = openDump(folder / "legacy" / name);
        if (!want["accept"].get<bool>()) {
            EXPECT_FALSE(clean(dump));
            ++counts.refused;
            continue;
        }
        ASSERT_TRUE(dump.ok()) << dump.error().text();
        ++counts.accepted;
        if (want.contains("runners")) {
            compareRunners(**dump, want["runners"], counts);
            continue;
        }
        const auto& dicts = want["arrays"];
        for (std::size_t i = 0; i < dicts.size(); ++i)
            compareArrays(**dump, dicts.size() > 1 ? "iteration" + std::to_string(i) + "/" : "", dicts[i],
                          counts);
    }
    std::cout << "polygraphy: " << counts.accepted << " files accepted (" << counts.tensors
              << " tensors equal), " << counts.refused << " refused as by the tool\n";
    EXPECT_GT(counts.tensors, 90);
    EXPECT_GE(counts.refused, 16);
}

} // namespace
} // namespace divdet::testing
