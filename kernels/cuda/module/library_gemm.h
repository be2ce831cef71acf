#pragma once
#include <memory>
#include <string>

#include "cuda/module/multiplier.h"

namespace divdet::cuda {

/// Products by NVIDIA's libraries, loaded when they are first wanted: fp32 by cuBLAS (Sgemm pedantic); TF32,
/// bf16 and fp16 with fp32 compute by cuBLASLt, or by cuBLAS where that is absent or names no algorithm (all
/// of them `bounded`: which kernel runs is the library's choice); int8 to int32 likewise (exact).
class LibraryGemm {
public:
    /// nullptr, with the reason, where there is no cuBLAS.
    static std::unique_ptr<LibraryGemm> open(const Queue& queue, std::string& whyNot);
    ~LibraryGemm();

    /// c = start + a b; `view` as the slots have prepared it. Precondition: libraryCan(slots).
    void multiply(const Queue& queue, const OperandView& view, const Slots& slots, StartValues start,
                  float* c) const;

    static std::string version(); ///< of cuBLAS: "13.0.2"; empty where there is none
    /// Of cuBLASLt; empty, with the reason, where it is absent.
    static std::string ltVersion(std::string& whyNot);

private:
    LibraryGemm();
    struct Libraries;
    std::unique_ptr<Libraries> m_libraries;
};

} // namespace divdet::cuda
