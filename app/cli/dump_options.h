#pragma once
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "session/compare_dumps.h"

namespace divdet::cli {

/// How two dumps are opened and paired; shared by compare and tolerance.
struct DumpOptions {
    std::string reference;
    std::vector<std::string> pairs, only, skip, order;
    std::string map, tolerances, mask, fp64;
    std::string declare, context, inputs, graph;
    std::vector<std::string> runs, roles, axes;
    std::optional<std::int64_t> k;
    bool squeeze = false, reshape = false, ignoreMissing = false;
    std::vector<std::string> transpose, splits;
    std::string referenceRunner, candidateRunner, referenceShape, candidateShape, ranks;
    std::string referenceDType, candidateDType, referenceField, candidateField;

    Status apply(CompareRequest& request) const; ///< all but the candidate's path

private:
    Status applyOpening(CompareRequest& request) const;
    Status applyKnowledge(JudgeOptions& knowledge) const;
};

void addPairing(CLI::App& verb, DumpOptions& options);
void addSideFiles(CLI::App& verb, DumpOptions& options); ///< --tolerances, --mask, --fp64
void addKnowledge(CLI::App& verb, DumpOptions& options); ///< what the judge of causes is told

} // namespace divdet::cli
