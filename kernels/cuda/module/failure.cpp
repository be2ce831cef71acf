#include "cuda/module/failure.h"

namespace divdet::cuda {

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError(); // an error that does not stick must not be reported again by the next launch
    const auto status = error == cudaErrorMemoryAllocation ? DIVDET_OUT_OF_MEMORY : DIVDET_DEVICE_ERROR;
    throw Failure{status, std::string(what) + ": " + cudaGetErrorString(error)};
}

void checkLaunch(const char* what) {
    check(cudaGetLastError(), what);
}

void unsupported(std::string text) {
    throw Failure{DIVDET_UNSUPPORTED, std::move(text)};
}

void invalid(std::string text) {
    throw Failure{DIVDET_INVALID, std::move(text)};
}

} // namespace divdet::cuda
