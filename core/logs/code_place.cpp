#include "logs/parsed_records.h"
#include "logs/text_scan.h"

namespace divdet {

std::optional<CodePlace> parsePlace(std::string_view text) {
    text = trimmed(text);
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    std::string_view rest = text.substr(colon + 1);
    const auto line = takeNumber(rest);
    if (!line || !rest.empty()) return std::nullopt;
    return CodePlace{std::string(text.substr(0, colon)), "", static_cast<int>(*line)};
}

std::optional<CodePlace> parseFrame(std::string_view line) {
    std::string_view text = trimmed(line);
    CodePlace out;
    std::string_view lineMark = "\", line ", nameMark = ", in ";
    if (text.starts_with("File \"")) {
        text.remove_prefix(6);
    } else if (text.starts_with("<FrameSummary file ")) {
        text.remove_prefix(19);
        lineMark = ", line ", nameMark = " in ";
    } else {
        return std::nullopt;
    }
    const auto end = text.find(lineMark);
    if (end == std::string_view::npos) return std::nullopt;
    out.file = text.substr(0, end);
    text.remove_prefix(end + lineMark.size());
    const auto number = takeNumber(text);
    if (!number) return std::nullopt;
    out.line = static_cast<int>(*number);
    if (text.starts_with(nameMark)) {
        out.function = text.substr(nameMark.size());
        if (out.function.ends_with('>') && lineMark.front() == ',') out.function.pop_back();
    }
    return out;
}

bool isFramework(std::string_view file) {
    const std::string path = [&] {
        std::string p(file);
        for (char& c : p)
            if (c == '\\') c = '/';
        return p;
    }();
    for (const std::string_view inside :
         {"-packages/torch/", "/torch/_dynamo/", "/torch/_inductor/", "/torch/nn/modules/",
          "/torch/_functorch/", "torch/_dynamo/", "-packages/torchvision/ops/"})
        if (contains(path, inside)) return true;
    return path.starts_with("<");
}

} // namespace divdet
