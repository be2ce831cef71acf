#pragma once
#include <QString>

#include "base/result.h"

class QWidget;

namespace divdet {

class Document;
class PlotWidget;

/// Saving what is shown; problems become messages of the document.
void savePlot(QWidget* parent, Document& document, PlotWidget* plot, const QString& suffix);
void saveText(QWidget* parent, Document& document, const QString& title, const QString& suggestion,
              const QString& text);

/// Writes a file whole or not at all.
Status writeFile(const QString& path, const QByteArray& content);

} // namespace divdet
