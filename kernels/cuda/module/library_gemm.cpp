#include "cuda/module/library_gemm.h"

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"

#if __has_include(<cublas_v2.h>)
#include "cuda/module/blas.h"
#include "cuda/module/blas_lt.h"

namespace divdet::cuda {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{32}
                                        << 20; ///< enough on every architecture, says its manual

} // namespace

struct LibraryGemm::Libraries {
    Buffer workspace; ///< of both: they run one after the other on one stream
    std::unique_ptr<Blas> blas;
    std::unique_ptr<BlasLt> lt;

    void run(const BlasCall& call) const {
        const bool pedantic = call.compute == CUBLAS_COMPUTE_32F_PEDANTIC;
        if (!pedantic && lt && lt->multiply(call)) return;
        blas->multiply(call);
    }
};

LibraryGemm::LibraryGemm() = default;
LibraryGemm::~LibraryGemm() = default;

std::string LibraryGemm::version() {
    std::string whyNot;
    return Blas::version(whyNot);
}

std::string LibraryGemm::ltVersion(std::string& whyNot) {
    return BlasLt::version(whyNot);
}

std::unique_ptr<LibraryGemm> LibraryGemm::open(const Queue& queue, std::string& whyNot) {
    if (Blas::version(whyNot).empty()) return nullptr;
    std::unique_ptr<LibraryGemm> gemm(new LibraryGemm);
    gemm->m_libraries = std::make_unique<Libraries>();
    Libraries& l = *gemm->m_libraries;
    l.workspace = Buffer(queue, kWorkspaceBytes);
    l.blas = Blas::open(queue, l.workspace);
    std::string ltWhyNot; // what divdet_device_info says too
    l.lt = BlasLt::open(queue, l.workspace, ltWhyNot);
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
        m_libraries->run({n, m, k, false, v.b, v.ldb, v.a, v.lda, CUDA_R_32F, c, n, CUDA_R_32F,
                          tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F_PEDANTIC});
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
            m_libraries->run({columns, rows, ld, true, b.get(), ld, a.get(), ld, CUDA_R_8I, exact.get(),
                              columns, CUDA_R_32I, CUBLAS_COMPUTE_32I});
            widen(stream, Kept::i32, exact.get(), rows * columns, wide.get());
        } else {
            m_libraries->run({columns, rows, ld, true, b.get(), ld, a.get(), ld,
                              kind == MmaKind::bf16 ? CUDA_R_16BF : CUDA_R_16F, wide.get(), columns,
                              CUDA_R_32F, CUBLAS_COMPUTE_32F});
        }
        takeTile(stream, wide.get(), columns, m, n, c);
    }
    if (start.values) addElements(stream, c, start.values, m * n, start.perColumn ? n : m * n, c);
}

} // namespace divdet::cuda

#else // built without cuBLAS's header: there is none to offer

namespace divdet::cuda {

struct LibraryGemm::Libraries {};
LibraryGemm::LibraryGemm() = default;
LibraryGemm::~LibraryGemm() = default;
std::string LibraryGemm::version() {
    return {};
}
std::string LibraryGemm::ltVersion(std::string& whyNot) {
    whyNot = "the module was built without cuBLAS";
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
