#include "views/widgets/verdict_block.h"

namespace divdet {
namespace {

/// A bar would end the cell.
QString cell(QString text) {
    return text.replace(QLatin1Char('|'), QLatin1String("\\|"));
}

} // namespace

QString verdictMarkdown(const VerdictContent& content) {
    const QString word = content.word.isEmpty() ? verdictLook(content.tone).word : content.word;
    QString text = QLatin1String("## ") + word;
    if (content.cls != ClassTone::none) text += QStringLiteral(" · ") + classLook(content.cls).word;
    text += QLatin1String("\n\n");
    const QString why = content.classBefore + content.classTap + content.classAfter;
    for (const QString& paragraph : {why, content.sentence, content.useText})
        if (!paragraph.isEmpty()) text += paragraph + QLatin1String("\n\n");
    if (!content.rows.empty()) {
        text += QLatin1String("| | value | |\n|---|---:|---|\n");
        for (const VerdictRow& row : content.rows)
            text +=
                QStringLiteral("| %1 | %2 | %3 |\n").arg(cell(row.label), cell(row.value), cell(row.note));
        text += QLatin1Char('\n');
    }
    if (!content.footer.isEmpty()) text += content.footer + QLatin1String("\n");
    return text.trimmed() + QLatin1Char('\n');
}

} // namespace divdet
