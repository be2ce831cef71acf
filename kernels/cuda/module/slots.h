#pragma once
#include "cuda/module/attributes.h"
#include "numerics/partials.h"

namespace divdet::cuda {

/// The slots of core's lower/slots.h as attributes carry them (backend_abi.h lists keys and values). The
/// meaning of each value is written there and in kernels/numerics.
struct Slots {
    enum class Operand { f32, tf32, bf16, fp16, int4, fp8, int8 } operand = Operand::f32;
    enum class Tf32Mode { nearestEven, nearestAway, towardZero } tf32Mode = Tf32Mode::nearestEven;
    bool perTensor = false; ///< int8 activations
    bool e5m2 = false;      ///< fp8
    std::size_t group = 128;
    enum class Accumulator { native, bf16, fp16, instructionFp16 } accumulator = Accumulator::native;
    enum class Order { published, pairwise, strided, splitK, atomics } order = Order::published;
    std::size_t splits = 1;
    std::uint64_t orderSeed = 0;
    numerics::PartialFormat partials = numerics::PartialFormat::f32;
    bool fast = false;
    bool fused = false;
    enum class Formula { asWritten, geluTanh, onePassVariance, maskedRowNan } formula = Formula::asWritten;
    bool flushed = false;
    enum class Scales { calibrated, clippedWeight, clippedActivation, neighbour } scales = Scales::calibrated;
    std::size_t scaleChannel = 0;
    float clip = 1.0f;
    bool hardwareAtomics = false; ///< scatter-add: additions in the order of their arrival on the device
    std::size_t tailTile = 0;
    bool missingBarrier = false;
    std::uint64_t barrierSeed = 0;

    /// Throws Failure for values that there are not.
    static Slots of(const Attributes& attributes);

    bool inChunks() const { return order == Order::splitK || order == Order::atomics; }
    bool roundedSum() const { return accumulator == Accumulator::bf16 || accumulator == Accumulator::fp16; }
    /// Of a running sum that is rounded; f32 otherwise.
    numerics::PartialFormat accumulatorFormat() const;
    /// The summation tree; `published` is what stands for Order::published.
    numerics::SumOrder sumOrder(numerics::Order published) const;
    /// Whether norms and softmax can sum so: in a tree of numerics/reduction.h.
    bool plainSums() const;
    /// Values that contradict each other; lowering leaves none of them.
    bool contradictory() const {
        return splits < 1 || (partials != numerics::PartialFormat::f32 && !inChunks());
    }
};

} // namespace divdet::cuda
