#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/progress.h"
#include "dump/dump.h"

namespace divdet {

/// What `divdet inspect` tells of one tensor. Statistics of real tensors only; complex and void ones have a
/// type, a shape and a hash.
struct InspectedTap {
    std::string name;
    DType dtype = DType::f32;
    Shape shape;
    std::optional<Error> error;
    std::int64_t elements = 0;
    bool numeric = false;     ///< the numbers below mean something
    double min = 0, max = 0;  ///< over elements that are not NaN
    double mean = 0, sum = 0; ///< over all elements; integers exactly, then rounded to double
    std::int64_t nan = 0, inf = 0, zeros = 0;
    std::vector<double> first; ///< at most eight, row-major
    std::string sha256;        ///< of the contiguous, row-major, little-endian bytes; empty unless asked
};

struct InspectedFile {
    std::filesystem::path path;
    std::optional<Error> error; ///< the file as a whole is unreadable
    std::string format;
    std::vector<InspectedTap> taps;
    std::vector<std::pair<std::string, std::string>> other; ///< metadata
    std::vector<std::string> cautions;
};

struct InspectRequest {
    std::filesystem::path path;
    LoadOptions load;
    bool hash = false;
};

/// Never fails as a whole: what cannot be read says so where it stands. Cancelled work ends early.
InspectedFile inspectFile(const InspectRequest& request, const Progress& progress = {});

} // namespace divdet
