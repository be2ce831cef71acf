#if __has_include(<cublas_v2.h>)
#include "cuda/module/blas.h"

#include "cuda/module/shared_library.h"

namespace divdet::cuda {
namespace {

struct Functions {
    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    decltype(&cublasGetProperty) getProperty = nullptr;
    decltype(&cublasSetStream_v2) setStream = nullptr;
    decltype(&cublasSetWorkspace_v2) setWorkspace = nullptr;
    decltype(&cublasSetMathMode) setMathMode = nullptr;
    // The C++ overloads of the header make a plain decltype ambiguous.
    using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                      const void*, const void*, cudaDataType, int, const void*, cudaDataType,
                                      int, const void*, void*, cudaDataType, int, cublasComputeType_t,
                                      cublasGemmAlgo_t);
    GemmEx gemmEx = nullptr;
    std::string whyNot;

#ifdef DIVDET_CUBLAS_LINKED // the executor's stand-in
    Functions()
        : create(cublasCreate_v2)
        , destroy(cublasDestroy_v2)
        , getProperty(cublasGetProperty)
        , setStream(cublasSetStream_v2)
        , setWorkspace(cublasSetWorkspace_v2)
        , setMathMode(cublasSetMathMode)
        , gemmEx(cublasGemmEx) {}
#else
    Functions() {
        SharedLibrary library("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
        library.find(create, "cublasCreate_v2");
        library.find(destroy, "cublasDestroy_v2");
        library.find(getProperty, "cublasGetProperty");
        library.find(setStream, "cublasSetStream_v2");
        library.find(setWorkspace, "cublasSetWorkspace_v2");
        library.find(setMathMode, "cublasSetMathMode");
        library.find(gemmEx, "cublasGemmEx");
        whyNot = library.whyNot();
    }
#endif
};

const Functions& functions() {
    static const Functions f;
    return f;
}

int extent(std::size_t n) {
    if (n > 0x7FFFFFFF) unsupported("cuBLAS counts rows and columns in 32 bits");
    return static_cast<int>(n);
}

} // namespace

std::string Blas::version(std::string& whyNot) {
    whyNot = functions().whyNot;
    if (!whyNot.empty()) return {};
    int v[3] = {};
    const libraryPropertyType parts[] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
    for (int i = 0; i < 3; ++i)
        if (functions().getProperty(parts[i], &v[i]) != CUBLAS_STATUS_SUCCESS) {
            whyNot = "cuBLAS does not tell its version";
            return {};
        }
    return std::to_string(v[0]) + "." + std::to_string(v[1]) + "." + std::to_string(v[2]);
}

std::unique_ptr<Blas> Blas::open(const Queue& queue, const Buffer& workspace) {
    std::unique_ptr<Blas> blas(new Blas);
    checkBlas(functions().create(&blas->m_handle), "opening cuBLAS");
    checkBlas(functions().setStream(blas->m_handle, queue.stream()), "giving cuBLAS its stream");
    checkBlas(functions().setWorkspace(blas->m_handle, workspace.data(), workspace.bytes()),
              "giving cuBLAS its workspace");
    const auto mode =
        static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    checkBlas(functions().setMathMode(blas->m_handle, mode), "setting cuBLAS's mathematics");
    return blas;
}

Blas::~Blas() {
    if (m_handle) functions().destroy(m_handle);
}

void Blas::multiply(const BlasCall& call) const {
    const BlasFactors by(call.integers());
    checkBlas(functions().gemmEx(m_handle, call.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N,
                                 extent(call.rows), extent(call.columns), extent(call.k), by.alpha,
                                 call.first, call.in, extent(call.ldFirst), call.second, call.in,
                                 extent(call.ldSecond), by.beta, call.c, call.out, extent(call.ldC),
                                 call.compute, CUBLAS_GEMM_DEFAULT),
              "multiplying with cuBLAS");
}

} // namespace divdet::cuda
#endif
