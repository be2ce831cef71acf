#pragma once
#include <QList>
#include <QString>

namespace divdet {

/// Pairs compared before, newest first, with the verdict they had.
struct RecentPair {
    QString reference, candidate; ///< absolute paths
    QString verdict;              ///< id: "within" …
};

QList<RecentPair> recentPairs();
/// To the front; a pair that is listed already moves.
void rememberPair(const RecentPair& pair);
void forgetPairs();

} // namespace divdet
