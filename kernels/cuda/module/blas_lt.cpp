#if __has_include(<cublas_v2.h>)
#include "cuda/module/blas_lt.h"

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "cuda/module/shared_library.h"

namespace divdet::cuda {
namespace {

#define DIVDET_LT_FUNCTIONS(X)                                                                               \
    X(Create)                                                                                                \
    X(Destroy)                                                                                               \
    X(GetVersion)                                                                                            \
    X(MatmulDescCreate)                                                                                      \
    X(MatmulDescDestroy)                                                                                     \
    X(MatmulDescSetAttribute)                                                                                \
    X(MatrixLayoutCreate)                                                                                    \
    X(MatrixLayoutDestroy)                                                                                   \
    X(MatmulPreferenceCreate)                                                                                \
    X(MatmulPreferenceDestroy)                                                                               \
    X(MatmulPreferenceSetAttribute)                                                                          \
    X(MatmulAlgoGetHeuristic)                                                                                \
    X(Matmul)

struct Functions {
#define DIVDET_DECLARE(NAME) decltype(&cublasLt##NAME) NAME = nullptr;
    DIVDET_LT_FUNCTIONS(DIVDET_DECLARE)
#undef DIVDET_DECLARE
    std::string absence;

    Functions() {
#ifdef DIVDET_CUBLAS_LINKED // the executor's stand-in
#define DIVDET_FIND(NAME) NAME = cublasLt##NAME;
        DIVDET_LT_FUNCTIONS(DIVDET_FIND)
#else
        SharedLibrary library("libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR));
#define DIVDET_FIND(NAME) library.find(NAME, "cublasLt" #NAME);
        DIVDET_LT_FUNCTIONS(DIVDET_FIND)
        absence = library.whyNot();
#endif
#undef DIVDET_FIND
    }
    std::string whyNot() const {
#ifdef DIVDET_CUBLAS_LINKED
        return cublasLtAbsence();
#else
        return absence;
#endif
    }
};
#undef DIVDET_LT_FUNCTIONS

const Functions& functions() {
    static const Functions f;
    return f;
}

/// One of the library's descriptors.
template <class T, auto kDestroy>
struct Owned {
    T it = nullptr;
    Owned() = default;
    Owned(const Owned&) = delete;
    ~Owned() {
        if (it) (functions().*kDestroy)(it);
    }
};
using Operation = Owned<cublasLtMatmulDesc_t, &Functions::MatmulDescDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, &Functions::MatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, &Functions::MatmulPreferenceDestroy>;

/// What the library promises itself of a pointer: the bytes that it is a multiple of, 256 at most.
std::uint32_t alignment(const void* p) {
    const auto bits = reinterpret_cast<std::uintptr_t>(p) | 256;
    return static_cast<std::uint32_t>(bits & (~bits + 1));
}

/// All that the heuristic looks at.
using Shape = std::array<std::uint64_t, 13>;
Shape shapeOf(const BlasCall& c) {
    return {c.rows,
            c.columns,
            c.k,
            c.transposed,
            c.ldFirst,
            c.ldSecond,
            c.ldC,
            static_cast<std::uint64_t>(c.in),
            static_cast<std::uint64_t>(c.out),
            static_cast<std::uint64_t>(c.compute),
            alignment(c.first),
            alignment(c.second),
            alignment(c.c)};
}

/// The library's description of a call.
struct Described {
    Operation operation;
    Layout first, second, c;

    explicit Described(const BlasCall& call) {
        const Functions& lt = functions();
        const auto scale = call.integers() ? CUDA_R_32I : CUDA_R_32F;
        checkBlas(lt.MatmulDescCreate(&operation.it, call.compute, scale), "describing a product");
        const cublasOperation_t how[] = {call.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N};
        set(CUBLASLT_MATMUL_DESC_TRANSA, how[0]);
        set(CUBLASLT_MATMUL_DESC_TRANSB, how[1]);
        layout(first, call.in, call.transposed ? call.k : call.rows, call.transposed ? call.rows : call.k,
               call.ldFirst);
        layout(second, call.in, call.k, call.columns, call.ldSecond);
        layout(c, call.out, call.rows, call.columns, call.ldC);
    }

private:
    void set(cublasLtMatmulDescAttributes_t what, cublasOperation_t value) const {
        checkBlas(functions().MatmulDescSetAttribute(operation.it, what, &value, sizeof value),
                  "describing a product");
    }
    static void layout(Layout& to, cudaDataType type, std::size_t rows, std::size_t columns, std::size_t ld) {
        checkBlas(functions().MatrixLayoutCreate(&to.it, type, rows, columns, static_cast<std::int64_t>(ld)),
                  "describing a matrix");
    }
};

} // namespace

struct BlasLt::State {
    cublasLtHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    const Buffer* workspace = nullptr;
    std::map<Shape, std::optional<cublasLtMatmulAlgo_t>> algorithms; ///< none: the library has none

