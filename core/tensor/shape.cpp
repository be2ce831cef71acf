#include "tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet {

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape) {
    std::int64_t n = 1;
    bool empty = false;
    for (std::int64_t d : shape) {
        if (d < 0) return std::nullopt;
        if (d == 0) empty = true;
        // A zero extent does not excuse the others from being countable: numpy refuses such shapes too.
        else if (__builtin_mul_overflow(n, d, &n))
            return std::nullopt;
    }
    return empty ? 0 : n;
}

Index unravel(std::int64_t i, std::span<const std::int64_t> shape) {
    Index out(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        out[d] = shape[d] ? i % shape[d] : 0;
        if (shape[d]) i /= shape[d];
    }
    return out;
}

std::string toString(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

} // namespace divdet
