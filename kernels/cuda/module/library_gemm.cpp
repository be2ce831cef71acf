#include "cuda/module/library_gemm.h"

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <dlfcn.h>

namespace divdet::cuda {
namespace {

/// Its functions, found by name: the module then loads on a machine without cuBLAS.
struct Library {
    void* file = nullptr;
    std::string whyNot;
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

#ifdef DIVDET_CUBLAS_LINKED // the executor's stand-in
    Library()
        : file(this)
        , create(cublasCreate_v2)
        , destroy(cublasDestroy_v2)
        , getProperty(cublasGetProperty)
        , setStream(cublasSetStream_v2)
        , setWorkspace(cublasSetWorkspace_v2)
        , setMathMode(cublasSetMathMode)
        , gemmEx(cublasGemmEx) {}
#else
    Library() {
        const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
        file = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!file) {
            const char* const reason = dlerror();
            whyNot = reason ? reason : name + " cannot be loaded";
            return;
        }
        find(create, "cublasCreate_v2");
        find(destroy, "cublasDestroy_v2");
        find(getProperty, "cublasGetProperty");
        find(setStream, "cublasSetStream_v2");
        find(setWorkspace, "cublasSetWorkspace_v2");
        find(setMathMode, "cublasSetMathMode");
        find(gemmEx, "cublasGemmEx");
    }
#endif
    bool works() const {
        return file && whyNot.empty();
    }

private:
    template <class Function>
    [[maybe_unused]] void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(file, name));
        if (!function) whyNot = std::string("cuBLAS has no function ") + name;
    }
};

const Library& library() {
    static const Library l;
    return l;
}

void checkBlas(cublasStatus_t status, const char* what) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const auto code = status == CUBLAS_STATUS_ALLOC_FAILED ? DIVDET_OUT_OF_MEMORY : DIVDET_DEVICE_ERROR;
    throw Failure{code, std::string(what) + ": cuBLAS status " + std::to_string(static_cast<int>(status))};
}

constexpr std::size_t kWorkspaceBytes = std::size_t{32}
                                        << 20; ///< enough on every architecture, says its manual

int extent(std::size_t n) {
    if (n > 0x7FFFFFFF) unsupported("cuBLAS counts rows and columns in 32 bits");
    return static_cast<int>(n);
}

} // namespace

struct LibraryGemm::Handle {
    cublasHandle_t handle = nullptr;
    Buffer workspace;
    ~Handle() {
        if (handle) library().destroy(handle);
    }

    /// Row-major C = A B is column-major C^T = B^T A^T.
    void gemm(cublasOperation_t opB, std::size_t m, std::size_t n, std::size_t k, const void* b,
              std::size_t ldb, const void* a, std::size_t lda, cudaDataType in, void* c, std::size_t ldc,
              cudaDataType out, cublasComputeType_t compute) const {
        const float one = 1, zero = 0;
        const std::int32_t integerOne = 1, integerZero = 0;
        const bool integers = out == CUDA_R_32I;
        const void* const alpha = integers ? static_cast<const void*>(&integerOne) : &one;
        const void* const beta = integers ? static_cast<const void*>(&integerZero) : &zero;
        checkBlas(library().gemmEx(handle, opB, CUBLAS_OP_N, extent(n), extent(m), extent(k), alpha, b, in,
                                   extent(ldb), a, in, extent(lda), beta, c, out, extent(ldc), compute,
                                   CUBLAS_GEMM_DEFAULT),
                  "multiplying with cuBLAS");
    }
};

LibraryGemm::LibraryGemm() = default;
LibraryGemm::~LibraryGemm() = default;

std::string LibraryGemm::version() {
    if (!library().works()) return {};
    int v[3] = {};
    const libraryPropertyType parts[] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
    for (int i = 0; i < 3; ++i)
        if (library().getProperty(parts[i], &v[i]) != CUBLAS_STATUS_SUCCESS) return {};
    return std::to_string(v[0]) + "." + std::to_string(v[1]) + "." + std::to_string(v[2]);
}

