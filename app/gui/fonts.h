#pragma once
#include <QFont>

namespace divdet {

/// The type scale; px at 100 % are 24, 18, 15, 13, 12, 11, 11, 10. Sizes are set in points so that a
/// screen's scale is followed.
enum class FontStep {
    verdict, ///< bold: the word of the verdict, once per page
    title,   ///< semibold: dialogs and empty states
    lesson,  ///< semibold
    card,    ///< semibold: card and plot titles
    body,
    caption, ///< units, ids, legends
    section, ///< semibold, spaced: section heads in capitals
    tick     ///< fixed pitch: tick labels
};

/// Inter, else Noto Sans, else the system's. `tick` is fixed pitch.
QFont font(FontStep step);
QFont font(FontStep step, QFont::Weight weight);

/// Hack, else DejaVu Sans Mono, else the system's fixed font. For every number that stands in a column, tap
/// names and code: neither has ligatures, and Inter's figures are proportional.
QFont monoFont(FontStep step = FontStep::body);

/// Points of a length given in px at 100 %.
constexpr double pointsFromPx(double px) {
    return px * 0.75;
}

} // namespace divdet
