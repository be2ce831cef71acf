#include "models/finding_text.h"

#include "gui/number_format.h"

namespace divdet {
namespace {

struct Title {
    std::string_view id;
    const char* words;
};
constexpr Title titles[] = {
#define DIVDET_FINDING_TITLE(id, words) {id, words},
#include "models/finding_titles.def"
#undef DIVDET_FINDING_TITLE
};

QString spoken(const std::string& id, char gap) {
    QString words = QString::fromStdString(id);
    words.replace(QLatin1Char(gap), QLatin1Char(' '));
    return words;
}

QString exactText(const Evidence& value) {
    if (const auto* number = std::get_if<double>(&value)) return num::fullPrecision(*number);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return QString::number(*whole);
    return evidenceText(value);
}

} // namespace

QString findingTitle(const Finding& finding) {
    for (const Title& title : titles)
        if (title.id == finding.id) return QString::fromUtf8(title.words);
    QString words = spoken(finding.id, '-');
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words;
}

QString evidenceLabel(const std::string& key) {
    return spoken(key, '_');
}

QString evidenceText(const Evidence& value) {
    if (const auto* number = std::get_if<double>(&value)) return num::error(*number);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return *whole < 0 ? QString::number(*whole) : num::count(static_cast<std::uint64_t>(*whole));
    if (const auto* index = std::get_if<std::vector<std::int64_t>>(&value)) return num::index(*index);
    return QString::fromStdString(std::get<std::string>(value));
}

qint64 elementOf(const Finding& finding, const Shape& shape) {
    for (const char* key : {"worst", "first", "index", "at"})
        for (const auto& [name, value] : finding.evidence) {
            const auto* index = std::get_if<std::vector<std::int64_t>>(&value);
            if (name != key || !index || index->size() != shape.size() || shape.empty()) continue;
            std::int64_t flat = 0;
            bool inside = true;
            for (std::size_t d = 0; d < shape.size(); ++d) {
                inside = inside && (*index)[d] >= 0 && (*index)[d] < shape[d];
                flat = flat * shape[d] + (*index)[d];
            }
            if (inside) return flat;
        }
    return -1;
}

QString findingMarkdown(const Finding& finding, const TapPair& pair) {
    const std::string_view kind = toString(finding.kind);
    QString out = QStringLiteral("**%1** (%2, %3) in `%4`\n\n%5.\n")
                      .arg(findingTitle(finding), QString::fromStdString(finding.id),
                           QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
                           QString::fromStdString(pair.name), QString::fromStdString(finding.text));
    if (!finding.evidence.empty()) out += QLatin1Char('\n');
    for (const auto& [key, value] : finding.evidence)
        out += QStringLiteral("- %1: %2\n").arg(QString::fromStdString(key), exactText(value));
    return out;
}

} // namespace divdet
