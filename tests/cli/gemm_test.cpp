#include "cli/cli_fixture.h"

namespace divdet {
namespace {

class Gemm : public CliFixture {
protected:
    /// The last line on stderr of a usage error.
    std::string refused(const std::string& args) {
        const Output o = divdet("run linear --tokens 4 --width 16 --hidden 8 --no-passes " + args);
        EXPECT_EQ(o.code, 2) << o.out;
        EXPECT_EQ(o.out, "");
        return o.err;
    }
};

TEST_F(Gemm, OfACpuIsItsOwn) {
    EXPECT_EQ(refused("--gemm cublas --device cpu:sm_90"),
              "divdet: cuBLAS multiplies on NVIDIA GPUs, and cpu:sm_90 is a CPU: --gemm; write --device "
              "cuda:0 too (see divdet devices), or --gemm own\n");
    EXPECT_NE(refused("--gemm cublas").find("and cpu:sm_80 is a CPU"), std::string::npos); // the first device
    EXPECT_NE(refused("--gemm mkl").find("'mkl' is no way to multiply: --gemm; write own or cublas"),
              std::string::npos);
    EXPECT_NE(refused("--gemm cublas --device cuda:77").find("there is no device cuda:77"),
              std::string::npos);
    // Nothing is written for a run that cannot be.
    const auto graph = m_dir / "graph.json";
    refused("--gemm cublas --graph-out " + graph.string());
    EXPECT_FALSE(std::filesystem::exists(graph));
    const auto plain = divdet("run linear --tokens 4 --width 16 --no-passes --json -");
    const auto own = divdet("run linear --tokens 4 --width 16 --no-passes --gemm own --json -");
    ASSERT_EQ(own.code, 0) << own.err;
    EXPECT_EQ(own.json()["tensors"], plain.json()["tensors"]);
    EXPECT_NE(divdet("run --help").out.find("--gemm own|cublas"), std::string::npos);
}

#ifdef DIVDET_CUDA_ON_CPU_MODULE // the executor as a GPU
class GemmOnGpu : public Gemm {
protected:
    void SetUp() override {
        Gemm::SetUp();
        ::setenv("DIVDET_CUDA_MODULE", DIVDET_CUDA_ON_CPU_MODULE, 1);
    }
    void TearDown() override {
        ::unsetenv("DIVDET_CUDA_MODULE");
        Gemm::TearDown();
    }
    nlohmann::json ran(const std::string& args) {
        const Output o = divdet(
            "run linear --tokens 4 --width 48 --hidden 8 --pass tf32 --reference fp64 --json - " + args);
        EXPECT_TRUE(o.code == 0 || o.code == 1) << o.err;
        return o.json();
    }
};

TEST_F(GemmOnGpu, CublasIsTheDeviceOfThatName) {
    const auto device = [](const nlohmann::json& j) { return j["environment"]["device"]; };
    const auto own = ran("--device cuda:1"), ownAsked = ran("--device cuda:1 --gemm own");
    const auto library = ran("--device cuda:1 --gemm cublas"), spelled = ran("--device cuda:1/cublas");
    EXPECT_EQ(device(own), "cuda:1");
    EXPECT_EQ(device(library), "cuda:1/cublas");
    EXPECT_EQ(own["tensors"], ownAsked["tensors"]);
    EXPECT_EQ(library["tensors"], spelled["tensors"]);
    EXPECT_NE(library["tensors"], own["tensors"]); // the library's sums have bits of their own
    ASSERT_FALSE(library["notes"].empty());
    EXPECT_EQ(library["notes"].back(), "cuda:1/cublas is executor of sm_80 by cuBLAS 13.0.0 and cuBLASLt "
                                       "13.1.2, 1 multiprocessors");
    EXPECT_EQ(device(ran("--device cuda:1/cublas --gemm cublas")), "cuda:1/cublas");
}

TEST_F(GemmOnGpu, OwnContradictsADeviceOfCublas) {
    EXPECT_EQ(refused("--device cuda:1/cublas --gemm own"),
              "divdet: cuda:1/cublas multiplies with cuBLAS: --gemm; write --device cuda:1, or leave --gemm "
              "out\n");
}
#endif

} // namespace
} // namespace divdet
