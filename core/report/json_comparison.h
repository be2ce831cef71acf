#pragma once
#include "compare/comparison.h"
#include "report/json_number.h"

namespace divdet {

/// Numbers at the top of a result, in the order of the contract.
struct JsonHead {
    std::string command; ///< compare, run
    std::string device;  ///< empty for dumps
    int threads = 0;
    double seconds = 0;
};

/// The document of `compare` and `run`: fields of parts that do not exist yet are null.
Json toJson(const Comparison& comparison, const Judgement& judgement, const JsonHead& head);

/// One entry of "tensors".
Json toJson(const TapPair& pair, const TapVerdict& verdict, const Tolerance& tolerance);

} // namespace divdet
