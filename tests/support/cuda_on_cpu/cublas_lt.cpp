#include <array>
#include <cstring>
#include <map>

#include "cuda_on_cpu/cublasLt.h"
#include "cuda_on_cpu/library_calls.h"

struct MatmulDescOnCpu {
    cublasComputeType_t compute;
    cudaDataType scale;
    cublasOperation_t opA = CUBLAS_OP_N, opB = CUBLAS_OP_N;
};
struct MatrixLayoutOnCpu {
    cudaDataType type;
    std::uint64_t rows, columns;
    std::int64_t ld;
};
struct PreferenceOnCpu {
    std::map<int, std::uint64_t> values;
};

namespace {

using cuda_on_cpu::LibraryCall;
using cuda_on_cpu::Lt;

Lt g_lt = Lt::works;
std::size_t g_asked = 0;
constexpr std::size_t kWorkspaceNeeded = std::size_t{1} << 20;

/// False when the descriptors contradict each other or the module's promises.
bool callOf(const MatmulDescOnCpu& desc, const MatrixLayoutOnCpu& a, const MatrixLayoutOnCpu& b,
            const MatrixLayoutOnCpu& c, LibraryCall& call) {
    const bool turned = desc.opA == CUBLAS_OP_T;
    const std::uint64_t m = turned ? a.columns : a.rows, k = turned ? a.rows : a.columns;
    const auto least = [](const MatrixLayoutOnCpu& x) { return static_cast<std::int64_t>(x.rows); };
    if (b.rows != k || c.rows != m || c.columns != b.columns || a.type != b.type || a.ld < least(a) ||
        b.ld < least(b) || c.ld < least(c))
        return false;
    if (desc.scale != (desc.compute == CUBLAS_COMPUTE_32I ? CUDA_R_32I : CUDA_R_32F)) return false;
    call = {LibraryCall::By::lt,
            desc.opA,
            desc.opB,
            static_cast<int>(m),
            static_cast<int>(b.columns),
            static_cast<int>(k),
            static_cast<int>(a.ld),
            static_cast<int>(b.ld),
            static_cast<int>(c.ld),
            a.type,
            c.type,
            desc.compute};
    return true;
}

/// An algorithm is for one product: its sizes, and the alignments it was asked for.
cublasLtMatmulAlgo_t algorithmOf(const LibraryCall& call, std::array<std::uint64_t, 3> alignments) {
    const auto pair = [](int high, int low) {
        return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
    };
    return {{pair(call.m, call.n), pair(call.k, call.lda), pair(call.ldb, call.ldc), pair(call.in, call.out),
             pair(call.compute, call.opA), alignments[0], alignments[1], alignments[2]}};
}

bool multipleOf(const void* p, std::uint64_t bytes) {
    return bytes != 0 && reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

} // namespace

namespace cuda_on_cpu {

void setLt(Lt how) {
    g_lt = how;
}
std::size_t heuristicsAsked() {
    return g_asked;
}

} // namespace cuda_on_cpu

const char* cublasLtAbsence() {
    return g_lt == Lt::absent ? "libcublasLt.so.13: no such file" : "";
}

std::size_t cublasLtGetVersion() {
    return 130102;
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    *handle = nullptr;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType scale) {
    *desc = new MatmulDescOnCpu{compute, scale};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
    delete desc;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t what,
                                              const void* value, std::size_t bytes) {
    if (bytes != sizeof(std::int32_t)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(what == CUBLASLT_MATMUL_DESC_TRANSA ? &desc->opA : &desc->opB, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
    *layout = new MatrixLayoutOnCpu{type, rows, columns, ld};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    delete layout;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    *preference = new PreferenceOnCpu;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t what,
                                                    const void* value, std::size_t bytes) {
    const std::size_t due = what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? 8 : 4;
    if (bytes != due) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&preference->values[what], value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
    ++g_asked;
    *found = 0;
    LibraryCall call{};
    auto& prefer = preference->values;
    if (wanted < 1 || c != d || !callOf(*desc, *a, *b, *c, call) ||
        prefer[CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK] != CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE ||
        prefer[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES] !=
            prefer[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES])
        return CUBLAS_STATUS_INVALID_VALUE;
    if (g_lt == Lt::knowsNoAlgorithm || prefer[CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES] < kWorkspaceNeeded)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    results[0] = {};
    results[0].algo = algorithmOf(call, {prefer[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES],
                                         prefer[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES],
                                         prefer[CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES]});
    results[0].workspaceSize = kWorkspaceNeeded;
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t layoutA, const void* b, cublasLtMatrixLayout_t layoutB,
                              const void* beta, const void* c, cublasLtMatrixLayout_t layoutC, void* d,
                              cublasLtMatrixLayout_t layoutD, const cublasLtMatmulAlgo_t* algo,
                              void* workspace, std::size_t workspaceBytes, cudaStream_t) {
    LibraryCall call{};
    if (c != d || layoutC != layoutD || !callOf(*desc, *layoutA, *layoutB, *layoutC, call) || !algo ||
        !workspace || workspaceBytes < kWorkspaceNeeded)
        return CUBLAS_STATUS_INVALID_VALUE;
    const auto& given = algo->data;
    const cublasLtMatmulAlgo_t own = algorithmOf(call, {given[5], given[6], given[7]});
    const bool mine = std::memcmp(&own, algo, sizeof own) == 0;
    if (!mine || !multipleOf(a, given[5]) || !multipleOf(b, given[6]) || !multipleOf(d, given[7]))
        return CUBLAS_STATUS_INVALID_VALUE;
    return cuda_on_cpu::libraryProduct(call, alpha, a, b, beta, d);
}
