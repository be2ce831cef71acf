#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/causes.h"

namespace divdet {

/// Why one earlier graph did not fit: a line under a recompile, understood.
struct GuardReason {
    Cause cause = Cause::unknown;
    std::string source;     ///< as printed: L['x'], x, self.step; the whole expression where it is unknown
    std::optional<int> dim; ///< of a size or a stride
    std::vector<std::string> values; ///< expected, actual; or the value that the graph was made for
    std::string object;              ///< an id that identity was checked against
    std::string graph;               ///< compile id of the graph that did not fit; empty before torch 2.5
    std::string guard;               ///< the check that failed, as guardIdentity has it
};

/// `text` is what stands behind the bullet, with or without the compile id and the comment that torch adds.
GuardReason parseGuardReason(std::string_view text);

/// Without the compile id in front and the comment, type or hint behind.
std::string_view bareExpression(std::string_view text);

/// The name a user would type: L['x'] is x, G['FLAG'] is FLAG.
std::string userName(std::string_view source);

/// The same of one scope alone: `open` is L[' or G['.
std::string withoutScope(std::string_view source, std::string_view open);

} // namespace divdet
