#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cuda/loader/cuda_backend.h"
#include "host/twin_backend.h"
#include "run/registry.h"
#include "scratch_folder.h"

/// Without a module, or with a broken one, there is a device that says why, and everything else works.
namespace divdet {
namespace {

class ModuleVariable {
public:
    explicit ModuleVariable(const std::string& path) { setenv("DIVDET_CUDA_MODULE", path.c_str(), 1); }
    ~ModuleVariable() { unsetenv("DIVDET_CUDA_MODULE"); }
};

TEST(CudaLoader, WithoutAModuleThereIsOneDeviceThatSaysWhy) {
    const ModuleVariable variable("/nowhere/libdivdet_cuda.so");
    run::BackendRegistry registry;
    registry.add(std::make_shared<host::TwinBackend>());
    registry.add(std::make_shared<cuda::CudaBackend>());
    const auto devices = registry.devices();
    ASSERT_EQ(devices.back().id, "cuda");
    EXPECT_FALSE(devices.back().available);
    EXPECT_NE(devices.back().whyNot.find("this build has no CUDA module"), std::string::npos)
        << devices.back().whyNot;
    EXPECT_EQ(registry.find("cuda").error().code, ErrorCode::unsupported);
    EXPECT_EQ(registry.find("")->device.id, "cpu:sm_80");
}

TEST(CudaLoader, AFileThatIsNoModuleIsRefusedWithTheLoadersWords) {
    const test::ScratchFolder folder;
    const auto path = (folder / "libdivdet_cuda.so").string();
    std::ofstream(path) << "not a library";
    const auto loaded = cuda::CudaModule::load(path);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().code, ErrorCode::unsupported);
    EXPECT_NE(loaded.error().message.find("cannot be loaded"), std::string::npos);
    EXPECT_EQ(loaded.error().path, path);
}

TEST(CudaLoader, ALibraryOfAnotherKindIsRefused) {
    const auto loaded = cuda::CudaModule::load("libm.so.6");
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().message, "the file is no CUDA module of this version");
}

TEST(CudaLoader, TheModuleLiesBesideTheProgramUnlessAVariableSaysWhere) {
    EXPECT_TRUE(cuda::modulePaths().front().ends_with("/libdivdet_cuda.so"));
    EXPECT_EQ(cuda::modulePaths().size(), 2u);
    const ModuleVariable variable("/tmp/other.so");
    EXPECT_EQ(cuda::modulePaths(), std::vector<std::string>{"/tmp/other.so"});
}

} // namespace
} // namespace divdet
