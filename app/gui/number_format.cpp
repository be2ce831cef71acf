#include "gui/number_format.h"
#include <QStringList>
#include <cmath>

namespace divdet::num {
namespace {

std::optional<QString> special(double value) {
    if (std::isnan(value)) return QStringLiteral("nan");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    if (value == 0) return QStringLiteral("0");
    return std::nullopt;
}

/// No locale option leaves out the plus of an exponent.
QString withoutPlus(QString text) {
    return text.remove(QLatin1Char('+'));
}

/// `digits` significant digits with an exponent: 9.59e-4.
QString exponent(double value, int digits) {
    return withoutPlus(locale().toString(value, 'e', digits - 1));
}

/// With group separators: toString of the C locale only groups integers when asked.
QString fixed(double value, int decimals) {
    QString text = locale().toString(std::abs(value), 'f', decimals);
    const qsizetype dot = text.indexOf(QLatin1Char('.'));
    for (qsizetype at = (dot < 0 ? text.size() : dot) - 3; at > 0; at -= 3) text.insert(at, QLatin1Char(','));
    return value < 0 ? QLatin1Char('-') + text : text;
}

/// The magnitude as it reads after rounding to `digits` significant digits.
double rounded(double value, int digits) {
    return std::abs(exponent(value, digits).toDouble());
}

QString errorWith(double value, int exponentDigits) {
    if (const auto text = special(value)) return *text;
    const double magnitude = rounded(value, 3);
    if (magnitude < 0.01 || std::round(std::abs(value)) >= 10000) return exponent(value, exponentDigits);
    const int decade = static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
    return fixed(value, std::max(0, 2 - decade));
}

} // namespace

const QLocale& locale() {
    static const QLocale c = [] {
        QLocale made = QLocale::c();
        made.setNumberOptions(QLocale::OmitLeadingZeroInExponent | QLocale::OmitGroupSeparator |
                              QLocale::RejectGroupSeparator);
        return made;
    }();
    return c;
}

QString error(double value) {
    return errorWith(value, 3);
}
QString shortError(double value) {
    return errorWith(value, 2);
}

QString tolerance(double value) {
    if (const auto text = special(value)) return *text;
    const double magnitude = std::abs(value);
    const char format = magnitude < 0.1 || magnitude >= 10000 ? 'e' : 'f';
    return withoutPlus(locale().toString(value, format, QLocale::FloatingPointShortest));
}

QString neededTolerance(double value) {
    if (const auto text = special(value)) return *text;
    const double magnitude = rounded(value, 2);
    if (magnitude < 0.1 || magnitude >= 10000) return exponent(value, 2);
    const int decade = static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
    return fixed(value, std::max(0, 1 - decade));
}

QString count(std::uint64_t value) {
    QString text = QString::number(value);
    for (qsizetype at = text.size() - 3; at > 0; at -= 3) text.insert(at, QLatin1Char(','));
    return text;
}

QString countOf(std::uint64_t part, std::uint64_t whole) {
    return count(part) + QLatin1String(" of ") + count(whole);
}

QString share(double fraction) {
    if (std::isnan(fraction)) return notApplicable();
    if (fraction <= 0) return QStringLiteral("0 %");
    if (fraction >= 1) return QStringLiteral("100 %");
    const double tenths = std::round(fraction * 1000);
    if (tenths < 1) return QStringLiteral("< 0.1 %");
    if (tenths > 999) return QStringLiteral("> 99.9 %");
    return fixed(tenths / 10, 1) + QLatin1String(" %");
}

QString wholeShare(double fraction) {
    if (const auto text = special(fraction)) return *text + QLatin1String(" %");
    const double percent = std::round(fraction * 100);
    if (fraction < 1 && percent >= 100) return QStringLiteral("> 99 %");
    if (fraction > 1 && percent <= 100) return QStringLiteral("> 100 %");
    if (fraction > 0 && percent < 1) return QStringLiteral("< 1 %");
    return fixed(percent, 0) + QLatin1String(" %");
}

QString ulps(double value) {
    if (const auto text = special(value)) return *text;
    return std::round(std::abs(value)) < 100000 ? fixed(value, 0) : exponent(value, 2);
}

QString z(double value) {
    if (std::isnan(value) || std::isinf(value)) return *special(value);
    if (std::abs(value) < 9.995) return fixed(value, 2);
    return std::abs(value) < 9999.95 ? fixed(value, 1) : exponent(value, 2);
}

QString ratio(double value) {
    const auto number = [value] {
        if (const auto text = special(value)) return *text;
        const double magnitude = std::abs(value);
        if (magnitude < 0.095 || magnitude >= 9999.5) return exponent(value, 2);
        return fixed(value, magnitude < 9.95 ? 1 : 0);
    };
    return number() + QStringLiteral(" ×");
}

QString decibel(double value) {
    if (std::isnan(value) || std::isinf(value)) return *special(value) + QLatin1String(" dB");
    return fixed(value, 1) + QLatin1String(" dB");
}

QString index(std::span<const std::int64_t> position) {
    QStringList parts;
    for (const std::int64_t i : position) parts << QString::number(i);
    return QLatin1Char('[') + parts.join(QLatin1String(", ")) + QLatin1Char(']');
}

QString shape(std::span<const std::int64_t> extents) {
    if (extents.empty()) return QStringLiteral("scalar");
    QStringList parts;
    for (const std::int64_t extent : extents) parts << count(static_cast<std::uint64_t>(extent));
    return parts.join(QStringLiteral(" × "));
}

QString seconds(double value) {
    if (std::isnan(value) || std::isinf(value)) return notApplicable();
    const auto digits3 = [](double v) { return fixed(v, v < 9.995 ? 2 : v < 99.95 ? 1 : 0); };
    if (value <= 0) return QStringLiteral("0 s");
    if (value < 0.9995e-3) return digits3(value * 1e6) + QStringLiteral(" µs");
    if (value < 0.09995) return digits3(value * 1e3) + QStringLiteral(" ms");
    if (value < 59.95) return fixed(value, value < 9.995 ? 2 : 1) + QLatin1String(" s");
    const auto whole = static_cast<std::uint64_t>(std::llround(value));
    return QStringLiteral("%1 min %2 s").arg(count(whole / 60)).arg(whole % 60);
}

QString notApplicable() {
    return QStringLiteral("–");
}

QString fullPrecision(float value) {
    return std::isfinite(value) ? withoutPlus(locale().toString(static_cast<double>(value), 'g', 9))
                                : *special(value);
}

QString fullPrecision(double value) {
    return std::isfinite(value) ? withoutPlus(locale().toString(value, 'g', 17)) : *special(value);
}

QString decadeLabel(int decade) {
    if (decade >= 0 && decade <= 3) return QString(QLatin1Char('1')) + QString(decade, QLatin1Char('0'));
    return QStringLiteral("1e%1").arg(decade);
}

std::optional<double> parseTolerance(const QString& text, QString* why) {
    const auto fail = [why](const QString& sentence) -> std::optional<double> {
        if (why) *why = sentence;
        return std::nullopt;
    };
    const QString shown = text.trimmed();
    if (shown.isEmpty()) return fail(QStringLiteral("The field is empty. Write 1e-5 or 0.00001."));
    QString ascii = shown;
    ascii.replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    const double value = locale().toDouble(ascii, &ok);
    if (!ok || std::isnan(value))
        return fail(QStringLiteral("“%1” is not a number. Write 1e-5 or 0.00001.").arg(shown));
    if (value < 0) return fail(QStringLiteral("“%1” is negative. A tolerance is 0 or more.").arg(shown));
    if (std::isinf(value))
        return fail(QStringLiteral("“%1” would pass anything. Write a finite number.").arg(shown));
    if (why) why->clear();
    return value == 0 ? 0.0 : value;
}

} // namespace divdet::num
