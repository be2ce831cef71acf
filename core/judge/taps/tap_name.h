#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace divdet {

/// What a tap's name says of its place: `layers.2.mlp.down` is the role `layers.*.mlp.down` in layer 2.
struct TapName {
    std::optional<int> layer; ///< none: no part of the name counts layers
    std::string role;         ///< the name with the layer replaced by `*`; empty without a layer
    bool gradient = false;    ///< a part of the name is grad, grads, gradient …
};

/// Parts are separated by `.` and `/`; a trailing `:0` (an output's number) is left out. The layer is the
/// first part that is a number, else the first that is letters and a number, as in `layer2` or `block_3`.
TapName readTapName(std::string_view name);

} // namespace divdet
