#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace divdet::block {

/// One extent: a constant, or the name of a dimension that the user may change (tokens, width, hidden, k).
struct Dim {
    std::string symbol;     ///< empty for a constant
    std::int64_t value = 0; ///< used only when `symbol` is empty

    Dim(std::int64_t constant)
        : value(constant) {}
    Dim(int constant)
        : value(constant) {}
    Dim(std::string name)
        : symbol(std::move(name)) {}
    Dim(const char* name)
        : symbol(name) {}
    bool operator==(const Dim&) const = default;
};

/// Extents of a value, outermost first; empty = a scalar.
using DimList = std::vector<Dim>;

/// Values for dimension names.
using DimValues = std::map<std::string, std::int64_t>;

} // namespace divdet::block
