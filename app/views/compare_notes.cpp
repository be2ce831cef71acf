#include <algorithm>

#include "gui/document.h"
#include "gui/number_format.h"
#include "views/notes.h"
#include "views/verdict_text.h"

namespace divdet {
namespace {

constexpr std::size_t kNamesShown = 3;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString count(std::size_t n) {
    return num::count(n);
}

QString taps(std::size_t n) {
    return count(n) + (n == 1 ? QStringLiteral(" tap") : QStringLiteral(" taps"));
}

/// "a, b, c and 5 more"
QString someNames(const std::vector<std::string>& names) {
    QStringList shown;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) shown << text(names[i]);
    QString list = shown.join(QStringLiteral(", "));
    if (names.size() > kNamesShown)
        list += QStringLiteral(" and %1 more").arg(count(names.size() - kNamesShown));
    return list;
}

Note warning(const QString& id, const QString& title, const QString& body) {
    Note note;
    note.id = id;
    note.icon = QStringLiteral("warn");
    note.colour = Token::inconFg;
    note.title = title;
    note.text = body;
    return note;
}

void addMissing(std::vector<Note>& notes, Document& document, const Comparison& comparison) {
    const auto add = [&](const std::vector<std::string>& names, const QString& side) {
        if (names.empty()) return;
        Note note = warning(QStringLiteral("onlyIn_") + side,
                            QStringLiteral("%1 only in the %2").arg(taps(names.size()), side),
                            someNames(names) + QLatin1Char('.'));
        if (document.settings().files.ignoreMissing) {
            note.text += QStringLiteral(" They do not count.");
        } else {
            note.button = QStringLiteral("Ignore missing taps");
            note.act = [&document] {
                FileSettings files = document.settings().files;
                files.ignoreMissing = true;
                document.setFileSettings(files, QObject::tr("Ignore missing taps"));
            };
        }
        notes.push_back(std::move(note));
    };
    add(comparison.onlyInReference, QStringLiteral("reference"));
    add(comparison.onlyInCandidate, QStringLiteral("candidate"));
}

void addShapes(std::vector<Note>& notes, Document& document, const Comparison& comparison) {
    const auto refused = std::find_if(comparison.pairs.begin(), comparison.pairs.end(), [](const TapPair& p) {
        return p.structural == Verdict::incomparable && p.problem;
    });
    if (refused == comparison.pairs.end()) return;
    const auto all = std::count_if(comparison.pairs.begin(), comparison.pairs.end(),
                                   [](const TapPair& p) { return p.structural == Verdict::incomparable; });
    Note note;
    note.id = QStringLiteral("incomparable");
    note.icon = QStringLiteral("incomp");
    note.colour = Token::incompFg;
    note.title =
        all == 1 ? QStringLiteral("One pair cannot be compared")
                 : QStringLiteral("%1 pairs cannot be compared").arg(count(static_cast<std::size_t>(all)));
    note.text = incomparableText(*refused);
    const std::string& hint = refused->problem->hint;
    if (hint.find("--squeeze") != std::string::npos) {
        note.button = QStringLiteral("Compare without size-1 dims");
        note.act = [&document] {
            FileSettings files = document.settings().files;
            files.squeeze = true;
            document.setFileSettings(files, QObject::tr("Compare without size-1 dims"));
        };
    } else if (!hint.empty()) {
        QString advice = text(hint);
        advice[0] = advice[0].toUpper();
        note.text += QLatin1Char(' ') + advice + QLatin1Char('.');
    }
    notes.push_back(std::move(note));
}

void addUnreadable(std::vector<Note>& notes, const Comparison& comparison) {
    std::vector<std::string> names;
    const TapPair* first = nullptr;
    for (const TapPair& pair : comparison.pairs)
        if (pair.structural == Verdict::unreadable) {
            if (!first) first = &pair;
            names.push_back(pair.name);
        }
    if (!first) return;
    Note note =
        warning(QStringLiteral("unreadable"), QStringLiteral("%1 cannot be read").arg(taps(names.size())),
                incomparableText(*first));
    note.icon = QStringLiteral("outside");
    note.colour = Token::outsideFg;
    if (first->problem && !first->problem->hint.empty()) {
        QString advice = text(first->problem->hint);
        advice[0] = advice[0].toUpper();
        note.text += QLatin1Char(' ') + advice + QLatin1Char('.');
    }
    notes.push_back(std::move(note));
}

void addPairing(std::vector<Note>& notes, const Comparison& comparison) {
    for (const PairedBy by : {PairedBy::normalised, PairedBy::order}) {
        std::vector<std::string> names;
        for (const TapPair& pair : comparison.pairs)
            if (pair.pairedBy == by) names.push_back(pair.name + " with " + pair.candidateName);
        if (names.empty()) continue;
        Note note;
        const bool order = by == PairedBy::order;
        note.id = order ? QStringLiteral("pairedByOrder") : QStringLiteral("pairedByName");
        note.icon = QStringLiteral("info");
        note.title = order ? QStringLiteral("%1 paired by order and shape").arg(taps(names.size()))
                           : QStringLiteral("%1 paired by names without noise").arg(taps(names.size()));
        note.text = someNames(names) + QLatin1Char('.');
        notes.push_back(std::move(note));
    }
}

void addCautions(std::vector<Note>& notes, const Comparison& comparison) {
    const auto with = [&comparison](const char* id) {
        return static_cast<std::size_t>(
            std::count_if(comparison.pairs.begin(), comparison.pairs.end(), [id](const TapPair& p) {
                return std::find(p.cautions.begin(), p.cautions.end(), id) != p.cautions.end();
            }));
    };
    if (const std::size_t n = with("low-precision-reference"))
        notes.push_back(warning(
            QStringLiteral("lowPrecision"), QStringLiteral("The reference is itself rounded"),
            QStringLiteral("%1 of the reference are stored with ten significant bits or fewer. Compare both "
                           "with an fp32 or fp64 run to see whose error it is.")
                .arg(taps(n))));
    if (const std::size_t n = with("dtype-differs")) {
        const auto pair = std::find_if(comparison.pairs.begin(), comparison.pairs.end(),
                                       [](const TapPair& p) { return p.referenceDType != p.candidateDType; });
        Note note;
        note.id = QStringLiteral("dtype");
        note.icon = QStringLiteral("info");
        note.title = QStringLiteral("The types differ");
        note.text = QStringLiteral("%1 against %2 in %3. Both are widened before they are compared.")
                        .arg(text(std::string(name(pair->referenceDType))),
                             text(std::string(name(pair->candidateDType))), taps(n));
        notes.push_back(std::move(note));
    }
    if (comparison.partial)
        notes.push_back(
            warning(QStringLiteral("shard"), QStringLiteral("A file is one part of a set"),
                    QStringLiteral(
                        "Its name says that there are more shards. Open the folder to compare them all.")));
}

/// What a saved comparison lacks: the elements.
void addSaved(std::vector<Note>& notes, Document& document) {
    const Candidate* candidate = document.files().currentCandidate();
    if (!candidate || candidate->saved.empty()) return;
    Note note;
    note.id = QStringLiteral("saved");
    note.icon = QStringLiteral("info");
    note.title = QStringLiteral("A saved comparison");
    note.text = QStringLiteral("%1 holds every verdict and curve, but no elements. Exact counts at another "
                               "tolerance are read from the dumps, if they are still where they were; else "
                               "they stay bounds (≈).")
                    .arg(text(candidate->saved.filename().string()));
    notes.push_back(std::move(note));
}

} // namespace

