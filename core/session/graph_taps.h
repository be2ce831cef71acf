#pragma once
#include <optional>
#include <string>
#include <unordered_map>

#include "block/graph.h"
#include "dump/dump.h"

namespace divdet {

/// Finds the taps of a dump by the names that a graph uses.
class GraphTaps {
public:
    explicit GraphTaps(const Dump& dump);

    /// A second name for a tap, after its own.
    void alias(const std::string& name, std::size_t tap) { m_aliases.try_emplace(name, tap); }

    /// The tap of a value: by its `tap` or its name as it is, without noise, then without case (never where
    /// two taps share that name), then by alias.
    std::optional<std::size_t> find(const block::Value& value) const;

private:
    using Index = std::unordered_map<std::string, std::optional<std::size_t>>;
    Index m_names, m_plain, m_folded;
    std::unordered_map<std::string, std::size_t> m_aliases;
};

/// A tap as the value of the graph that it is: in the shape the graph derives, whole numbers as f32. Errors:
/// mismatch for a shape that differs in more than dims of size 1; unsupported for a dtype with no real
/// numbers.
Result<Tensor> asGraphValue(const Tensor& tap, const Shape& shape);

} // namespace divdet
