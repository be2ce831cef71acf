#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "logs/guard_failures.h"
#include "logs/log_report.h"
#include "logs/parsed_records.h"

namespace divdet {

/// Counts records. Holds one entry per distinct thing, never per line, and at most kMostEntries of a kind:
/// what comes behind them is counted in the totals only, and a note says so.
class LogCollector {
public:
    void take(const LogRecord& record);

    void sawLine(const LogLine& line); ///< for the dialect and the ranks
    void sawDialect(std::string_view dialect);
    void sawVersion(std::string version) { m_version = std::move(version); } ///< a log that states it
    /// What was read next is of another process, or of another file: its compile ids are its own.
    void sawProcess(std::string_view process);
    void endFile();
    void sawAttempt(int rank, std::string_view compileId);
    void sawLimit(int limit) { m_configuredLimit = limit; }
    void sawFunction(int rank, std::string_view compileId, const CodePlace& place);
    void sawGraph(int rank, std::string_view compileId, std::string_view function, std::int64_t guards);
    /// The guards of a graph, as parseGuardTree reads them; `cut`: there are more. Of a compile that was
    /// restarted the last ones stand.
    void sawGuards(int rank, std::string_view compileId, std::string_view text, bool cut);
    /// One compile that came to its end at `at` (as secondsOf says) and took `lost` seconds.
    void sawCompile(int rank, std::string_view compileId, const CodePlace& place, std::optional<double> at,
                    double lost);
    void sawOtherRanks(std::int64_t lines);
    void note(std::string_view key, bool incomplete = false);

    LogReport& counts() { return m_report; } ///< the line counters, for the reader
    /// Call once, after the last record.
    LogReport finish();

private:
    struct FunctionEntry {
        RecompiledFunction function;
        std::map<std::string, RecompileCause> causes;
        std::set<std::string> objects;
        /// Of each run and rank: the limit and a storm are theirs alone.
        std::map<int, std::int64_t> counts;
        std::map<std::pair<int, std::string>, std::int64_t> causeCounts;
    };
    FunctionEntry* functionOf(const CodePlace& place, int rank);
    /// The keys of the causes; `failures`: the guards they name failed once more.
    std::set<std::string> addReasons(FunctionEntry& f, const LogRecord& record, const CodePlace& place,
                                     const std::vector<GuardReason>& reasons, bool failures);
    void addReason(FunctionEntry& f, const GuardReason& reason, const std::string& key, int run,
                   std::set<std::string>& counted);
    void takeRecompile(const LogRecord& record);
    void takeLimit(const LogRecord& record);
    void takeBreak(const LogRecord& record);
    void takeItemWarning(const LogRecord& record);
    void takeGuards(const LogRecord& record);
    void addBreak(const ParsedBreak& parsed, const LogRecord& record);
    int runOf(int rank);
    std::string graphKey(int rank, std::string_view compileId);
    std::string frameKey(int rank, std::string_view compileId);
    CodePlace placeOf(const CodePlace& parsed, const LogRecord& record);
    void event(LogEvent::Kind kind, std::optional<double> at, std::string_view compileId,
               std::string_view function, std::optional<double> lost = {});
    template <class Map>
    bool room(const Map& map);

    void finishFunctions();
    void finishBreaks();
    void finishGraphs();
    void finishGraph(CompiledGraph& graph, const std::string& key, bool newest);
    void finishTimeline();
    void finishVerdict();
    std::string versionGuess() const;

    LogReport m_report;
    std::string m_version;
    std::set<int> m_ranks;
    int m_rank = -1; ///< of the latest line
    std::set<std::string> m_attempts, m_reasons, m_groups;
    std::map<std::string, FunctionEntry> m_functions;
    std::map<std::string, GraphBreak> m_breaks;
    std::map<std::string, int> m_breakAttempt;        ///< which attempt was the first to break there
    std::map<std::string, GraphBreak> m_itemWarnings; ///< by site
    std::map<std::string, CodePlace> m_frames;        ///< function of a frame number
    /// What recompiles while the log does not say as which graph, by run (torch 2.1 and 2.2): the next
    /// record that names a graph is of it.
    std::map<int, CodePlace> m_recompiling;
    std::map<std::string, int> m_runs; ///< of a file, a process and a rank
    std::string m_process;             ///< of what was read last
    int m_file = 0;
    std::optional<std::pair<int, int>> m_latestRun; ///< rank and run, while file and process stay
    std::map<std::string, CompiledGraph> m_graphs;
    std::unordered_map<std::string, std::int64_t> m_rejected; ///< of graphs
    GuardFailures m_failures;
    struct KeptGuards {
        std::size_t bytes = 0, hash = 0; ///< what they take; of their text
    };
    std::unordered_map<std::string, KeptGuards> m_keptGuards; ///< of graphs
    std::size_t m_guardBytes = 0;
    std::map<std::string, GraphReplay> m_replays;
    std::map<std::string, double> m_secondsOf;                             ///< compile time of a function
    std::unordered_map<std::string, const RecompiledFunction*> m_finished; ///< by their keys
    int m_unnamedGraphs = 0;
    int m_configuredLimit = 0, m_statedLimit = 0;
    bool m_restarted = false, m_tuple = false, m_plural = false, m_idBeforeReason = false,
         m_newLimitName = false, m_newReasonName = false, m_shortNames = false, m_bracket = false,
         m_glog = false, m_guardsLogger = false;
};

} // namespace divdet
