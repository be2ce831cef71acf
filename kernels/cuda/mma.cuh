#pragma once
#include <cstdint>

#include "numerics/rounding.h"
#include "numerics/tensor_core_spec.h"
#ifndef __CUDACC__
#include "cuda_on_cpu/mma.h"
#endif

/// The only place that names a tensor-core instruction. Every one of them multiplies a 16-row piece of A by
/// an 8-column piece of B, both 32 bytes deep along k; in 32-bit words, with g = lane / 4 and t = lane % 4:
///   a[r]  word t + 4 (r / 2) of row g + 8 (r % 2)          r = 0..3
///   b[r]  word t + 4 r of column g                         r = 0, 1
///   c     outputs (g, 2t), (g, 2t+1), (g+8, 2t), (g+8, 2t+1)
/// so one kernel serves all of them. What an instruction adds to c is numerics/tensor_core.h with the spec of
/// the running device. Turing lacks the 32-byte depth: there it is done in halves, along increasing k.
///
/// A policy has: kElements (per 32-bit word), Register and kRegisters (of c), step, and conversions of the
/// four outputs from and to fp32.
namespace divdet::cuda {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define DIVDET_MMA_TURING 1
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define DIVDET_MMA_F8 1
#endif

#ifdef __CUDACC__
#define DIVDET_MMA_F32(NAME)                                                                                 \
    asm volatile("mma.sync.aligned." NAME " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"           \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                            \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#endif

/// A format that this compilation target has no instruction for; the host never starts such a kernel.
__device__ inline void noSuchInstruction() {
#ifdef __CUDACC__
    asm volatile("trap;");
#endif
}

struct FloatAccumulator {
    using Register = float;
    static constexpr int kRegisters = 4;
    __device__ static void load(float (&c)[4], const float (&x)[4]) {
        for (int i = 0; i < 4; ++i) c[i] = x[i];
    }
    __device__ static void store(const float (&c)[4], float (&x)[4]) {
        for (int i = 0; i < 4; ++i) x[i] = c[i];
    }
};

struct MmaF16 : FloatAccumulator {
    static constexpr int kElements = 2;
    static constexpr numerics::OperandFormat kFormat = numerics::OperandFormat::f16;
    __device__ static void step(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mma(kFormat, c, a, b);
#elif defined(DIVDET_MMA_TURING)
        for (int half = 0; half < 2; ++half)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
                         "{%0,%1,%2,%3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#else
        DIVDET_MMA_F32("m16n8k16.row.col.f32.f16.f16.f32");
#endif
    }
};

struct MmaBf16 : FloatAccumulator {
    static constexpr int kElements = 2;
    static constexpr numerics::OperandFormat kFormat = numerics::OperandFormat::bf16;
    __device__ static void step(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mma(kFormat, c, a, b);
#elif defined(DIVDET_MMA_TURING)
        noSuchInstruction();
#else
        DIVDET_MMA_F32("m16n8k16.row.col.f32.bf16.bf16.f32");
#endif
    }
};

struct MmaTf32 : FloatAccumulator {
    static constexpr int kElements = 1;
    static constexpr numerics::OperandFormat kFormat = numerics::OperandFormat::tf32;
    __device__ static void step(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mma(kFormat, c, a, b);
#elif defined(DIVDET_MMA_TURING)
        noSuchInstruction();
#else
        DIVDET_MMA_F32("m16n8k8.row.col.f32.tf32.tf32.f32");
#endif
    }
};

template <numerics::OperandFormat kOf>
struct MmaF8 : FloatAccumulator {
    static constexpr int kElements = 4;
    static constexpr numerics::OperandFormat kFormat = kOf;
    __device__ static void step(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mma(kFormat, c, a, b);
#elif !defined(DIVDET_MMA_F8)
        noSuchInstruction();
#else
        // An instruction on sm_89 and sm_120 alone. On sm_90 and sm_100 ptxas makes another sum of it (two of
        // f16, not along increasing k, from zero, with c added behind; sass_audit.sh), so that fp8 is packed
        // as f16 there and this is not launched; it is compiled for the PTX that sm_120 translates.
        if constexpr (kOf == numerics::OperandFormat::f8e4m3)
            DIVDET_MMA_F32("m16n8k32.row.col.f32.e4m3.e4m3.f32");
        else
            DIVDET_MMA_F32("m16n8k32.row.col.f32.e5m2.e5m2.f32");
#endif
    }
};

/// fp16 operands and an fp16 accumulator, rounded once per step.
struct MmaF16InF16 {
    using Register = std::uint32_t; ///< two f16 codes
    static constexpr int kRegisters = 2;
    static constexpr int kElements = 2;
    static constexpr numerics::OperandFormat kFormat = numerics::OperandFormat::f16;

    __device__ static void load(std::uint32_t (&c)[2], const float (&x)[4]) {
        for (int i = 0; i < 2; ++i) {
            const std::uint32_t low = numerics::f16FromFloat(x[2 * i]);
            c[i] = low | static_cast<std::uint32_t>(numerics::f16FromFloat(x[2 * i + 1])) << 16;
        }
    }
    __device__ static void store(const std::uint32_t (&c)[2], float (&x)[4]) {
        for (int i = 0; i < 4; ++i) x[i] = widened(static_cast<std::uint16_t>(c[i / 2] >> (i % 2 * 16)));
    }
    /// Exact; a NaN keeps its bits (the instruction's NaN is 0x7FFF).
    __device__ static float widened(std::uint16_t code) {
        if ((code & 0x7FFFu) <= 0x7C00u) return numerics::f16ToFloat(code);
        return numerics::floatFromBits((code & 0x8000u) << 16 | 0x7F800000u | (code & 0x3FFu) << 13);
    }
    __device__ static void step(std::uint32_t (&c)[2], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mmaF16(c, a, b);
#elif defined(DIVDET_MMA_TURING)
        for (int half = 0; half < 2; ++half)
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                         : "+r"(c[0]), "+r"(c[1])
                         : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
#else
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
            : "+r"(c[0]), "+r"(c[1])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    }
};

/// Exact products of int8 codes in int32, modulo 2^32. fp32 on the outside: one rounding of the finished sum.
struct MmaInt8 {
    using Register = std::int32_t;
    static constexpr int kRegisters = 4;
    static constexpr int kElements = 4;

    __device__ static void load(std::int32_t (&c)[4], const float (&)[4]) {
        for (int i = 0; i < 4; ++i) c[i] = 0;
    }
    __device__ static void store(const std::int32_t (&c)[4], float (&x)[4]) {
        for (int i = 0; i < 4; ++i) x[i] = numerics::toFloatRn(c[i]);
    }
    __device__ static void step(std::int32_t (&c)[4], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
#ifndef __CUDACC__
        cuda_on_cpu::mmaInt8(c, a, b);
#elif defined(DIVDET_MMA_TURING)
        for (int r = 0; r < 4; ++r) {
            const int at = r % 2 * 2; // rows g, or rows g + 8
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
                         : "+r"(c[at]), "+r"(c[at + 1])
                         : "r"(a[r]), "r"(b[r / 2]));
        }
#else
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    }
};

} // namespace divdet::cuda
