#pragma once
#include <string>
#include <vector>

#include "logs/guard_tree.h"

namespace divdet {

/// Which guards are asked for. By default all.
struct GuardSearch {
    std::string text;     ///< in any part of the line that the log prints, whatever the case of ASCII letters
    bool failing = false; ///< only those that a recompile names
};

struct GuardHits {
    std::vector<bool> shown; ///< per line of the tree: a hit, or what one stands below
    std::size_t hits = 0;
};
GuardHits searchGuards(const GuardTree& tree, const GuardSearch& search);

} // namespace divdet
