#include "plots/export_plot.h"
#include "gui/number_format.h"
#include "plots/qcp.h"
#include <QBuffer>
#include <QFileInfo>
#include <QSaveFile>
#include <QSvgGenerator>

namespace divdet {
namespace {

QByteArray svgOf(QCustomPlot& plot) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(plot.size());
    generator.setViewBox(QRect(QPoint(0, 0), plot.size()));
    generator.setTitle(plot.accessibleName());
    generator.setResolution(96); // px of the screen, so that fonts keep their size beside lines
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(QRect(QPoint(0, 0), plot.size()), plot.palette().color(QPalette::Base));
    plot.toPainter(&painter, plot.width(), plot.height());
    painter.end();
    return bytes;
}

QByteArray pngOf(QCustomPlot& plot) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    plot.toPixmap(plot.width(), plot.height(), 2.0).save(&buffer, "PNG");
    return bytes;
}

} // namespace

Status exportPlot(QCustomPlot& plot, const QString& csv, const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("svg"))
        bytes = svgOf(plot);
    else if (suffix == QLatin1String("png"))
        bytes = pngOf(plot);
    else if (suffix == QLatin1String("csv"))
        bytes = csv.toUtf8();
    else
        return Error{ErrorCode::usage, "a plot cannot be written as this kind of file", path.toStdString(),
                     "end the name with .svg, .png or .csv"};
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return Done{};
    return Error{ErrorCode::io, "the plot was not written: " + file.errorString().toStdString(),
                 path.toStdString(), "choose a folder you may write to"};
}

QString csvField(const QString& text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')))
        return text;
    QString quoted = text;
    return QLatin1Char('"') + quoted.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

QString csvNumber(double value) {
    return num::fullPrecision(value);
}

} // namespace divdet
