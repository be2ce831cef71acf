#include "block/ops/row_index.h"

#include <cmath>

#include <fmt/format.h>

#include "block/ops/support.h"

namespace divdet::block::ops {

Result<std::vector<std::size_t>> rowIndices(const Tensor& indices, std::int64_t rows) {
    const auto values = doubles(indices);
    std::vector<std::size_t> out;
    out.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(values[i] >= 0) || values[i] >= static_cast<double>(rows) || values[i] != std::floor(values[i]))
            return Error{ErrorCode::mismatch,
                         fmt::format("index {} at place {} is no row number", values[i], i), "",
                         fmt::format("rows are 0 to {}", rows - 1)};
        out.push_back(static_cast<std::size_t>(values[i]));
    }
    return out;
}

} // namespace divdet::block::ops
