#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/causes.h"
#include "logs/guard_tree.h"

namespace divdet {

struct RecompileCause {
    Cause cause = Cause::unknown;
    std::string source; ///< as the log prints it
    std::optional<int> dim;
    std::vector<std::string> values; ///< distinct, in the order in which they were seen; at most kMostValues
    std::int64_t count = 0;          ///< recompiles that name it, not lines
    std::string fixText;
};

struct RecompiledFunction {
    std::string name, site; ///< site is file:line of its definition; empty where the log has none
    std::int64_t count = 0; ///< records
    std::int64_t limit = 0;
    bool limitHit = false;
    std::int64_t objects = 0;            ///< objects that were told apart by identity
    double compileSeconds = 0;           ///< spent compiling it, the first time too, where a trace says so
    std::vector<RecompileCause> causes;  ///< most frequent first
    std::vector<std::string_view> fixes; ///< keys, of all causes together
};

struct GraphBreak {
    std::string site, function; ///< site is file:line, the user's where the log gives one
    std::string_view kind;
    std::string reason;
    std::string code;            ///< the user's line as the log quotes it; empty where it does not
    std::int64_t count = 0;      ///< times it happened; restarts of one compile count once
    std::int64_t suppressed = 0; ///< of those, how many the log itself shortens as duplicates
    bool inFramework = false;    ///< no place of the user's is known
    std::vector<std::string_view> fixes;
    std::string fixText;
};

struct CompiledGraph {
    int rank = -1;  ///< -1: the log names none
    int run = 1;    ///< of the runs of this rank that were read, files and processes; 1 where there is one
    std::string id; ///< compile id; #1, #2 … in the order of the log where it names none
    std::string function;
    std::int64_t guards = 0;
    std::int64_t rejected = 0; ///< recompiles that name it as one that did not fit; 0 before torch 2.5
    std::string thrashing;     ///< the guard of this function that fails most; empty for none
    GuardTree tree;            ///< empty where the log does not list its guards
};

/// One thing on the time axis.
struct LogEvent {
    enum class Kind : unsigned char { compile, recompile, graphBreak, limit };
    Kind kind = Kind::compile;
    double at = 0; ///< seconds since the first event
    std::string id, function;
    std::optional<double> lost; ///< seconds that the compile took, where a trace says so
};
std::string_view toString(LogEvent::Kind kind);

struct GraphReplay {
    bool skipped = false; ///< else recorded again
    std::string reason;
    std::int64_t count = 0;
};

/// What a log says, counted. Immutable once made.
struct LogReport {
    bool storm = false;
    std::string dialect;      ///< how lines look: 2.0, 2.1, 2.3, basic, bare, lesson, trace, reasons, tlparse
    std::string versionGuess; ///< of torch; empty where nothing tells
    std::int64_t lines = 0;   ///< recordLines + unparsedLines + otherRank
    std::int64_t recordLines = 0, unparsedLines = 0, otherRank = 0;
    std::vector<std::string> unparsedSamples; ///< the first ones, `number: text`
    bool incomplete = false;
    std::vector<int> ranks;
    std::int64_t attempts = 0; ///< of compiling, where some were restarted
    std::int64_t recompileHeaders = 0, guardFailureLines = 0, distinctReasons = 0, rootCauses = 0;
    bool limitHit = false;
    std::int64_t limit = 0, functionsAtLimit = 0;
    std::int64_t perRankGroups = 0; ///< (rank, function) pairs that recompiled
    std::int64_t breakOccurrences = 0;
    std::int64_t guards = 0;                    ///< of all graphs, what restarts repeat too
    std::vector<RecompiledFunction> recompiles; ///< most recompiled first
    std::vector<GraphBreak> breaks;             ///< most frequent first
    std::vector<CompiledGraph> graphs;          ///< by rank and compile id
    std::vector<GraphReplay> replays;
    std::vector<LogEvent> timeline; ///< in the order of time; at most kMostEvents, the first ones
    std::int64_t compiles = 0;      ///< whose metrics a trace has
    double compileSeconds = 0;      ///< lost in them
    std::vector<std::string> notes; ///< keys, such as restarts
};

inline constexpr std::size_t kMostValues = 256;
inline constexpr std::size_t kMostEvents = 5000;
inline constexpr std::size_t kMostGuardBytes = std::size_t{64} << 20; ///< that all trees together take

} // namespace divdet
