#include "session/determinism/lab_command_line.h"

#include <fmt/format.h>

namespace divdet {

std::string commandLine(const LabRequest& request) {
    const LabRequest usual;
    std::string out = "divdet determinism " + blockWords(request.block);
    if (request.runs) out += fmt::format(" --runs {}", request.runs);
    if (request.pairs != usual.pairs) out += fmt::format(" --pairs {}", request.pairs);
    if (request.trials != usual.trials) out += fmt::format(" --trials {}", request.trials);
    if (request.switchOnly) out += " --deterministic";
    if (request.sources == usual.sources) return out;
    std::string names;
    for (const Variation source : request.sources)
        names += (names.empty() ? "" : ",") + std::string(name(source));
    return out + " --source " + names;
}

} // namespace divdet
