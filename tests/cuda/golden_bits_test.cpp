#include <gtest/gtest.h>

#include "cuda/loader/cuda_backend.h"
#include "cuda_on_cpu/device.h"
#include "run/check_device.h"

/// The kernels against bits that no part of this program computed (tests/golden/device_check.py).
namespace divdet {
namespace {

TEST(CudaGoldenBits, EveryArchitectureAgreesOnAllThatIsKnown) {
    cuda::CudaBackend gpu{cuda::CudaModule::of(*divdet_backend_v1_entry())};
    int agreed = 0;
    for (const run::DeviceInfo& device : gpu.devices()) {
        const auto checks = run::checkDevice(gpu, device);
        ASSERT_TRUE(checks.ok());
        for (const run::ArithmeticCheck& c : *checks) {
            EXPECT_NE(c.agreement, run::Agreement::differ)
                << device.id << " " << device.architecture << " " << c.arithmetic << ": " << c.detail;
            EXPECT_TRUE(c.agreement != run::Agreement::otherBits || device.promise != run::Promise::exact);
            agreed += c.agreement == run::Agreement::agree;
            const bool known = c.agreement != run::Agreement::absent;
            EXPECT_TRUE(known || device.architecture == "sm_75") << c.arithmetic; // no tf32, no bf16
        }
    }
    EXPECT_GE(agreed, 90);
}

} // namespace
} // namespace divdet
