#include "session/check_devices.h"

#include <gtest/gtest.h>

#include "core/run/fake_backend.h"
#include "host/twin_backend.h"

namespace divdet {
namespace {

/// A twin, and beside it a device whose bits are its own affair.
std::shared_ptr<Session> sessionWith(run::Promise promise, bool available) {
    auto odd = std::make_shared<test::FakeBackend>();
    run::DeviceInfo& d = odd->list.front();
    d.architecture = "sm_80";
    d.promise = promise;
    d.available = available;
    d.whyNot = available ? "" : "it is switched off";
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    backends->add(odd);
    return std::make_shared<Session>(backends);
}

TEST(CheckDevices, OneDeviceThatBreaksItsPromiseIsTold) {
    const auto session = sessionWith(run::Promise::exact, true);
    const auto checks = checkDevices(*session);
    ASSERT_TRUE(checks.ok());
    EXPECT_FALSE(allAgree(*checks));
    const Json doc = devicesJson(*session, *checks);
    EXPECT_FALSE(doc["agrees"].get<bool>());
    EXPECT_TRUE(doc["devices"].front()["check"]["agrees"].get<bool>());
    const Json& odd = doc["devices"].back()["check"];
    EXPECT_FALSE(odd["agrees"].get<bool>());
    bool found = false;
    for (const Json& a : odd["arithmetics"])
        if (a["name"] == "fp32-sequential") {
            found = true; // fp64 rounded once is no fp32 chain
            EXPECT_EQ(a["result"], "differ");
            EXPECT_NE(a["detail"].get<std::string>().find("is due"), std::string::npos);
        }
    EXPECT_TRUE(found);
}

TEST(CheckDevices, WhoPromisesNoBitsMustStillBeNear) {
    const auto session = sessionWith(run::Promise::bounded, true);
    const auto checks = checkDevices(*session);
    const auto& odd = checks->back().arithmetics;
    const auto of = [&](const std::vector<run::ArithmeticCheck>& list, std::string_view arithmetic) {
        for (const auto& c : list)
            if (c.arithmetic == arithmetic) return c.agreement;
        return run::Agreement::absent;
    };
    EXPECT_EQ(of(odd, "fp32-sequential"), run::Agreement::otherBits);
    EXPECT_EQ(of(odd, "tf32"), run::Agreement::otherBits);
    EXPECT_EQ(of(odd, "int8"), run::Agreement::otherBits); // unquantised is within the error of int8
    EXPECT_EQ(of(odd, "erf"), run::Agreement::agree);      // fp64 rounded once
    EXPECT_EQ(of(odd, "philox"), run::Agreement::agree);
}

TEST(CheckDevices, ADeviceThatIsNotThereIsNotAsked) {
    const auto session = sessionWith(run::Promise::exact, false);
    const auto checks = checkDevices(*session);
    EXPECT_TRUE(checks->back().arithmetics.empty());
    EXPECT_TRUE(allAgree(*checks));
    EXPECT_TRUE(devicesJson(*session, *checks)["devices"].back()["check"].is_null());
}

} // namespace
} // namespace divdet