    State() = default;
    State(const State&) = delete;
    ~State() {
        if (handle) functions().Destroy(handle);
    }

    std::optional<cublasLtMatmulAlgo_t> algorithmOf(const BlasCall& call, const Described& as) {
        const auto [at, isNew] = algorithms.try_emplace(shapeOf(call));
        if (!isNew) return at->second;
        const Functions& lt = functions();
        Preference preference;
        checkBlas(lt.MatmulPreferenceCreate(&preference.it), "asking cuBLASLt for an algorithm");
        const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t what, const auto& value) {
            checkBlas(lt.MatmulPreferenceSetAttribute(preference.it, what, &value, sizeof value),
                      "asking cuBLASLt for an algorithm");
        };
        prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace->bytes()});
        prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
               static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(call.first));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(call.second));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(call.c));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(call.c));
        cublasLtMatmulHeuristicResult_t best{};
        int found = 0;
        const cublasStatus_t asked =
            lt.MatmulAlgoGetHeuristic(handle, as.operation.it, as.first.it, as.second.it, as.c.it, as.c.it,
                                      preference.it, 1, &best, &found);
        const bool usable = asked == CUBLAS_STATUS_SUCCESS && found == 1 &&
                            best.state == CUBLAS_STATUS_SUCCESS && best.workspaceSize <= workspace->bytes();
        if (usable) at->second = best.algo;
        return at->second;
    }
};

BlasLt::BlasLt()
    : m_state(std::make_unique<State>()) {}
BlasLt::~BlasLt() = default;

std::string BlasLt::version(std::string& whyNot) {
    whyNot = functions().whyNot();
    if (!whyNot.empty()) return {};
    const std::size_t v = functions().GetVersion();
    return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100);
}

std::unique_ptr<BlasLt> BlasLt::open(const Queue& queue, const Buffer& workspace, std::string& whyNot) {
    whyNot = functions().whyNot();
    if (!whyNot.empty()) return nullptr;
    std::unique_ptr<BlasLt> lt(new BlasLt);
    const cublasStatus_t made = functions().Create(&lt->m_state->handle);
    if (made != CUBLAS_STATUS_SUCCESS) {
        whyNot = "opening cuBLASLt: status " + std::to_string(static_cast<int>(made));
        return nullptr;
    }
    lt->m_state->stream = queue.stream();
    lt->m_state->workspace = &workspace;
    return lt;
}

bool BlasLt::multiply(const BlasCall& call) {
    const Described as(call);
    const auto algorithm = m_state->algorithmOf(call, as);
    if (!algorithm) return false;
    const BlasFactors by(call.integers());
    checkBlas(functions().Matmul(m_state->handle, as.operation.it, by.alpha, call.first, as.first.it,
                                 call.second, as.second.it, by.beta, call.c, as.c.it, call.c, as.c.it,
                                 &*algorithm, m_state->workspace->data(), m_state->workspace->bytes(),
                                 m_state->stream),
              "multiplying with cuBLASLt");
    return true;
}

} // namespace divdet::cuda

#else // built without cuBLASLt's header: cuBLAS multiplies everything

namespace divdet::cuda {

struct BlasLt::State {};
BlasLt::BlasLt() = default;
BlasLt::~BlasLt() = default;
std::string BlasLt::version(std::string& whyNot) {
    whyNot = "the module was built without cuBLASLt";
    return {};
}
std::unique_ptr<BlasLt> BlasLt::open(const Queue&, const Buffer&, std::string& whyNot) {
    version(whyNot);
    return nullptr;
}
bool BlasLt::multiply(const BlasCall&) {
    return false;
}

} // namespace divdet::cuda
#endif
#endif
