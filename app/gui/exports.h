#pragma once
#include <QString>
#include <functional>

#include "base/result.h"
#include "jobs/latest_job.h"

class QWidget;

namespace divdet {

class Document;
class PlotWidget;

/// Saving what is shown; problems become messages of the document.
void savePlot(QWidget* parent, Document& document, PlotWidget* plot, const QString& suffix);
void saveText(QWidget* parent, Document& document, const QString& title, const QString& suggestion,
              const QString& text);

/// Writes the comparison that is shown: a report in the format of the suffix, or a result file. What takes
/// long is done by the job, which lives as long as the window.
using SaveJob = LatestJob<std::function<void()>>;
void exportReport(QWidget* parent, Document& document, SaveJob& job);
void saveResult(QWidget* parent, Document& document, SaveJob& job);
bool canExport(const Document& document); ///< a complete comparison is shown
bool canSaveResult(const Document& document);

/// Writes a file whole or not at all.
Status writeFile(const QString& path, const QByteArray& content);

} // namespace divdet
