#include "cuda_on_cpu/mma.h"

#include <cstring>
#include <stdexcept>

#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/executor.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"

namespace cuda_on_cpu {
namespace {

using divdet::numerics::OperandFormat;
using divdet::numerics::TcSpec;

/// Where element i of a fragment lies: PTX manual, "Matrix Fragments for mma.m16n8k…".
struct Place {
    unsigned row, column;
};
struct Layout {
    unsigned k, perRegister;

    Place a(unsigned lane, unsigned i) const {
        const unsigned group = lane / 4, thread = lane % 4;
        switch (k) {
        case 8: // .tf32: a0 a2 in row group, a1 a3 in row group + 8
            return {i % 2 == 0 ? group : group + 8, i < 2 ? thread : thread + 4};
        case 16: // .f16, .bf16: a0 a1 a4 a5 in row group
            return {i < 2 || (i >= 4 && i < 6) ? group : group + 8, thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
        default: // 8 bits: a0..a3 and a8..a11 in row group
            return {i < 4 || (i >= 8 && i < 12) ? group : group + 8, thread * 4 + (i & 3) + (i < 8 ? 0 : 16)};
        }
    }
    Place b(unsigned lane, unsigned i) const {
        const unsigned group = lane / 4, thread = lane % 4;
        switch (k) {
        case 8:
            return {thread + (i == 0 ? 0 : 4), group};
        case 16:
            return {thread * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
        default:
            return {thread * 4 + (i & 3) + (i < 4 ? 0 : 16), group};
        }
    }
};

Place placeOfC(unsigned lane, unsigned i) {
    return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1)};
}

constexpr unsigned kMaxK = 32;

std::uint32_t element(const std::uint32_t* registers, unsigned i, unsigned perRegister) {
    const unsigned bits = 32 / perRegister;
    const std::uint32_t word = registers[i / perRegister] >> (i % perRegister * bits);
    return bits == 32 ? word : word & ((1u << bits) - 1);
}

/// The warp's pieces of A [16, k] and B [k, 8], put together from the registers of all lanes. `decode` reads
/// an element.
template <class T>
class Operands {
public:
    template <class Decode>
    Operands(Layout layout, const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], const Decode& decode) {
        static_assert(sizeof(T) == 4 && (16 + 8) * kMaxK <= kWarpWords);
        for (unsigned i = 0; i < 4 * layout.perRegister; ++i) {
            const Place p = layout.a(lane(), i);
            put(p.row * kMaxK + p.column, decode(element(a, i, layout.perRegister)));
        }
        for (unsigned i = 0; i < 2 * layout.perRegister; ++i) {
            const Place p = layout.b(lane(), i);
            put((16 + p.column) * kMaxK + p.row, decode(element(b, i, layout.perRegister)));
        }
        meetWarp();
        for (unsigned i = 0; i < 2; ++i) {
            std::memcpy(m_rows[i], warpScratch() + placeOfC(lane(), 2 * i).row * kMaxK, sizeof m_rows[i]);
            std::memcpy(m_columns[i], warpScratch() + (16 + placeOfC(lane(), i).column) * kMaxK,
                        sizeof m_columns[i]);
        }
        meetWarp(); // nobody writes the next registers before all have read these
    }
    const T* row(unsigned i) const { return m_rows[i / 2]; }
    const T* column(unsigned i) const { return m_columns[i % 2]; }

private:
    static void put(unsigned at, T value) { std::memcpy(warpScratch() + at, &value, sizeof value); }
    T m_rows[2][kMaxK], m_columns[2][kMaxK];
};

float decodeOperand(OperandFormat format, std::uint32_t code) {
    using namespace divdet::numerics;
    switch (format) {
    case OperandFormat::f16:
        return f16ToFloat(static_cast<std::uint16_t>(code));
    case OperandFormat::bf16:
        return bf16ToFloat(static_cast<std::uint16_t>(code));
    case OperandFormat::tf32:
        return floatFromBits(code);
    case OperandFormat::f8e4m3:
        return f8e4m3ToFloat(static_cast<std::uint8_t>(code));
    case OperandFormat::f8e5m2:
        return f8e5m2ToFloat(static_cast<std::uint8_t>(code));
    }
    return 0;
}

Layout layoutOf(OperandFormat format) {
    if (format == OperandFormat::tf32) return {8, 1};
    if (format == OperandFormat::f16 || format == OperandFormat::bf16) return {16, 2};
    return {32, 4};
}

void multiply(OperandFormat format, const TcSpec& spec, float (&c)[4], const std::uint32_t (&a)[4],
              const std::uint32_t (&b)[2]) {
    if (!spec.exists()) throw std::runtime_error("cuda_on_cpu: this device has no such mma instruction");
    const Layout layout = layoutOf(format);
    const auto decode = [&](std::uint32_t code) { return decodeOperand(format, code); };
    const Operands<float> in(layout, a, b, decode);
    for (unsigned i = 0; i < 4; ++i)
        c[i] = divdet::numerics::tcDot(in.row(i), 1, in.column(i), 1, layout.k, c[i], spec);
}

/// What becomes of an fp8 instruction on sm_90 and sm_100, as tests/cuda/sass_audit.sh pins it: two f16
/// instructions, over the low and the high half of every word, that begin at zero; then one addition of c.
void multiplyConverted(OperandFormat format, const TcSpec& half, float (&c)[4], const std::uint32_t (&a)[4],
                       const std::uint32_t (&b)[2]) {
    const auto decode = [&](std::uint32_t code) { return decodeOperand(format, code); };
    const Operands<float> in(layoutOf(format), a, b, decode);
    for (unsigned i = 0; i < 4; ++i) {
        float sum = 0;
        for (unsigned high = 0; high < 2; ++high) {
            float x[16], y[16];
            for (unsigned k = 0; k < 16; ++k) {
                const unsigned from = k / 2 * 4 + high * 2 + k % 2;
                x[k] = in.row(i)[from];
                y[k] = in.column(i)[from];
            }
            sum = divdet::numerics::tcDot(x, 1, y, 1, 16, sum, half);
        }
        c[i] = divdet::numerics::addRn(c[i], sum);
    }
}

} // namespace

