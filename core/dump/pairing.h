#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/paired_by.h"
#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

struct Pair {
    std::size_t reference = 0, candidate = 0; ///< taps of the two dumps
    PairedBy by = PairedBy::name;
    std::string note; ///< why, where the names differ; may be empty
};

/// Which tap is compared with which, in depth order. Every tap of the selection is in one pair or in one of
/// the two lists.
struct Pairing {
    std::vector<Pair> pairs;
    std::vector<std::size_t> onlyReference, onlyCandidate;
    std::vector<std::string> notes; ///< about the whole
};

struct PairingOptions {
    std::vector<std::pair<std::string, std::string>> explicitPairs; ///< (reference, candidate) names
    std::vector<std::string> only, skip; ///< globs on either name of a pair; an empty `only` selects all
    std::vector<std::string> order;      ///< names in order of depth, those of either dump; the rest follows
};

/// Pairs taps: as the user says; same name; same name without noise (name_noise.h; then without case), never
/// where a dump has two such names; both dumps have a single tensor; same order, if all that is left has the
/// same shapes. Errors (usage): an unknown or doubly used name (with the nearest one as hint), an
/// `only` that selects nothing.
Result<Pairing> pairTaps(const Dump& reference, const Dump& candidate, const PairingOptions& options = {});

} // namespace divdet
