#pragma once
#include "gui/theme_verdict.h"

#include "compare/verdict.h"

namespace divdet {

/// Icon, word and colours of a verdict of core; unreadable looks like outside and keeps its own word.
VerdictLook lookOf(Verdict verdict);

} // namespace divdet
