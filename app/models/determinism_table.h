#pragma once
#include <QStandardItemModel>

#include "session/determinism/lab.h"

namespace divdet {

/// Sources of variation with what was seen of each, the runs with the switch on, and below each the taps that
/// vary.
namespace determinism_table {
enum Columns { What, Bits, Elements, Results, MaxAbs, MaxUlp, Remark, ColumnCount };
void fill(QStandardItemModel& model, const LabResult& result);
} // namespace determinism_table

/// What a source is, half a sentence.
QString meaningOf(Variation source);

} // namespace divdet
