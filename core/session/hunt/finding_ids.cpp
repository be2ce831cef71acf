#include "session/hunt/finding_ids.h"

#include <vector>

namespace divdet {

std::span<const std::string> findingIds() {
    static const std::vector<std::string> ids{"beyond-bound",
                                              "beyond-likely-bound",
                                              "block-gain",
                                              "border",
                                              "cancellation",
                                              "channel-gain",
                                              "clipped",
                                              "coarse-channel",
                                              "coarse-grid",
                                              "constant-output",
                                              "different-inputs",
                                              "error-floor",
                                              "flush-to-zero",
                                              "gain",
                                              "growth",
                                              "identical",
                                              "inf-introduced",
                                              "jump",
                                              "layer-outlier",
                                              "levels",
                                              "lost",
                                              "missing-terms",
                                              "nan-introduced",
                                              "not-judged",
                                              "offset",
                                              "one-sided",
                                              "onset",
                                              "overflow",
                                              "permuted",
                                              "prefix",
                                              "random-mismatch",
                                              "rounding-noise",
                                              "same-bits-as",
                                              "shifted",
                                              "stagnation",
                                              "stale-match",
                                              "sum",
                                              "support",
                                              "suspect-rounding",
                                              "transposed",
                                              "unwritten",
                                              "within-bound",
                                              "wrong-tiles"};
    return ids;
}

} // namespace divdet
