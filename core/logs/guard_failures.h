#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "logs/guard_tree.h"

namespace divdet {

/// Which guards failed, of which graph: what the reasons of recompiles say. Bounded.
class GuardFailures {
public:
    /// One recompile names `guard` (see guardIdentity) of `graph`: a key of the graph where the log tells
    /// which, else of all graphs of a function. `cause` is what the fix is looked up by.
    void saw(const std::string& graph, const std::string& guard, const std::string& cause);

    /// How to mend a cause, once all is counted.
    void sawFix(const std::string& cause, std::string fixText);

    /// Writes into the guards of a graph how often each failed, by what is known of it or of its function.
    /// Whether some of that is of the function.
    bool mark(GuardTree& tree, const std::string& graph, const std::string& function) const;

private:
    struct Failure {
        std::int64_t count = 0;
        std::vector<std::pair<std::string, std::int64_t>> causes; ///< mostly one
    };
    std::vector<std::string> fixesOf(const Failure& failure) const;
    const Failure* find(const std::string& graph, const std::string& guard) const;

    std::unordered_map<std::string, std::unordered_map<std::string, Failure>> m_failures; ///< of graphs
    std::unordered_map<std::string, std::string> m_fixes;                                 ///< of causes
    std::size_t m_entries = 0;
};

} // namespace divdet
