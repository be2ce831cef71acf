#include "base/instruction_set.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace divdet {
namespace {

struct NamedSet {
    std::int64_t target;
    std::string_view name;
};

/// Highway numbers better sets lower.
constexpr std::array kSets{
    NamedSet{HWY_AVX3_DL, "avx512-dl"}, NamedSet{HWY_AVX3, "avx512"}, NamedSet{HWY_AVX2, "avx2"},
    NamedSet{HWY_SSE4, "sse4"},         NamedSet{HWY_SSSE3, "ssse3"}, NamedSet{HWY_SCALAR, "scalar"},
};

bool supported(std::int64_t target) {
    return target == HWY_SCALAR || (hwy::SupportedTargets() & target) != 0;
}

} // namespace

std::vector<std::string> instructionSets() {
    std::vector<std::string> names;
    for (const NamedSet& set : kSets)
        if (supported(set.target)) names.emplace_back(set.name);
    return names;
}

Status useInstructionSet(std::string_view name) {
    hwy::SetSupportedTargetsForTest(0);
    if (name.empty()) {
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        return Done{};
    }
    for (const NamedSet& set : kSets) {
        if (set.name != name || !supported(set.target)) continue;
        const std::int64_t noBetter = (hwy::SupportedTargets() | HWY_SCALAR) & ~(set.target - 1);
        hwy::SetSupportedTargetsForTest(noBetter);
        hwy::GetChosenTarget().Update(noBetter);
        return Done{};
    }
    return Error{ErrorCode::usage, fmt::format("'{}' is no instruction set of this machine", name),
                 "DIVDET_ISA", fmt::format("it has {}", fmt::join(instructionSets(), ", "))};
}

Status useInstructionSetOfEnvironment() {
    const char* name = std::getenv("DIVDET_ISA");
    return name ? useInstructionSet(name) : Status(Done{});
}

} // namespace divdet
