#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "block/op_def.h"
#include "lower/lowered.h"
#include "tensor/tensor.h"

/// Small ops with the bits that a device must answer. The bits are not computed by this program: a script
/// (tests/golden/device_check.py) derives them with exact fractions from the published definitions and holds
/// itself to micro-cases that were measured on GPUs.
namespace divdet::run::golden {

/// fp32 bits as written, or, without any, drawn in [-1, 1): x' = 1664525 x + 1013904223 mod 2^32 from the
/// seed, and each x gives ((x >> 8) - 2^23) 2^-23.
struct Input {
    Shape shape;
    std::uint32_t seed = 0;
    std::vector<std::uint32_t> bits;
};

/// What the architectures (80 for sm_80; 0 for all) answer.
struct Answer {
    std::vector<int> architectures;
    std::vector<std::uint32_t> bits;
};

struct Case {
    std::string_view arithmetic; ///< `fp32-pairwise`, `tf32`, `exp` …: what a report names
    std::string_view what;
    block::OpKind kind;
    std::string_view slots; ///< name of an entry of slotsNamed; `fill-normal` draws random numbers instead
    float eps;              ///< of norms
    std::vector<Input> inputs;
    std::vector<Answer> answers;
};

const std::vector<Case>& cases();

/// The names of the arithmetics, in order.
std::vector<std::string_view> arithmetics();

/// The bits due from an architecture (`sm_80`), nullptr where it has no such instruction or is unknown.
const std::vector<std::uint32_t>* answerOf(const Case& c, std::string_view architecture);

inline constexpr std::uint64_t kNormalSeed = 0x0123456789ABCDEF; ///< of `fill-normal`
inline constexpr std::uint32_t kNormalStream = 5;

lower::LoweredOp opOf(const Case& c);
std::vector<Tensor> inputsOf(const Case& c);

} // namespace divdet::run::golden
