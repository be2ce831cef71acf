#include "block/filling.h"

namespace divdet::block {

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
    }
    return "";
}

std::vector<std::string_view> inputKinds() {
    return {name(FillKind::normal), name(FillKind::positive), name(FillKind::outlierChannel),
            name(FillKind::largeMean), name(FillKind::nearCancel)};
}

std::optional<FillKind> parseInputKind(std::string_view text) {
    for (FillKind kind : {FillKind::normal, FillKind::positive, FillKind::outlierChannel, FillKind::largeMean,
                          FillKind::nearCancel})
        if (name(kind) == text) return kind;
    return std::nullopt;
}

} // namespace divdet::block
