#pragma once
#include <QStandardItemModel>

#include "gui/logs_side.h"

namespace divdet {

/// The tables of a log's page. Cells of a row carry what is shown below the table and copied.
namespace log_tables {
enum Roles {
    DetailRole = Qt::UserRole + 1, ///< the whole row in words, several lines
    FixRole,                       ///< what to do, one line; empty: nothing
    ValuesRole ///< QVariantList of doubles: the values in the order seen, where they are numbers
};

/// Functions, and below each the causes of its recompiles.
void fillRecompiles(QStandardItemModel& model, const LogReport& report);
void fillBreaks(QStandardItemModel& model, const LogReport& report);
/// Graphs with the guard that fails most, and replays of CUDA graphs that were skipped or recorded again.
void fillGraphs(QStandardItemModel& model, const LogReport& report);
void fillChanges(QStandardItemModel& model, const LogChanges& changes);
/// The first lines that were not understood.
void fillLines(QStandardItemModel& model, const LogReport& report);
} // namespace log_tables

} // namespace divdet
