#pragma once
#include <optional>
#include <vector>

#include "cuda/backend_abi.h"
#include "cuda/loader/op_text.h"
#include "run/backend.h"

namespace divdet::cuda {

/// Error: unsupported for what a GPU keeps no values of; `op` is its path.
Result<divdet_tensor_type> abiTensor(DType dtype, const Shape& shape, const std::string& op);

/// Half of a key: two of a million tensors share one with a chance of 3e-8. That of no key stays 0.
inline std::uint64_t shortened(const run::Key& key) {
    return key.low;
}

/// A lowered program as the module takes it; a value per ValueIndex, a tap per op. Points into the program
/// and the inputs, which must outlive it.
class AbiGraph {
public:
    /// Nothing for a program whose row numbers are computed: they could not be checked. Errors: those of
    /// describe() and abiTensor.
    static Result<std::optional<AbiGraph>> of(const lower::LoweredGraph& program,
                                              const run::ReplayInputs& inputs);

    divdet_graph graph() const;
    const std::vector<const void*>& previous() const { return m_previous; } ///< by value; of inputs only
    const std::vector<std::uint32_t>& stale() const { return m_stale; }     ///< ops

private:
    struct Op {
        std::string kind;
        OpText text;
        std::vector<divdet_attribute> attributes;
        std::vector<std::uint32_t> inputs;
        std::uint32_t output;
    };
    Status addValues(const lower::LoweredGraph& program, const run::ReplayInputs& inputs);
    Status addOp(const lower::LoweredGraph& program, const run::ReplayInputs& inputs,
                 const lower::LoweredOp& op);

    std::vector<divdet_value> m_values;
    std::vector<Op> m_described; ///< what m_ops points to
    std::vector<divdet_op> m_ops;
    std::vector<std::uint32_t> m_taps, m_stale;
    std::vector<const void*> m_previous;
};

} // namespace divdet::cuda
