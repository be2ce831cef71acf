#include "gui/recent_pairs.h"

#include <QSettings>
#include <algorithm>

namespace divdet {
namespace {

constexpr qsizetype kKept = 6;
const QString kKey = QStringLiteral("files/recentPairs");

void store(const QList<RecentPair>& pairs) {
    QSettings settings;
    settings.beginWriteArray(kKey, static_cast<int>(pairs.size()));
    for (qsizetype i = 0; i < pairs.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("reference"), pairs[i].reference);
        settings.setValue(QStringLiteral("candidate"), pairs[i].candidate);
        settings.setValue(QStringLiteral("verdict"), pairs[i].verdict);
    }
    settings.endArray();
}

} // namespace

QList<RecentPair> recentPairs() {
    QList<RecentPair> pairs;
    QSettings settings;
    const int count = settings.beginReadArray(kKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        pairs.append({settings.value(QStringLiteral("reference")).toString(),
                      settings.value(QStringLiteral("candidate")).toString(),
                      settings.value(QStringLiteral("verdict")).toString()});
    }
    settings.endArray();
    return pairs;
}

void rememberPair(const RecentPair& pair) {
    QList<RecentPair> pairs = recentPairs();
    pairs.removeIf(
        [&](const RecentPair& p) { return p.reference == pair.reference && p.candidate == pair.candidate; });
    pairs.prepend(pair);
    store(pairs.mid(0, kKept));
}

void forgetPairs() {
    QSettings().remove(kKey);
}

} // namespace divdet