void mma(OperandFormat format, float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const TcSpec spec = divdet::numerics::tcSpec(currentArch(), format);
    const bool fp8 = format == OperandFormat::f8e4m3 || format == OperandFormat::f8e5m2;
    if (fp8 && spec.operand == OperandFormat::f16)
        multiplyConverted(format, spec, c, a, b);
    else
        multiply(format, spec, c, a, b);
}

void mmaF16(std::uint32_t (&c)[2], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    using namespace divdet::numerics;
    float sums[4];
    for (unsigned i = 0; i < 4; ++i)
        sums[i] = f16ToFloat(static_cast<std::uint16_t>(c[i / 2] >> (i % 2 * 16)));
    multiply(OperandFormat::f16, tcSpec(currentArch(), OperandFormat::f16, true), sums, a, b);
    for (unsigned i = 0; i < 2; ++i) {
        std::uint32_t code[2];
        for (unsigned j = 0; j < 2; ++j) {
            const float x = sums[2 * i + j];
            code[j] = isNan(x) ? 0x7FFFu : f16FromFloat(x); // the instruction's own NaN
        }
        c[i] = code[0] | code[1] << 16;
    }
}

void mmaInt8(std::int32_t (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const auto decode = [](std::uint32_t code) { return std::int32_t{static_cast<std::int8_t>(code)}; };
    const Operands<std::int32_t> in({32, 4}, a, b, decode);
    for (unsigned i = 0; i < 4; ++i) {
        auto sum = static_cast<std::uint32_t>(c[i]);
        for (unsigned k = 0; k < 32; ++k) sum += static_cast<std::uint32_t>(in.row(i)[k] * in.column(i)[k]);
        c[i] = static_cast<std::int32_t>(sum);
    }
}

} // namespace cuda_on_cpu
