#pragma once
#include "numerics/portable.h"

/// What is known about each architecture's tensor cores: Khattak & Mikaitis, "Accurate Models of NVIDIA
/// Tensor Cores" (arXiv 2512.07004), Xie et al., "Bit-Accurate Modeling of GPU MMAUs" (arXiv 2511.10909).
/// fp16, bf16 and tf32 of sm_70, 80, 86, 89, 90 and 100 agree with recorded GPU outputs; sm_75 rests on the
/// second model alone.
namespace divdet::numerics {

enum class Arch : std::uint8_t {
    sm70 = 70,
    sm75 = 75,
    sm80 = 80,
    sm86 = 86,
    sm87 = 87,
    sm89 = 89,
    sm90 = 90,
    sm100 = 100,
    sm120 = 120
};

enum class OperandFormat : std::uint8_t { f16, bf16, tf32, f8e4m3, f8e5m2 };

/// Which instruction executes fp8: sm_90 and sm_100 have none for `mma.sync`, so codes are converted there
/// and the f16 instruction multiplies, along increasing k like any f16 product. (An fp8 `mma.sync` in PTX
/// becomes another sum of the same f16 instructions: tests/cuda/sass_audit.sh.) wgmma and tcgen05
/// (`asynchronous`) multiply fp8 themselves. The other formats do not differ.
enum class TcInstruction : std::uint8_t { mmaSync, asynchronous };

enum class TcOutput : std::uint8_t {
    f32,       ///< truncated to 24 significant bits
    f32Keep13, ///< truncated to 13 fraction bits
    f16        ///< rounded to nearest even
};

/// Stored fraction bits and smallest exponent with which operands are decoded.
struct OperandShape {
    int fractionBits;
    int minExponent;
};

DIVDET_HD OperandShape operandShape(OperandFormat f) {
    switch (f) {
    case OperandFormat::f16:
        return {10, -14};
    case OperandFormat::bf16:
        return {7, -126};
    case OperandFormat::tf32:
        return {10, -126};
    case OperandFormat::f8e4m3:
        return {3, -6};
    case OperandFormat::f8e5m2:
        return {2, -14};
    }
    return {10, -14};
}

/// One fused step: n products and the accumulator on a grid of 2^(eta - alignBits).
struct TcSpec {
    int n;             ///< products per step; 0: the architecture has no such instruction
    int alignBits;     ///< fraction bits F kept below the largest exponent eta
    int floorExponent; ///< eta is at least this
    int instructionK;  ///< products per instruction; split-K chunks are multiples of it
    TcOutput output;
    OperandFormat operand; ///< how the multiplier sees its operands (fp8 may run as f16)

    DIVDET_HD bool exists() const { return n > 0; }
};

/// fp32 accumulator, or with `f16Accumulator` the all-fp16 instruction (f16 operands only).
DIVDET_HD TcSpec tcSpec(Arch arch, OperandFormat format, bool f16Accumulator = false,
                        TcInstruction instruction = TcInstruction::mmaSync) {
    const int sm = static_cast<int>(arch);
    const bool fp8 = format == OperandFormat::f8e4m3 || format == OperandFormat::f8e5m2;
    const TcSpec none{0, 0, 0, 0, TcOutput::f32, format};
    if (f16Accumulator && format != OperandFormat::f16) return none;
    if (sm < 80 && format != OperandFormat::f16) return none;
    if (fp8) {
        if (sm < 89) return none;
        if (sm == 89) return {16, 13, -132, 32, TcOutput::f32Keep13, format};
        if (sm != 120 && instruction == TcInstruction::mmaSync)
            format = OperandFormat::f16;
        else if (sm == 90)
            return {32, 13, -132, 32, TcOutput::f32Keep13, format};
        else
            return {32, 25, -133, 32, TcOutput::f32, format};
    }
    // Volta aligns to 23 bits, Turing to Ada to 24, Hopper and Blackwell to 25, and the floors follow suit.
    const int bits = sm < 75 ? 23 : sm < 90 ? 24 : 25;
    const int wide = sm < 75 ? 4 : sm < 90 ? 8 : 16;
    const bool tf32 = format == OperandFormat::tf32;
    const int n = tf32 ? wide / 2 : wide;
    const int k = sm < 75 ? 4 : sm < 80 ? 8 : tf32 ? 8 : 16;
    if (f16Accumulator) return {n, bits, 4 - bits, k, TcOutput::f16, format};
    return {n, bits, -108 - bits, k, TcOutput::f32, format};
}

} // namespace divdet::numerics
