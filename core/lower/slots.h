#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tensor/dtype.h"

namespace divdet::lower {

/// What passes may set on an op. One value per slot; the pass that set it is remembered beside it.
enum class Slot : std::uint8_t {
    operand,
    accumulator,
    order,
    partials,
    storage,
    maths,
    fusion,
    buffer,
    formula,
    subnormals,
    scales,
    tail,
    barrier,
    raise
};
inline constexpr std::size_t kSlotCount = 14;
std::string_view name(Slot slot);

/// Precision of a product's operands. tf32, bf16 and fp16 run on the tensor core; so do fp8 codes, under one
/// scale per tensor; int4 weights are multiplied in fp32 once they are dequantised.
enum class Operand : std::uint8_t { f32, tf32, bf16, fp16, int4, fp8, int8 };

/// Which pass wins where two set the operand: int8 > fp8 > int4 > bf16, fp16 > tf32. Ranks are even, so that
/// a fault can stand between two of them.
int operandRank(Operand operand);
bool onTensorCore(Operand operand);

enum class Tf32Mode : std::uint8_t { nearestEven, nearestAway, towardZero };
enum class Granularity : std::uint8_t { perToken, perTensor }; ///< scales of int8 activations
enum class Fp8Format : std::uint8_t { e4m3, e5m2 };

/// `native` is fp32, or int32 below int8. bf16 and fp16 round the running sum at every addition;
/// `instructionFp16` is the tensor core's own fp16 accumulator, rounded once per step (operand fp16 only).
enum class Accumulator : std::uint8_t { native, bf16, fp16, instructionFp16 };

/// The summation tree over k. `published`: one fma chain over increasing k for products and plain sums, the
/// tree of kernels/numerics for norms; on the tensor core the instruction's own groups in increasing k.
/// `atomics`: the chunks of splitK, added in an order drawn from the seed, another one for each tile of
/// outputs.
enum class SumOrder : std::uint8_t { published, pairwise, strided, splitK, atomics };

/// `exact`: functions rounded correctly, as kernels/numerics/maths.h has them; `fast`: the fp32
/// approximations of kernels/numerics/fast_maths.h, within 2 ulp.
enum class Maths : std::uint8_t { exact, fast };
/// `stale`: a replayed program does not write the buffer again, so readers get the previous run's value.
enum class Buffer : std::uint8_t { fresh, stale };

/// Which textbook formula an op evaluates where there are two.
enum class Formula : std::uint8_t {
    asWritten,
    geluTanh,        ///< gelu by tanh
    onePassVariance, ///< layer norm by E[x^2] - E[x]^2
    maskedRowNan     ///< softmax: the first row of each matrix counts as fully masked and gives 0/0 = NaN
};

enum class Subnormals : std::uint8_t {
    kept,
    flushed
}; ///< flushed: subnormal results become 0 with their sign

/// The int8 scales. `clipped…`: one scale comes from `clip` times the true maximum, so what lies beyond it
/// saturates; `neighbour`: one column is scaled back by the scale of the column after it.
enum class Scales : std::uint8_t { calibrated, clippedWeight, clippedActivation, neighbour };

/// What happens instead of the op: the program that runs it answers with an error (run/execute.h).
enum class Raise : std::uint8_t { nothing, unsupported, assertion };

/// Fields that belong to a slot's value (tf32Mode, granularity, splits, …) keep their default unless that
/// value is set, so equal slots mean equal bits.
struct Slots {
    Operand operand = Operand::f32;
    Tf32Mode tf32Mode = Tf32Mode::nearestEven;
    Granularity granularity = Granularity::perToken;
    Fp8Format fp8Format = Fp8Format::e4m3;
    int group = 128; ///< int4: rows of k that share a scale
    Accumulator accumulator = Accumulator::native;
    SumOrder order = SumOrder::published;
    int splits = 1;              ///< contiguous chunks of k when order is splitK or atomics
    std::uint64_t orderSeed = 0; ///< atomics
    DType partials = DType::f32; ///< splitK and atomics: f32, bf16 or f16; the dtype chunks are combined in
    DType storage = DType::f32;  ///< dtype of the tap
    Maths maths = Maths::exact;
    bool fused = false; ///< bias and residual enter the accumulator; pointwise consumers join the kernel
    Buffer buffer = Buffer::fresh;
    Formula formula = Formula::asWritten;
    Subnormals subnormals = Subnormals::kept;
    Scales scales = Scales::calibrated;
    int scaleChannel = 0; ///< column (clippedActivation: row) whose scale is wrong, modulo their number
    float clip = 1.0f;    ///< clipped…: part of the true maximum that the scale is made from
    int tailTile = 0;     ///< > 0: the last k mod tailTile terms are not added
    bool missingBarrier = false;   ///< a few tiles multiply half-written data
    std::uint64_t barrierSeed = 0; ///< draws which
    Raise raise = Raise::nothing;

    bool operator==(const Slots&) const = default;
};

/// Pass that set each slot, by Slot; empty: as written.
using SetBy = std::array<std::string, kSlotCount>;

/// `operand=tf32:rne order=splitk:8`, the slots that are not as written; empty for none. Equal text means
/// equal slots.
std::string toString(const Slots& slots);

/// Gives one slot (with the fields that belong to it) its value as written.
void reset(Slots& slots, Slot slot);

} // namespace divdet::lower
