#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "block/dim.h"

namespace divdet::block {

/// What an input or weight is filled with. Every kind is a function of (seed, stream, flat index), so that
/// any device makes the same numbers. z is standard normal.
enum class FillKind : std::uint8_t {
    normal,         ///< sigma·z
    positive,       ///< |sigma·z|
    outlierChannel, ///< normal; the channel in the middle of the last dimension is ×20
    largeMean,      ///< sigma·(z + 4096): the mean's square needs every bit that fp32 has
    nearCancel,     ///< along the last dimension each odd element is minus its neighbour plus sigma·z/1024
    ones,           ///< 1 (gains)
    zeros,          ///< 0 (biases of norms)
    indices,        ///< whole numbers, each of 0 to limit - 1 equally likely
};

/// A filling of a special meaning (gains, row numbers) stays when the user picks another kind of inputs.
bool isInputKind(FillKind kind);

inline constexpr double kOutlierFactor = 20;
inline constexpr double kLargeMean = 4096;
inline constexpr double kCancelResidue = 1.0 / 1024;

/// Names for the user: normal, positive, outlier-channel, large-mean, near-cancel; ones, zeros, indices.
std::string_view name(FillKind kind);
std::optional<FillKind> parseInputKind(std::string_view text);
std::optional<FillKind> parseFillKind(std::string_view text); ///< ones, zeros and indices too
std::vector<std::string_view> inputKinds();                   ///< those a user may pick

/// `sigma` is multiplied by (area / (product of areaDims))^(1/4) when areaDims is not empty.
struct Filling {
    FillKind kind = FillKind::normal;
    double sigma = 1;
    std::uint64_t stream = 0; ///< Philox stream: different for each value of a graph
    double area = 1;
    DimList areaDims;
    Dim limit = 1; ///< of indices

    bool operator==(const Filling&) const = default;
};

} // namespace divdet::block
