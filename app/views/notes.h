#pragma once
#include <QString>
#include <functional>
#include <vector>

#include "gui/theme_tokens.h"

namespace divdet {

class Document;

/// A card below the verdict: a fact, what it means, and at most one button that acts on it.
struct Note {
    QString id; ///< the card is `noteCard_<id>`
    QString icon;
    Token colour = Token::text3; ///< band and icon
    QString title, text;
    std::vector<std::pair<QString, QString>> evidence; ///< label, value
    QString button;
    std::function<void()> act;
};

/// Facts about the running block at the current tolerance: the window between drift and bugs, overridden
/// passes, a tolerance that tests nothing.
std::vector<Note> liveNotes(Document& document);

/// Facts about the current candidate: taps without a partner, pairs by other than name, shapes, cautions.
std::vector<Note> compareNotes(Document& document);

/// Facts both share: vacuous tolerance, NaN on both sides.
std::vector<Note> toleranceNotes(Document& document);

} // namespace divdet
