#pragma once
#include <QString>

#include "gui/hunt_side.h"
#include "gui/theme_tokens.h"

namespace divdet {

/// What stands on the card of a hunt.
struct HuntWords {
    QString word; ///< FOUND, NOTHING FAILS, …; empty: there is nothing to say yet
    Token token = Token::text2;
    QString names;   ///< of the culprits, or of what is left
    QString text;    ///< what it means, one to three sentences
    QString numbers; ///< runs, checks, seconds
};
HuntWords huntWords(const HuntSide& side);

/// "before: 5 ops, …" and "after: …" of a minimised case, and what it shows.
QString smallWords(const SmallCase& small);

} // namespace divdet
