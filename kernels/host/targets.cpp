#include "host/targets.h"

#include "host/gemm_int8_vnni.h"
#include "host/simd.h"

#include <hwy/highway.h>

namespace divdet::host {

std::vector<std::string> simdTargets() {
    std::vector<std::string> names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        names.emplace_back(hwy::TargetName(target));
    return names;
}

void useSimdTarget(const std::string& name) {
    hwy::SetSupportedTargetsForTest(0);
    std::int64_t chosen = 0;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name == hwy::TargetName(target)) chosen = target;
    }
    hwy::SetSupportedTargetsForTest(chosen);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    int8::useVnni(chosen == 0);
}

} // namespace divdet::host
