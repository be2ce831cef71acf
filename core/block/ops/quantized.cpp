#include "block/ops/quantized.h"

#include <fmt/format.h>

#include "block/ops/support.h"

namespace divdet::block::ops {

CodeRange codeRange(const Attributes& attributes) {
    return {integerOr(attributes, "low", -127), integerOr(attributes, "high", 127)};
}

Result<QuantizedLayout> quantizedLayout(std::string_view what, std::span<const Shape> in,
                                        const Attributes& attributes) {
    const Shape &x = in[0], &scale = in[1];
    if (in.size() == 3 && in[2] != scale)
        return shapeError(fmt::format("{} needs a zero point shaped like its scale", what), in);
    QuantizedLayout layout;
    if (scale.empty() || scale == Shape{1}) return layout;
    const auto rank = static_cast<std::int64_t>(x.size());
    std::int64_t axis = integerOr(attributes, "axis", -1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank || scale != Shape{x[static_cast<std::size_t>(axis)]})
        return shapeError(fmt::format("{} needs one scale, or one per position of its axis", what), in);
    layout.channels = static_cast<std::size_t>(scale[0]);
    for (auto d = static_cast<std::size_t>(axis) + 1; d < x.size(); ++d)
        layout.inner *= static_cast<std::size_t>(x[d]);
    return layout;
}

} // namespace divdet::block::ops
