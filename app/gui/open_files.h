#pragma once
#include <QStringList>

#include "views/widgets/drop_zone.h"

namespace divdet {

class CompareSide;

/// What happens to dropped, chosen or named files. One goes to the side it is meant for, or becomes a
/// candidate, or the reference when there is none. Of several the first is the reference and the others are
/// the candidates; what was open before is closed then. A saved comparison (.divdet) takes the place of what
/// is open.
void openFiles(CompareSide& files, const QStringList& paths, DropSide side = DropSide::automatic);

} // namespace divdet