std::unique_ptr<LibraryGemm> LibraryGemm::open(const Queue& queue, std::string& whyNot) {
    if (!library().works()) {
        whyNot = library().whyNot;
        return nullptr;
    }
    std::unique_ptr<LibraryGemm> gemm(new LibraryGemm);
    gemm->m_handle = std::make_unique<Handle>();
    Handle& h = *gemm->m_handle;
    checkBlas(library().create(&h.handle), "opening cuBLAS");
    checkBlas(library().setStream(h.handle, queue.stream()), "giving cuBLAS its stream");
    h.workspace = Buffer(queue, kWorkspaceBytes);
    checkBlas(library().setWorkspace(h.handle, h.workspace.data(), kWorkspaceBytes),
              "giving cuBLAS its workspace");
    const auto mode =
        static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    checkBlas(library().setMathMode(h.handle, mode), "setting cuBLAS's mathematics");
    return gemm;
}

void LibraryGemm::multiply(const Queue& queue, const OperandView& v, const Slots& slots, StartValues start,
                           float* c) const {
    const auto [m, n, k] = v.shape;
    const cudaStream_t stream = queue.stream();
    if (m == 0 || n == 0) return;
    if (k == 0) {
        clear(queue, c, m * n * sizeof(float));
    } else if (!v.integers &&
               (slots.operand == Slots::Operand::f32 || slots.operand == Slots::Operand::tf32)) {
        const bool tf32 = slots.operand == Slots::Operand::tf32;
        m_handle->gemm(CUBLAS_OP_N, m, n, k, v.b, v.ldb, v.a, v.lda, CUDA_R_32F, c, n, CUDA_R_32F,
                       tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F_PEDANTIC);
    } else {
        // Both operands with k along the row (TN), extents padded to 16 with zeros, which change no sum.
        const MmaKind kind = v.kind();
        const std::size_t each = elementsPerWord(kind);
        const auto padded = [](std::size_t x) { return (x + 15) / 16 * 16; };
        const std::size_t perRow = padded(k) / each, rows = padded(m), columns = padded(n);
        const Words a(queue, rows * perRow), b(queue, columns * perRow);
        a.clear();
        b.clear();
        packOperand(stream, kind, v.a, m, k, v.lda, 1, perRow, a.get());
        packOperand(stream, kind, v.b, n, k, 1, v.ldb, perRow, b.get());
        const std::size_t ld = perRow * each;
        const Floats wide(queue, rows * columns);
        if (v.integers) {
            const ArrayOf<std::int32_t> exact(queue, rows * columns);
            m_handle->gemm(CUBLAS_OP_T, rows, columns, ld, b.get(), ld, a.get(), ld, CUDA_R_8I, exact.get(),
                           columns, CUDA_R_32I, CUBLAS_COMPUTE_32I);
            widen(stream, Kept::i32, exact.get(), rows * columns, wide.get());
        } else {
            m_handle->gemm(CUBLAS_OP_T, rows, columns, ld, b.get(), ld, a.get(), ld,
                           kind == MmaKind::bf16 ? CUDA_R_16BF : CUDA_R_16F, wide.get(), columns, CUDA_R_32F,
                           CUBLAS_COMPUTE_32F);
        }
        takeTile(stream, wide.get(), columns, m, n, c);
    }
    if (start.values) addElements(stream, c, start.values, m * n, start.perColumn ? n : m * n, c);
}

} // namespace divdet::cuda

#else // built without cuBLAS's header: there is none to offer

namespace divdet::cuda {

struct LibraryGemm::Handle {};
LibraryGemm::LibraryGemm() = default;
LibraryGemm::~LibraryGemm() = default;
std::string LibraryGemm::version() {
    return {};
}
std::unique_ptr<LibraryGemm> LibraryGemm::open(const Queue&, std::string& whyNot) {
    whyNot = "the module was built without cuBLAS";
    return nullptr;
}
void LibraryGemm::multiply(const Queue&, const OperandView&, const Slots&, StartValues, float*) const {
    unsupported("the module was built without cuBLAS");
}

} // namespace divdet::cuda
#endif
