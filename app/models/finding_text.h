#pragma once
#include <QString>

#include "compare/comparison.h"

namespace divdet {

/// What a finding is called: "The sums fall short". An id that has no words of its own is spoken as it is
/// written.
QString findingTitle(const Finding& finding);

/// One piece of evidence as people read it: "largest score", "2.19e3".
QString evidenceLabel(const std::string& key);
QString evidenceText(const Evidence& value);

/// The element that a finding points at, flat and row-major in `shape`; −1: it points at none.
qint64 elementOf(const Finding& finding, const Shape& shape);

/// The finding with all its digits, for a bug report: cause, tap, sentence, one line per number.
QString findingMarkdown(const Finding& finding, const TapPair& pair);

} // namespace divdet
