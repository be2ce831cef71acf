#pragma once
#include <array>
#include <cstdint>

namespace divdet {

/// Small floating formats that exist only in files: widened to f32, which holds each of their values exactly.
enum class SmallFloat : std::uint8_t {
    f8e4m3fnuz, ///< bias 8, no infinities, no -0; 0x80 is nan (arXiv 2206.02915)
    f8e5m2fnuz, ///< bias 16, likewise
    f8e8m0,     ///< 2^(code - 127); 0xff is nan (OCP Microscaling 1.0, section 5.4.1)
    f6e2m3,     ///< bias 1, finite (OCP Microscaling 1.0, section 5.3.2)
    f6e3m2,     ///< bias 3, finite
    f4e2m1,     ///< bias 1, finite (section 5.3.3)
};

/// The value of every code; codes with bits above the format's width repeat those without.
std::array<float, 256> smallFloatValues(SmallFloat format);

} // namespace divdet
