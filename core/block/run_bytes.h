#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "block/bind.h"

/// How much memory running a block takes, known before anything is allocated: a bound on what a judged run
/// holds at one time, whatever its passes are and however it is judged.
///   an input or weight   as it is given, as the candidate keeps it, and its mean in the envelope
///   an op's result       of the reference (fp64 at the widest), of the candidate, mean and variance in the
///                        envelope
///   the op in work       exact value, bound and what leads to them for each element of its result; for each
///                        number it reads the number, its operand and the slack of that, all as doubles; for
///                        each number in a window of a convolution its mean and variance as well
/// Numbers of dimensions, texts, the op cache (OpCache::kDefaultBytes) and, in the window, the result shown
/// before come on top. Measured peaks of whole runs were 0.35 to 0.9 of it.
namespace divdet::block {

inline constexpr std::uint64_t kDefaultMaxRunBytes = std::uint64_t{8} << 30; ///< 8 GiB

/// What a run may hold: kDefaultMaxRunBytes, unless the user allows something else. One for the process.
std::uint64_t maxRunBytes();

/// Error: usage for what is no whole number of GiB from 1 to 1048576; then nothing changes.
Status setMaxRunGiB(std::string_view gib);

/// The same with the number in the environment variable DIVDET_MAX_GIB, when it is set. Only the user sets
/// it; no file can.
Status useMaxRunBytesOfEnvironment();

inline constexpr std::uint64_t kLeafBytes = 4 + 4 + 8;       ///< of an element of an input or a weight
inline constexpr std::uint64_t kResultBytes = 8 + 4 + 8 + 8; ///< of an element that an op computes
inline constexpr std::uint64_t kWorkBytes = 6 * 8;           ///< of an element of the op in work, besides
inline constexpr std::uint64_t kReadBytes = 3 * 8;           ///< of an element that this op reads, besides
inline constexpr std::uint64_t kWindowBytes = 5 * 8;         ///< of an element of its windows, besides

/// Bytes as above; UINT64_MAX for what no 64 bits count. Precondition: `block` has all its shapes.
std::uint64_t runBytes(const BoundGraph& block);

/// Bytes of one value alone, which every run of a block with it takes at least; saturates too.
std::uint64_t leastBytes(const Shape& shape, Role role);

/// Error: refused for a run beyond maxRunBytes(); says what it asks for, and which value is to blame.
Status checkRunBytes(const BoundGraph& block);

/// The same of a value while the others are not known yet; every shape that passes has few enough elements
/// for any two extents to be multiplied in 63 bits.
Status checkValueBytes(const BoundGraph& block, ValueIndex value);

/// `9.3 GiB`, `512 MiB`, `17 bytes`; from 2^63 on `more than 8 EiB`.
std::string bytesText(std::uint64_t bytes);

} // namespace divdet::block
