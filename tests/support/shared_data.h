#pragma once
#include <filesystem>

#include "paths.h"

/// Third-party and recorded data beside the project; read in place. Tests skip, visibly, where it is absent.
inline std::filesystem::path sharedPath(const std::filesystem::path& inside) {
    return divdet::test::sharedFolder() / inside;
}

#define DIVDET_NEEDS_SHARED(inside)                                                                          \
    do {                                                                                                     \
        if (!std::filesystem::exists(sharedPath(inside)))                                                    \
            GTEST_SKIP() << "no test data at ../shared/" << (inside);                                        \
    } while (false)
