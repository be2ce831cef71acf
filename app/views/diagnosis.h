#pragma once
#include <QString>
#include <vector>

#include "gui/theme_verdict.h"

#include "compare/comparison.h"

namespace divdet {

/// One cause as its card shows it.
struct FindingView {
    QString id; ///< the card is `findingCard_<id>`
    ClassTone tone = ClassTone::none;
    QString icon;
    QString title, sentence;
    QString tap;                                       ///< where
    std::vector<std::pair<QString, QString>> evidence; ///< label, value
    QString markdown;                                  ///< what "Copy evidence" copies
    qint64 element = -1;                               ///< in `tap`; −1: none in particular
    QString button;                                    ///< leads to `tap` and `element`; empty: no button
    bool canHunt = false; ///< which pass it is can be asked: a bug of a block that runs here
};

/// Why the selected tap differs. Where it is not at fault itself, the first faulty tap of the run comes
/// first: that is where to look.
struct Diagnosis {
    QString subtitle; ///< of which taps
    QString empty;    ///< why there is no card; empty: there are some
    std::vector<FindingView> cards;
};
/// `pending`: the classes of a live run are still being settled.
Diagnosis diagnosisOf(const Comparison& comparison, const QString& selected, bool pending);

/// The overall class as a sentence around one tap: "bug in", "up", " and 1 more tap". No tap: `before` is
/// all.
struct ClassLine {
    ClassTone tone = ClassTone::none; ///< none: nothing is known, and nothing is shown
    QString before, tap, after;
};
ClassLine classLine(const Comparison& comparison, bool pending);

} // namespace divdet
