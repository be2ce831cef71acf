#pragma once
#include <string>
#include <vector>

#include "run/backend.h"

namespace divdet::run {

enum class Agreement : std::uint8_t {
    absent,    ///< the architecture has no such instruction, or nothing is known of it
    agree,     ///< every case gives its golden bits
    otherBits, ///< a device that promises no bits gives others, within 1/64 of the largest number due
    differ,    ///< at least one case gives other bits, or the backend failed on it
};

struct ArithmeticCheck {
    std::string arithmetic; ///< name of golden/golden_cases.h
    Agreement agreement = Agreement::absent;
    int cases = 0;      ///< that were run
    std::string detail; ///< first case that differs, with both bit patterns, or why there is none to run
};

std::string_view name(Agreement agreement); ///< absent, agree, other-bits, differ

/// Runs the golden cases on one device, in the order of golden::arithmetics. Error: cancelled.
Result<std::vector<ArithmeticCheck>> checkDevice(Backend& backend, const DeviceInfo& device,
                                                 const Progress& progress = {});

} // namespace divdet::run
