#pragma once
#include "host/gemm.h"

namespace divdet::host::int8 {

/// Two operands as the halves of one int32.
inline std::int32_t pairOf(std::int8_t low, std::int8_t high) {
    const std::uint32_t l = static_cast<std::uint16_t>(static_cast<std::int16_t>(low));
    const std::uint32_t h = static_cast<std::uint16_t>(static_cast<std::int16_t>(high));
    return static_cast<std::int32_t>(h << 16 | l);
}

/// C = A B with the AVX-512 VNNI instruction, which Highway 1.0.3 does not offer. False, and C untouched,
/// where the processor lacks it or useVnni(false) was called.
bool gemmVnni(GemmShape shape, const std::int8_t* a, const std::int8_t* b, std::int32_t* c);

void useVnni(bool allowed); ///< for tests of the other paths; not thread-safe

} // namespace divdet::host::int8
