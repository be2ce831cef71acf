#pragma once
#include <QLocale>
#include <QString>
#include <cstdint>
#include <optional>
#include <span>

/// How every number of the workbench is written. What is shown can be typed back: C locale, ASCII hyphen,
/// exponents without plus or leading zero. NaN and infinities are `nan`, `inf`, `-inf` everywhere; zero of
/// either sign is `0`.
namespace divdet::num {

/// C locale with OmitLeadingZeroInExponent; fields and spin boxes of the UI use it too.
const QLocale& locale();

/// Errors in tables: 3 significant digits. 9.59e-4, 0.0297, 34.6, 2,509, 1.90e10.
QString error(double value);

/// Errors in labels and cards: as error(), but 2 digits where there is an exponent. 9.6e-4, 0.172, 1.9e9.
QString shortError(double value);

/// A tolerance the user typed, as short as it can be while it reads back as the same double: 1e-5, 1.3e-6,
/// 0.5.
QString tolerance(double value);

/// A needed or derived tolerance: 2 significant digits. 8.2e-3, 1.9e-2, 0.17.
QString neededTolerance(double value);

/// 31,808
QString count(std::uint64_t value);
/// 31,808 of 32,768
QString countOf(std::uint64_t part, std::uint64_t whole);

/// A fraction 0 … 1 with 1 decimal, never rounded up to 100 or down to 0: 99.6 %, > 99.9 %, < 0.1 %, 100 %, 0
/// %.
QString share(double fraction);
/// Without decimals (use of a tolerance, headroom; may exceed 100): 82 %, > 99 %, < 1 %, 130 %.
QString wholeShare(double fraction);

/// Whole below 100,000, else 2 digits: 8, 49,152, 1.3e5. A negative number of ulps keeps its sign.
QString ulps(double value);

/// 2 decimals below 10, 1 above: 1.00, 89.0.
QString z(double value);

/// 1 decimal below 10, none above: 1.9 ×, 822 ×.
QString ratio(double value);

/// 73.2 dB
QString decibel(double value);

/// [47, 104]
QString index(std::span<const std::int64_t> position);
/// 64 × 2,048; a scalar (rank 0) is "scalar".
QString shape(std::span<const std::int64_t> extents);

/// 0.12 s, 1.39 ms, 38.1 µs, 2 min 5 s.
QString seconds(double value);

/// What stands where a number does not apply: an en dash.
QString notApplicable();

/// For the clipboard: reads back as the same f32 (%.9g) or f64 (%.17g).
QString fullPrecision(float value);
QString fullPrecision(double value);

/// A label of a log axis: 1e-5, 0.1 as 1e-1, 1, 10, 100, 1000, 1e4. `decade` is the power of ten.
QString decadeLabel(int decade);

/// Reads a tolerance typed by the user: finite, 0 or more. White space around it and a typographic minus are
/// accepted, a comma is not. On failure `why` (may be null) gets one or two sentences for the field's error
/// line.
std::optional<double> parseTolerance(const QString& text, QString* why = nullptr);

} // namespace divdet::num
