#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/context.h"

namespace divdet {

/// Whether the exit code of a comparison follows its verdict or its class.
enum class FailOn : std::uint8_t { verdict, bug };
std::string_view toString(FailOn f); ///< verdict, bug

/// What the user tells the judge, as given: it must be possible to repeat the command.
struct JudgeOptions {
    std::string declare;                     ///< lossy steps and profiles with commas
    std::string context;                     ///< JSON of the operator
    std::optional<std::int64_t> k;           ///< length of the reduction; before that of the context
    std::filesystem::path inputs;            ///< file with the operator's inputs; with a graph its own
    std::filesystem::path graph;             ///< what the candidate computed (session/graph_of_dump.h)
    std::vector<std::filesystem::path> runs; ///< further runs of the candidate
    std::vector<std::pair<std::string, std::vector<std::string>>> roles; ///< role → names of taps
    std::vector<std::string> axes;
    FailOn failOn = FailOn::verdict;
};

/// `role=a,b` as --role takes it. Errors: usage.
Result<std::pair<std::string, std::vector<std::string>>> parseRole(const std::string& text);

/// The files and words of JudgeOptions, read once for all pairs.
class JudgeKnowledge {
public:
    /// Errors: those of openDump; usage or malformed for words that cannot be read.
    static Result<JudgeKnowledge> open(const JudgeOptions& options);

    /// What is known of a pair. `notes` gets what could not be used (a run without the tap, another shape).
    JudgeContext of(const std::string& referenceName, const std::string& candidateName, const Shape& shape,
                    std::vector<std::string>& notes) const;
    const OperatorContext& op() const { return m_common.op; }
    const JudgeContext& common() const { return m_common; } ///< what is known of all pairs alike
    std::vector<std::string> notes() const;                 ///< of the words themselves

private:
    struct Runs;
    JudgeContext m_common;
    std::vector<std::pair<std::string, std::vector<std::string>>> m_roles;
    std::shared_ptr<const Runs> m_runs;
};

} // namespace divdet
