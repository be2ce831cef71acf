#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "hunt/answer.h"
#include "hunt/item_set.h"

namespace divdet::hunt {

/// Where a hunt keeps its runs, so that it can go on after it was ended from outside.
struct StateFile {
    std::filesystem::path path;   ///< empty: nowhere
    bool resume = false;          ///< go on with what the file holds
    std::string fingerprint = {}; ///< of what is hunted; a file of another hunt is refused
};

/// Every run of a hunt by its set: the cache, and the state file. The file is written before each run with
/// the set that is about to run, and after it. A set that was running when the program ended has ended it: on
/// resume it counts as an unresolved run, so that the hunt goes past it.
class RunLog {
public:
    /// Errors: usage when the file exists and is not to be resumed, or is missing; mismatch when it belongs
    /// to another hunt; malformed; io.
    static Result<RunLog> open(const StateFile& state, std::size_t items);

    Status begin(const ItemSet& on);
    Status end(const ItemSet& on, Outcome outcome);
    Status abandon(); ///< the run that began was cancelled and says nothing

    const std::vector<Outcome>& of(const ItemSet& on) const;
    std::size_t resumedRuns() const { return m_resumed; }
    const std::string& killedBy() const { return m_killedBy; } ///< as rangesOf; empty: no run was cut off

private:
    RunLog(StateFile state, std::size_t items);
    Status read();
    Status write() const;

    StateFile m_state;
    std::size_t m_items, m_resumed = 0;
    std::map<ItemSet, std::vector<Outcome>> m_bySet;
    std::vector<std::pair<ItemSet, std::size_t>> m_order; ///< set, and which of its runs
    std::string m_running, m_killedBy;
};

} // namespace divdet::hunt
