#include "plots/pass_text.h"
#include "gui/theme_pass.h"

#include "lower/pass_info.h"

namespace divdet {

bool isBug(const lower::PassChoice& choice) {
    if (const auto info = lower::findPass(choice.id)) return info->kind == lower::PassKind::bug;
    return styleOf(choice).bug;
}

QString passId(const lower::PassChoice& choice) {
    return QString::fromStdString(choice.id);
}

PassStyle styleOf(const lower::PassChoice& choice) {
    return passStyle(passId(choice), QString::fromStdString(choice.variant));
}

QString variantText(const QString& variant) {
    if (variant.startsWith(QLatin1String("splitk:"))) return QStringLiteral("split-K %1").arg(variant.mid(7));
    QString text = variant;
    if (text.startsWith(QLatin1String("per-"))) text.replace(QLatin1Char('-'), QLatin1Char(' '));
    return text.replace(QLatin1Char(':'), QLatin1Char(' '));
}

QString curveText(const lower::PassChoice& choice) {
    const QString id = passId(choice);
    if (!isBug(choice)) return id;
    if (id == QLatin1String("wrong-accumulator"))
        return QStringLiteral("%1 accumulator (bug)").arg(QString::fromStdString(choice.variant));
    return QStringLiteral("%1 (bug)").arg(id);
}

} // namespace divdet
