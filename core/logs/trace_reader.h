#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "logs/log_collector.h"
#include "logs/trace_gaps.h"

namespace divdet {

/// Files of TORCH_TRACE: an envelope of JSON per record, and its payload on the lines behind it that start
/// with a tab. The envelope's checksum of its payload is not verified. One reader per file: numbers of file
/// names and frames mean something in one file only.
class TraceReader {
public:
    explicit TraceReader(LogCollector& out, std::optional<int> onlyRank)
        : m_out(out)
        , m_onlyRank(onlyRank) {}

    /// True: the line is an envelope (read, of another rank, or broken).
    bool envelope(const LogLine& line);
    /// True: the line is payload of the envelope before it.
    bool payload(std::string_view line);
    void finish();

private:
    void finishRecord();
    void record(const nlohmann::json& envelope, const std::string& payload);
    void guards(const nlohmann::json& envelope, std::string_view text);
    std::string listedGuards(const std::string& payload) const;
    void graphBreak(const nlohmann::json& envelope, const std::string& payload);
    void recompile(const nlohmann::json& envelope, const std::string& payload);
    void metrics(const nlohmann::json& envelope, const nlohmann::json& metrics);
    CodePlace placeOf(const nlohmann::json& frame) const;
    static std::string compileId(const nlohmann::json& envelope);
    static int rankOf(const nlohmann::json& envelope);

    void start(const nlohmann::json& envelope, const nlohmann::json& start);

    LogCollector& m_out;
    TraceGaps m_gaps;
    std::optional<int> m_onlyRank;
    std::map<long long, std::string> m_names; ///< interned file names
    std::string m_envelope, m_payload;
    std::int64_t m_lines = 0;        ///< of the record that is open
    int m_limit = 0;                 ///< of recompiles, as the configuration has it; 0: not seen
    std::optional<double> m_seconds; ///< when the envelope was written
    bool m_open = false, m_wantsPayload = false, m_keepsPayload = false, m_hasPayload = false,
         m_tooLong = false;
    bool m_callersOnly = false; ///< stacks of starts end above the function: up to 2.4
};

} // namespace divdet
