#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

/// What becomes of a folder of ranks. concat: the taps of all ranks end to end along `axis` (negative: from
/// the last one); sum: added element by element (floating types, in double, then rounded to their type);
/// replicas: each rank is compared with the other side.
struct RankJoin {
    enum class Kind { none, concat, sum, replicas } kind = Kind::none;
    int axis = 0;
};

/// `concat:AXIS`, `sum`, `replicas`. nullopt for anything else.
std::optional<RankJoin> parseRankJoin(const std::string& text);
std::string toString(const RankJoin& join); ///< empty for none

/// A name with a rank in it: `rank0`, `tp_rank_3`, `logits_rank0_step1`.
struct RankedName {
    std::uint64_t rank = 0;
    std::string rest; ///< without the rank and a separator beside it
};
std::optional<RankedName> rankedName(const std::string& name);

struct RankPart {
    std::uint64_t rank = 0;
    std::shared_ptr<const Dump> dump;
};

/// Ranks in ascending order as one dump. none and replicas: taps `rank0/name`, …, none with the caution
/// `ranks`; else one tap per name, with an error where a rank lacks it or the shapes do not fit.
std::shared_ptr<const Dump> joinRanks(const std::filesystem::path& folder, std::vector<RankPart> parts,
                                      const RankJoin& join);

/// A dump without ranks, repeated for each rank of `ranked` so that every replica finds its partner by name.
std::shared_ptr<const Dump> repeatedForRanks(std::shared_ptr<const Dump> dump, const Dump& ranked);

} // namespace divdet
