#pragma once
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "session/compare_dumps.h"

namespace divdet::cli {

/// How two dumps are opened and paired; shared by compare and tolerance.
struct DumpOptions {
    std::string reference;
    std::vector<std::string> pairs, only, skip, order;
    std::string map;
    bool squeeze = false, reshape = false, ignoreMissing = false;
    std::vector<std::string> transpose, splits;
    std::string referenceRunner, candidateRunner, referenceShape, candidateShape, ranks;
    std::string referenceDType, candidateDType, referenceField, candidateField;

    Status apply(CompareRequest& request) const; ///< all but the candidate's path

private:
    Status applyOpening(CompareRequest& request) const;
};

void addPairing(CLI::App& verb, DumpOptions& options);

} // namespace divdet::cli
