#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/json_outline.h"

namespace divdet {

/// A tensor of a result file, by the place of its payload.
struct PolygraphyTensor {
    std::string name;
    std::size_t runner = 0, iteration = 0;
    const JsonNode* payload = nullptr; ///< the text; null with an error
    bool torch = false;                ///< a torch.save file, else an npy or npz
    Error error;
};

struct PolygraphyLayout {
    struct Runner {
        std::string name; ///< unique: a second one of the same name gets `#2`
        std::size_t iterations = 0;
    };
    std::vector<Runner> runners; ///< none: a list of feed dicts
    std::size_t feedDicts = 0;
    std::vector<PolygraphyTensor> tensors; ///< in the order of the file; of doubled names the last, once
    std::vector<std::string> doubled;      ///< names that were there twice
};

/// Class of an object (polygraphy/json/serde.py): `polygraphy_class`, or the key `__polygraphy_encoded_Class`
/// of older files. Empty: none.
std::string polygraphyClass(const JsonOutline& outline, const JsonNode& node);

/// RunResults (runners, iterations, outputs) or the list of feed dicts that --save-inputs writes. Errors:
/// unsupported for other classes, malformed where a field is missing, with the offset.
Result<PolygraphyLayout> polygraphyLayout(const JsonOutline& outline, const std::string& path);

} // namespace divdet
