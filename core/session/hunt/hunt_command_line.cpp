#include "session/hunt/hunt_command_line.h"

namespace divdet {
namespace {

/// `divdet run …` with another verb.
std::string withVerb(const BlockRequest& block, std::string_view verb) {
    constexpr std::string_view run = "divdet run ";
    std::string line = commandLine(block, block.tolerance);
    return std::string("divdet ").append(verb).append(" ").append(line.substr(run.size()));
}

std::string badWhen(const BadWhen& bad) {
    return bad.kind == BadWhen::Kind::automatic ? std::string() : " --bad-when " + toString(bad);
}

} // namespace

std::string huntCommandLine(const BlockRequest& block, Over over, const BadWhen& bad, bool all, bool strict) {
    std::string line = withVerb(block, "bisect");
    if (over != Over::passes) line += " --over " + toString(over);
    line += badWhen(bad);
    if (all) line += " --all";
    if (strict) line += " --strict";
    return line;
}

std::string stagesCommandLine(const BlockRequest& block, const BadWhen& bad) {
    return withVerb(block, "stages") + badWhen(bad);
}

} // namespace divdet
