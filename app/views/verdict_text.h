#pragma once
#include <QString>

#include "gui/judged.h"
#include "gui/settings.h"
#include "views/widgets/verdict_block.h"

namespace divdet {

VerdictTone toneOf(Verdict verdict);
/// WITHIN … UNREADABLE
QString wordOf(Verdict verdict);

/// "209 of 32,768" when exact, "≈ 209 of 32,768" from bounds.
QString countText(const CountBounds& bounds);
/// "rtol 1e-2, atol 1e-3"
QString toleranceText(const Tolerance& tolerance);

/// What the verdict block shows. Row keys lead to an element, see elementOfKey. Precondition:
/// judged.judgement().
VerdictContent verdictContent(const Judged& judged, const ToleranceSettings& settings, Side side);

/// Where a row's key leads: a tap, and a flat index in it or -1.
struct ElementRef {
    QString tap;
    qint64 element = -1;
};
ElementRef elementOfKey(const QString& key);

/// Why a pair has no summary, in one sentence with both shapes and, where it is only that, the layout.
QString incomparableText(const TapPair& pair);

} // namespace divdet
