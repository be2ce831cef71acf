#pragma once
#include <memory>
#include <string>

#include "cuda/module/multiplier.h"

namespace divdet::cuda {

/// cuBLAS, loaded when it is first wanted: Sgemm pedantic, FAST_TF32, bf16 and fp16 with fp32 compute (all
/// `bounded`: which kernel runs is cuBLAS's choice), int8 to int32 (exact). One handle on one stream with a
/// workspace of its own, which is what its documentation asks for to repeat its bits.
class LibraryGemm {
public:
    /// nullptr, with the reason, where there is no cuBLAS.
    static std::unique_ptr<LibraryGemm> open(const Queue& queue, std::string& whyNot);
    ~LibraryGemm();

    /// c = start + a b; `view` as the slots have prepared it. Precondition: libraryCan(slots).
    void multiply(const Queue& queue, const OperandView& view, const Slots& slots, StartValues start,
                  float* c) const;

    /// "13.0.2"; empty where there is no cuBLAS.
    static std::string version();

private:
    LibraryGemm();
    struct Handle;
    std::unique_ptr<Handle> m_handle;
};

} // namespace divdet::cuda
