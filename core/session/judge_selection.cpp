#include "session/judge_selection.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/split.h"

namespace divdet {

JudgeSelection parseJudgeSelection(std::string_view text) {
    if (text.empty()) return {};
    if (text == "outputs") return {JudgeSelection::Kind::outputs, {}};
    if (text == "all") return {JudgeSelection::Kind::all, {}};
    return {JudgeSelection::Kind::named, split(text, ',')};
}

std::string toString(const JudgeSelection& selection) {
    switch (selection.kind) {
    case JudgeSelection::Kind::standard:
        return {};
    case JudgeSelection::Kind::outputs:
        return "outputs";
    case JudgeSelection::Kind::all:
        return "all";
    case JudgeSelection::Kind::named:
        return fmt::format("{}", fmt::join(selection.names, ","));
    }
    return {};
}

bool isJudged(const JudgeSelection& selection, std::string_view tap, bool isOutput) {
    switch (selection.kind) {
    case JudgeSelection::Kind::standard:
    case JudgeSelection::Kind::outputs:
        return isOutput;
    case JudgeSelection::Kind::all:
        return true;
    case JudgeSelection::Kind::named:
        return std::find(selection.names.begin(), selection.names.end(), tap) != selection.names.end();
    }
    return isOutput;
}

} // namespace divdet
