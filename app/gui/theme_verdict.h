#pragma once
#include "gui/theme_tokens.h"
#include <QString>

namespace divdet {

/// The five colour families of a verdict. A page that has words of its own (FOUND, STORM, VARIES) takes a
/// tone and sets the word.
enum class VerdictTone { within, outside, inconclusive, incomparable, incomplete };

/// A verdict is never told by colour alone: icon, word and colour always come together.
struct VerdictLook {
    QString word; ///< in capitals
    QString icon; ///< for icon()
    Token fg;     ///< words and icons
    Token bg;     ///< fills behind them
    Token solid;  ///< bars, bands, markers
};
VerdictLook verdictLook(VerdictTone tone);

/// The class of a pair; `none` while it is not known: nothing is shown then.
enum class ClassTone { none, identical, drift, bug, unclear, inherited };

struct ClassLook {
    QString word; ///< in small letters
    QString icon;
    Token fg;
    Token bg;
};
ClassLook classLook(ClassTone tone);

/// From the ids of the JSON contract ("within", "incomparable"; "drift", "bug"); an unknown id is
/// inconclusive, an unknown class is none. "unreadable" has the colours of an error, which are those of
/// outside: its word comes from verdictWordFromId.
VerdictTone verdictToneFromId(const QString& id);
QString verdictWordFromId(const QString& id); ///< "UNREADABLE"
ClassTone classToneFromId(const QString& id);

} // namespace divdet
