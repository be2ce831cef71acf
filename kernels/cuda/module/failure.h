#pragma once
#include <cuda_runtime.h>

#include <string>

#include "cuda/backend_abi.h"

/// Inside the module a failed call throws a Failure; the functions of the table turn it into a status and a
/// text (backend.cpp), so that nothing is thrown across the boundary.
namespace divdet::cuda {

struct Failure {
    divdet_status status;
    std::string text;
};

/// Throws when `error` is one, with what was being done and CUDA's own words.
void check(cudaError_t error, const char* what);

/// Throws when the launches since the last call failed to start.
void checkLaunch(const char* what);

[[noreturn]] void unsupported(std::string text);
[[noreturn]] void invalid(std::string text);

} // namespace divdet::cuda
