#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "host/gemm.h"
#include "lower/slots.h"
#include "numerics/half_written.h"
#include "numerics/tensor_core_spec.h"

/// What reaches the multipliers of a product: operands in the precision that the slots ask for, and the
/// scales with which the sums come back.
namespace divdet::host::twin {

struct Span {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
};

class Multiplier {
public:
    Multiplier(Multiplier&&) = default; // the vectors, which may be pointed into, keep their memory
    Multiplier& operator=(Multiplier&&) = default;
    Multiplier(const Multiplier&) = delete;
    Multiplier& operator=(const Multiplier&) = delete;

    /// a and b are fp32, row-major, and must outlive the object: what needs no rounding is used in place.
    /// Error: unsupported when `arch` has no instruction for the operands.
    static Result<Multiplier> prepare(const lower::Slots& slots, numerics::Arch arch, GemmShape shape,
                                      const float* a, const float* b);

    GemmShape shape() const { return m_shape; } ///< k without a dropped tail
    bool integers() const { return m_integers; }
    const float* a() const { return m_a; }
    const float* b() const { return m_b; }
    const std::int8_t* aCodes() const { return m_aCodes.data(); }
    const std::int8_t* bCodes() const { return m_bCodes.data(); }
    const numerics::TcSpec& spec() const { return m_spec; } ///< exists() when the tensor core multiplies
    bool scaled() const { return !m_rowScales.empty(); }
    std::size_t chunkUnit() const {
        return m_spec.exists() ? static_cast<std::size_t>(m_spec.instructionK) : 1;
    }

    /// Some rows of A, columns of B and k, B read as `what` says; must not outlive this. It has no scales.
    Multiplier part(Span rows, Span columns, Span k, numerics::HalfWritten what = {}) const;

    /// c = c s + start by one fma, or c s without a start; s = (scale of the row)(scale of the column).
    void scaleBack(Start start, float* c) const;

private:
    Multiplier() = default;
    void quantizeInt8(const lower::Slots& slots, const float* a, const float* b);
    void quantizeF8(numerics::OperandFormat format, const float* a, const float* b);
    void quantizeInt4(std::size_t group, const float* b);
    void roundOperands(const lower::Slots& slots, const float* a, const float* b);

    GemmShape m_shape{};
    bool m_integers = false;
    numerics::TcSpec m_spec{};
    const float* m_a = nullptr;
    const float* m_b = nullptr;
    std::vector<float> m_aOwned, m_bOwned;
    std::vector<std::int8_t> m_aCodes, m_bCodes;
    std::vector<float> m_rowScales, m_columnScales;
};

} // namespace divdet::host::twin
