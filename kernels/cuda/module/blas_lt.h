#pragma once
#include <memory>
#include <string>

#include "cuda/module/blas_call.h"
#include "cuda/module/queue.h"

namespace divdet::cuda {

/// cuBLASLt: the algorithm of a product is what its heuristic names first for the shape, the types, the
/// alignment and our workspace, asked once and then the same until the session ends. Partial sums of split
/// products are added in the compute type, never in a narrower one.
class BlasLt {
public:
    /// nullptr, with the reason, where there is no cuBLASLt. `workspace` outlives the object.
    static std::unique_ptr<BlasLt> open(const Queue& queue, const Buffer& workspace, std::string& whyNot);
    ~BlasLt();

    /// False where the library names no algorithm for the product; nothing has run then.
    bool multiply(const BlasCall& call);

    static std::string
    version(std::string& whyNot); ///< "13.1.0"; empty, with the reason, where there is none

private:
    BlasLt();
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace divdet::cuda