std::vector<Note> toleranceNotes(Document& document) {
    std::vector<Note> notes;
    const Judged& judged = document.judged(document.side());
    if (!judged.judgement()) return notes;
    std::size_t vacuous = 0;
    const TapPair* first = nullptr;
    for (std::size_t i = 0; i < judged.judgement()->taps.size(); ++i) {
        const TapPair& pair = judged.comparison()->pairs[i];
        const TapVerdict& tap = judged.judgement()->taps[i];
        const bool caution =
            std::find(tap.cautions.begin(), tap.cautions.end(), "vacuous-tolerance") != tap.cautions.end();
        if (!pair.judged || !pair.summary || !caution) continue;
        ++vacuous;
        if (!first) first = &pair;
    }
    if (!first) return notes;
    Note note = warning(
        QStringLiteral("vacuous"), QStringLiteral("The tolerance tests nothing"),
        QStringLiteral(
            "A tensor of zeros in place of %1 would pass too. Only a smaller tolerance says something.")
            .arg(vacuous == 1 ? text(first->name) : taps(vacuous)));
    note.evidence = {{QStringLiteral("largest |reference|, ") + text(first->name),
                      num::error(first->summary->maxMagnitude)},
                     {QStringLiteral("atol"), num::tolerance(judged.judgement()->tolerance.atol)}};
    const TolerancePreset* fp32 = findPreset("fp32");
    if (fp32 && judged.judgement()->tolerance.atol > fp32->atol) {
        note.button = QStringLiteral("Use the preset fp32");
        note.act = [&document, fp32, side = document.side()] {
            document.setTolerance(side, withPreset(document.settings().tolerance(side), *fp32),
                                  QObject::tr("Preset fp32"));
        };
    }
    notes.push_back(std::move(note));
    return notes;
}

std::vector<Note> compareNotes(Document& document) {
    std::vector<Note> notes;
    const Judged& judged = document.judged(Side::compare);
    if (!judged.comparison()) return notes;
    const Comparison& comparison = *judged.comparison();
    addUnreadable(notes, comparison);
    addShapes(notes, document, comparison);
    for (Note& note : toleranceNotes(document)) notes.push_back(std::move(note));
    addMissing(notes, document, comparison);
    addPairing(notes, comparison);
    addSaved(notes, document);
    addCautions(notes, comparison);
    return notes;
}

} // namespace divdet
