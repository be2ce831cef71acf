#pragma once
#include <string>
#include <vector>

/// Which instruction set the kernels use. Every one gives the same bits; tests and benchmarks go through all.
namespace divdet::host {

std::vector<std::string> simdTargets(); ///< usable here, best first, as Highway names them

/// Restricts every kernel to one of simdTargets(); an empty or unknown name goes back to the best. VNNI code
/// is used only without a restriction. Not thread-safe.
void useSimdTarget(const std::string& name);

} // namespace divdet::host
