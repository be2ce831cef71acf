#pragma once
#include <memory>
#include <string>

#include "cuda/module/blas_call.h"
#include "cuda/module/queue.h"

namespace divdet::cuda {

/// cuBLAS itself: one handle on one stream with a workspace of its own, which is what its documentation asks
/// for to repeat its bits.
class Blas {
public:
    /// Precondition: version() is not empty. `workspace` outlives the object.
    static std::unique_ptr<Blas> open(const Queue& queue, const Buffer& workspace);
    ~Blas();

    void multiply(const BlasCall& call) const;

    static std::string
    version(std::string& whyNot); ///< "13.0.2"; empty, with the reason, where there is none

private:
    Blas() = default;
    cublasHandle_t m_handle = nullptr;
};

} // namespace divdet::cuda
