#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tensor/dtype.h"

namespace divdet::lower {

/// What passes may set on an op. One value per slot; the pass that set it is remembered beside it.
enum class Slot : std::uint8_t { operand, accumulator, order, partials, storage, maths, fusion, buffer };
inline constexpr std::size_t kSlotCount = 8;
std::string_view name(Slot slot);

/// Precision of a product's operands. tf32, bf16 and fp16 run on the tensor core.
enum class Operand : std::uint8_t { f32, tf32, bf16, fp16, int4, fp8, int8 };

/// Which pass wins where two set the operand: int8 > fp8 > int4 > bf16, fp16 > tf32.
int operandRank(Operand operand);
bool onTensorCore(Operand operand);

enum class Tf32Mode : std::uint8_t { nearestEven, nearestAway, towardZero };
enum class Granularity : std::uint8_t { perToken, perTensor }; ///< scales of int8 activations

/// `native` is fp32, or int32 below int8. The others round the running sum at every addition.
enum class Accumulator : std::uint8_t { native, bf16, fp16 };

/// The summation tree over k. `published`: one fma chain over increasing k for products and plain sums, the
/// tree of kernels/numerics for norms; on the tensor core the instruction's own groups in increasing k.
enum class SumOrder : std::uint8_t { published, pairwise, strided, splitK };

enum class Maths : std::uint8_t { exact };  ///< functions rounded correctly, as kernels/numerics has them
enum class Buffer : std::uint8_t { fresh }; ///< every op writes memory of its own

/// Fields that belong to a slot's value (tf32Mode, granularity, splits) keep their default unless that value
/// is set, so equal slots mean equal bits.
struct Slots {
    Operand operand = Operand::f32;
    Tf32Mode tf32Mode = Tf32Mode::nearestEven;
    Granularity granularity = Granularity::perToken;
    Accumulator accumulator = Accumulator::native;
    SumOrder order = SumOrder::published;
    int splits = 1; ///< contiguous chunks of k when order is splitK
    DType partials = DType::f32;
    DType storage = DType::f32; ///< dtype of the tap
    Maths maths = Maths::exact;
    bool fused = false; ///< bias and residual enter the accumulator; pointwise consumers join the kernel
    Buffer buffer = Buffer::fresh;

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
