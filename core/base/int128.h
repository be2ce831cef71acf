#pragma once

namespace divdet {

/// Differences of 64-bit integers need 65 bits. GCC and clang have the type; ISO C++ has no name for it.
__extension__ using Int128 = __int128;

} // namespace divdet
