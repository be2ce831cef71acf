#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "logs/log_collector.h"

namespace divdet {

/// Stands for the reason of what a trace shows and does not explain.
inline constexpr std::string_view kNoReasonInTrace = "the trace of this version of torch tells no reason";

/// What a trace shows without saying it. torch 2.3 and 2.4 write no reasons of recompiles, and none
/// before 2.6 writes its graph breaks; but a compile with a number behind the first is a recompile, a
/// function that resumes is compiled behind a break, and an attempt whose reasons are told and that never
/// starts was refused at the limit. One per file; at most kMostEntries compiles are remembered.
class TraceGaps {
public:
    void sawStart(int rank, std::string_view compileId, std::optional<double> at);
    void sawReasons(int rank, std::string_view compileId, std::optional<double> at);
    void sawPlace(int rank, std::string_view compileId, const CodePlace& place);
    void sawBreak() { m_tellsBreaks = true; }
    /// What was told nowhere goes to `out`; the limit only where no configuration told it.
    void finish(LogCollector& out, bool limitKnown);

    static constexpr std::size_t kMostEntries = 20'000;

private:
    struct Compile {
        int rank = -1;
        std::string id;
        std::optional<double> at;
        bool started = false, reasoned = false;
    };
    Compile* entry(int rank, std::string_view compileId);
    const CodePlace* placeOf(const Compile& compile) const;
    void recompiles(LogCollector& out) const;
    void breaks(LogCollector& out) const;
    void limits(LogCollector& out) const;

    std::map<std::string, Compile> m_compiles; ///< by rank and id without the attempt
    std::map<std::string, CodePlace> m_places; ///< by rank and frame
    bool m_tellsBreaks = false;
};

} // namespace divdet
