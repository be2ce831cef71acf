#pragma once
// The only includer of the plotting header: it breaks under QT_NO_FOREACH and QT_NO_KEYWORDS and draws
// warnings that are not ours.
#pragma GCC system_header
#include <qcustomplot.h>
