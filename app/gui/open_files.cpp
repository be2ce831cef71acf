#include "gui/open_files.h"

#include <QDir>
#include <QFileInfo>

#include "gui/compare_side.h"
#include "session/result_file.h"

namespace divdet {
namespace {

std::filesystem::path absolute(const QString& path) {
    return std::filesystem::path(QDir::cleanPath(QFileInfo(path).absoluteFilePath()).toStdString());
}

} // namespace

void openFiles(CompareSide& files, const QStringList& paths, DropSide side) {
    if (paths.isEmpty()) return;
    if (paths.size() == 1) {
        if (isResultFile(absolute(paths.first()))) return files.openResult(absolute(paths.first()));
        const bool asReference =
            side == DropSide::reference || (side == DropSide::automatic && files.reference().empty());
        asReference ? files.setReference(absolute(paths.first()))
                    : files.addCandidate(absolute(paths.first()));
        return;
    }
    files.clear();
    files.setReference(absolute(paths.first()));
    for (const QString& path : paths.mid(1)) files.addCandidate(absolute(path));
    files.setCurrent(0);
}

} // namespace divdet
