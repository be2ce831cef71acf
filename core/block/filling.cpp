#include "block/filling.h"

namespace divdet::block {
namespace {

constexpr FillKind kInputKinds[] = {FillKind::normal, FillKind::positive, FillKind::outlierChannel,
                                    FillKind::largeMean, FillKind::nearCancel};

} // namespace

std::string_view name(FillKind kind) {
    switch (kind) {
    case FillKind::normal:
        return "normal";
    case FillKind::positive:
        return "positive";
    case FillKind::outlierChannel:
        return "outlier-channel";
    case FillKind::largeMean:
        return "large-mean";
    case FillKind::nearCancel:
        return "near-cancel";
    case FillKind::ones:
        return "ones";
    case FillKind::zeros:
        return "zeros";
    case FillKind::indices:
        return "indices";
    }
    return "";
}

bool isInputKind(FillKind kind) {
    for (FillKind k : kInputKinds)
        if (k == kind) return true;
    return false;
}

std::vector<std::string_view> inputKinds() {
    std::vector<std::string_view> names;
    for (FillKind kind : kInputKinds) names.push_back(name(kind));
    return names;
}

std::optional<FillKind> parseInputKind(std::string_view text) {
    for (FillKind kind : kInputKinds)
        if (name(kind) == text) return kind;
    return std::nullopt;
}

std::optional<FillKind> parseFillKind(std::string_view text) {
    for (FillKind kind : {FillKind::ones, FillKind::zeros, FillKind::indices})
        if (name(kind) == text) return kind;
    return parseInputKind(text);
}

} // namespace divdet::block
