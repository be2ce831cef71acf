#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "block/dim.h"
#include "block/filling.h"
#include "block/op_def.h"

namespace divdet::block {

using ValueIndex = std::size_t; ///< position in Graph::values

enum class Role : std::uint8_t { input, weight, intermediate };

/// A named tensor of the block; its name is its tap. All values are fp32 in the graph as written.
struct Value {
    std::string name;
    DimList dims; ///< inputs and weights only; an op's output gets its shape from the op
    Role role = Role::intermediate;
    Filling filling; ///< inputs and weights only
    bool output = false;

    /// The numbers themselves, fp32 and contiguous, in place of the filling (a trained weight, a user's
    /// file). The shape is that of `dims`.
    std::optional<Tensor> data{};
    bool firstRows = false; ///< `data` may have more rows than `dims` say: bind() takes the first
    std::string tap{};      ///< its name in dumps, where that is another one; empty: `name`
};

/// Whether the two stand for the same numbers: the bits of `data` count, not where they lie.
bool sameValue(const Value& a, const Value& b);

/// One operation; its name is that of its output, so `@up` means an op and a tap alike.
struct Op {
    OpKind kind;
    std::vector<ValueIndex> inputs;
    ValueIndex output = 0;
    Attributes attributes;

    bool operator==(const Op&) const = default;
};

struct DimDefault {
    std::string name;
    std::int64_t value;
    bool fixed = false; ///< the graph's structure depends on it (layers), so bind() takes no other value

    bool operator==(const DimDefault&) const = default;
};

/// The run of divdet itself that a graph was written beside: its arithmetic and its order of summation are
/// known. Passes as `--pass` takes them (lower::parsePass), drift and what was declared, never a fault.
struct Made {
    std::string device; ///< with promised bits, as `cpu:sm_80`
    std::vector<std::string> passes;

    bool operator==(const Made&) const = default;
};

/// SSA list of operations in topological order. Built with the add… functions; validate() finds what they
/// could not refuse. Streams of random numbers are counted up in the order of addition.
struct Graph {
    std::string name;
    std::vector<DimDefault> dims; ///< every symbol used below, with its default
    std::vector<Value> values;
    std::vector<Op> ops;
    std::optional<Made> made{}; ///< none: whoever runs the graph has arithmetic of their own

    ValueIndex addInput(std::string valueName, DimList valueDims, Filling filling = {});
    ValueIndex addWeight(std::string valueName, DimList valueDims, Filling filling);
    ValueIndex addOp(OpKind kind, std::string outputName, std::vector<ValueIndex> inputs,
                     Attributes attributes = {});
    void markOutput(ValueIndex value) { values[value].output = true; }

    std::optional<ValueIndex> find(std::string_view valueName) const;
    const std::string& opName(const Op& op) const { return values[op.output].name; }
    const Op* producer(ValueIndex value) const;             ///< null for inputs and weights
    std::vector<std::size_t> users(ValueIndex value) const; ///< positions in `ops`, each once
    bool fromWeights(ValueIndex value) const;               ///< a weight, or computed from weights alone
    std::vector<std::string> taps() const;                  ///< inputs, then op outputs, in depth order
    std::vector<std::string> outputs() const;

    /// Names unique and not empty, symbols declared, inputs earlier than their use, arity and attributes
    /// known to the op, one producer per intermediate, at least one op and one output.
    Status validate() const;
};

/// Same structure, names, fillings and data; what a run of it did does not count.
bool sameGraph(const Graph& a, const Graph& b);

/// Gives every input of the graph (not the weights) this kind of numbers, except row numbers and data.
void setInputKind(Graph& graph, FillKind kind);

} // namespace divdet::block
