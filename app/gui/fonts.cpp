#include "gui/fonts.h"
#include <QFontDatabase>
#include <QStringList>

namespace divdet {
namespace {

struct Step {
    double px;
    QFont::Weight weight;
};

Step stepOf(FontStep step) {
    switch (step) {
    case FontStep::verdict:
        return {24, QFont::Bold};
    case FontStep::title:
        return {18, QFont::DemiBold};
    case FontStep::lesson:
        return {15, QFont::DemiBold};
    case FontStep::card:
        return {13, QFont::DemiBold};
    case FontStep::caption:
        return {11, QFont::Normal};
    case FontStep::section:
        return {11, QFont::DemiBold};
    case FontStep::tick:
        return {10, QFont::Normal};
    case FontStep::body:
        break;
    }
    return {12, QFont::Normal};
}

QString firstFamily(const QStringList& wanted, QFontDatabase::SystemFont fallback) {
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted)
        if (families.contains(family)) return family;
    return QFontDatabase::systemFont(fallback).family();
}

const QString& uiFamily() {
    static const QString family =
        firstFamily({QStringLiteral("Inter"), QStringLiteral("Noto Sans")}, QFontDatabase::GeneralFont);
    return family;
}

const QString& monoFamily() {
    static const QString family =
        firstFamily({QStringLiteral("Hack"), QStringLiteral("DejaVu Sans Mono")}, QFontDatabase::FixedFont);
    return family;
}

} // namespace

QFont font(FontStep step) {
    return font(step, stepOf(step).weight);
}

QFont font(FontStep step, QFont::Weight weight) {
    if (step == FontStep::tick) return monoFont(step);
    QFont result(uiFamily());
    result.setPointSizeF(pointsFromPx(stepOf(step).px));
    result.setWeight(weight);
    if (step == FontStep::section) result.setLetterSpacing(QFont::AbsoluteSpacing, 0.5);
    return result;
}

QFont monoFont(FontStep step) {
    QFont result(monoFamily());
    result.setPointSizeF(pointsFromPx(stepOf(step).px));
    result.setStyleHint(QFont::Monospace);
    result.setFixedPitch(true);
    return result;
}

} // namespace divdet
