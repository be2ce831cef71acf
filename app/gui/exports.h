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
/// What both do: `write` runs in the job, and its error, or what it throws, becomes a message that names the
/// file. A file that would replace one that still waits to be written is refused, with a message too.
void saveInJob(Document& document, SaveJob& job, const QString& path, std::function<Status()> write);
bool canExport(const Document& document); ///< a complete comparison is shown
bool canSaveResult(const Document& document);

/// Writes a file whole or not at all.
Status writeFile(const QString& path, const QByteArray& content);

} // namespace divdet
