#include "run/registry.h"

#include <gtest/gtest.h>

#include "core/run/fake_backend.h"

namespace divdet::run {
namespace {

std::shared_ptr<test::FakeBackend> fake(std::vector<DeviceInfo> devices) {
    auto backend = std::make_shared<test::FakeBackend>();
    backend->list = std::move(devices);
    return backend;
}

DeviceInfo device(std::string id, bool available = true) {
    DeviceInfo d;
    d.id = std::move(id);
    d.available = available;
    d.whyNot = available ? "" : "no driver";
    return d;
}

TEST(Registry, FindsByIdOrTheFirstThatCanRun) {
    BackendRegistry registry;
    EXPECT_EQ(registry.find("").error().code, ErrorCode::notFound);
    const auto gpu = fake({device("cuda:0", false)}), cpu = fake({device("cpu:a"), device("cpu:b")});
    registry.add(gpu);
    registry.add(cpu);
    registry.add(fake({device("cpu:a")}));
    EXPECT_EQ(registry.devices().size(), 3u);
    EXPECT_EQ(registry.find("")->device.id, "cpu:a");
    EXPECT_EQ(registry.find("")->backend, cpu);
    EXPECT_EQ(registry.find("cpu:b")->device.id, "cpu:b");
    EXPECT_EQ(registry.find("cuda:0").error().code, ErrorCode::unsupported);
    EXPECT_EQ(registry.find("cuda:0").error().message, "no driver");
    EXPECT_EQ(registry.find("tpu").error().hint, "the devices are cpu:a, cpu:b");
}

} // namespace
} // namespace divdet::run
