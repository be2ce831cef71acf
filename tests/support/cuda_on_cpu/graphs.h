#pragma once
#include <string>
#include <vector>

#include "cuda_on_cpu/cuda_runtime.h"

/// The driver's graphs on the executor: what was called, and which call is refused.
namespace cuda_on_cpu {

/// Calls since the list was last cleared: begin, end N (nodes), instantiate, update, launch, destroy …
std::vector<std::string>& graphCalls();

enum class Refused { nothing, begin, end, instantiate, update, launch };
void refuse(Refused what);

bool capturing();
/// A call that no capture can hold: the capture is void from here on. Returns the error of that call.
cudaError_t spoilCapture();

} // namespace cuda_on_cpu
