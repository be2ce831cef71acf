#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "judge/metric/estimate.h"

namespace divdet {

/// What an evaluation prints, line by line: a number is a sample, empty lines are skipped. Numbers as C
/// writes them, nan and inf included; they make the mean what they are.
class MetricSamples {
public:
    /// Takes the next bytes; a line may be split between two calls. Error: malformed, with the line.
    Status take(std::string_view bytes);
    /// The last line may have no end. Error: malformed, or no number at all.
    Status finish();

    std::int64_t count() const { return m_count; }
    Estimate mean() const { return m_moments.estimate(); }

private:
    Status line(std::string_view text);

    std::string m_rest;
    std::int64_t m_count = 0, m_line = 0;
    Moments m_moments;
};

} // namespace divdet
