#include "cuda/module/launches.h"
#include "cuda/stores.cuh"

namespace divdet::cuda {

void widen(cudaStream_t stream, Kept kept, const void* x, std::size_t n, float* out) {
    switch (kept) {
    case Kept::f32:
        return;
    case Kept::f16:
        DIVDET_LAUNCH((kernels::widen<Kept::f16>), blocksFor(n), kThreads, stream,
                      static_cast<const std::uint16_t*>(x), n, out);
        return;
    case Kept::bf16:
        DIVDET_LAUNCH((kernels::widen<Kept::bf16>), blocksFor(n), kThreads, stream,
                      static_cast<const std::uint16_t*>(x), n, out);
        return;
    case Kept::f8e4m3:
        DIVDET_LAUNCH((kernels::widen<Kept::f8e4m3>), blocksFor(n), kThreads, stream,
                      static_cast<const std::uint8_t*>(x), n, out);
        return;
    case Kept::f8e5m2:
        DIVDET_LAUNCH((kernels::widen<Kept::f8e5m2>), blocksFor(n), kThreads, stream,
                      static_cast<const std::uint8_t*>(x), n, out);
        return;
    case Kept::i8:
        DIVDET_LAUNCH((kernels::widen<Kept::i8>), blocksFor(n), kThreads, stream,
                      static_cast<const std::int8_t*>(x), n, out);
        return;
    case Kept::i32:
        DIVDET_LAUNCH((kernels::widen<Kept::i32>), blocksFor(n), kThreads, stream,
                      static_cast<const std::int32_t*>(x), n, out);
        return;
    case Kept::f64:
        DIVDET_LAUNCH((kernels::widen<Kept::f64>), blocksFor(n), kThreads, stream,
                      static_cast<const double*>(x), n, out);
        return;
    }
}

void narrow(cudaStream_t stream, Kept kept, const float* x, std::size_t n, void* out) {
    switch (kept) {
    case Kept::f16:
        DIVDET_LAUNCH((kernels::narrow<Kept::f16>), blocksFor(n), kThreads, stream, x, n,
                      static_cast<std::uint16_t*>(out));
        return;
    case Kept::bf16:
        DIVDET_LAUNCH((kernels::narrow<Kept::bf16>), blocksFor(n), kThreads, stream, x, n,
                      static_cast<std::uint16_t*>(out));
        return;
    case Kept::f8e4m3:
        DIVDET_LAUNCH((kernels::narrow<Kept::f8e4m3>), blocksFor(n), kThreads, stream, x, n,
                      static_cast<std::uint8_t*>(out));
        return;
    case Kept::f8e5m2:
        DIVDET_LAUNCH((kernels::narrow<Kept::f8e5m2>), blocksFor(n), kThreads, stream, x, n,
                      static_cast<std::uint8_t*>(out));
        return;
    default: // results are kept in no other format
        return;
    }
}

void roundInPlace(cudaStream_t stream, Kept kept, float* x, std::size_t n) {
    if (kept == Kept::f16)
        DIVDET_LAUNCH((kernels::roundInPlace<Kept::f16>), blocksFor(n), kThreads, stream, x, n);
    else if (kept == Kept::bf16)
        DIVDET_LAUNCH((kernels::roundInPlace<Kept::bf16>), blocksFor(n), kThreads, stream, x, n);
}

void flushFloats(cudaStream_t stream, float* x, std::size_t n) {
    DIVDET_LAUNCH(kernels::flushFloats, blocksFor(n), kThreads, stream, x, n);
}

void flushBf16(cudaStream_t stream, std::uint16_t* x, std::size_t n) {
    DIVDET_LAUNCH(kernels::flushBf16, blocksFor(n), kThreads, stream, x, n);
}

void fillNormal(cudaStream_t stream, std::uint64_t seed, std::uint32_t of, std::uint64_t first, std::size_t n,
                float* out) {
    DIVDET_LAUNCH(kernels::fillNormal, blocksFor(n), kThreads, stream, seed, of, first, n, out);
}

void fillUniform(cudaStream_t stream, std::uint64_t seed, std::uint32_t of, std::uint64_t first,
                 std::size_t n, float* out) {
    DIVDET_LAUNCH(kernels::fillUniform, blocksFor(n), kThreads, stream, seed, of, first, n, out);
}

} // namespace divdet::cuda
