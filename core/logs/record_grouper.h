#pragma once
#include <functional>
#include <map>
#include <string>

#include "logs/log_record.h"

namespace divdet {

/// Puts lines together to records. Ranks and processes are kept apart, so their lines may come in any
/// mixture; a line without a prefix belongs to the record that spoke last, if its text fits.
class RecordGrouper {
public:
    explicit RecordGrouper(std::function<void(const LogRecord&)> done)
        : m_done(std::move(done)) {}

    /// False: the line is no part of any record.
    bool line(const LogLine& line);

    void finish(); ///< hands over what is still open

private:
    bool bare(const LogLine& line);
    bool prefixed(const LogLine& line);
    static bool belongs(const LogRecord& record, const LogLine& line);
    void open(const std::string& stream, const LogLine& line, RecordKind kind, bool headless);
    void close(const std::string& stream);
    void append(LogRecord& record, std::string_view message);

    std::function<void(const LogRecord&)> m_done;
    std::map<std::string, LogRecord, std::less<>> m_open; ///< at most one per rank and process
    std::string m_last;                                   ///< the stream of the latest record
    std::string m_key;
    std::size_t m_openBytes = 0; ///< that open records take, and closed ones since the last time none was
};

} // namespace divdet
