#include "models/log_tables.h"

#include "gui/number_format.h"
#include "gui/theme.h"
#include "logs/fix_text.h"
#include "logs/guard_reason.h"

namespace divdet::log_tables {
namespace {

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString number(std::int64_t n) {
    return num::count(static_cast<std::uint64_t>(n));
}

QString dashed(const QString& s) {
    return s.isEmpty() ? QStringLiteral("–") : s;
}

QList<QStandardItem*> rowOf(const QStringList& cells, const QString& detail, const QString& fix) {
    QList<QStandardItem*> row;
    for (const QString& cell : cells) {
        auto* item = new QStandardItem(QString(cell).replace(QLatin1Char('\n'), QLatin1Char(' ')));
        item->setEditable(false);
        item->setData(detail, DetailRole);
        item->setData(fix, FixRole);
        row << item;
    }
    return row;
}

void start(QStandardItemModel& model, const QStringList& heads) {
    model.clear();
    model.setHorizontalHeaderLabels(heads);
}

QVariantList numbersOf(const std::vector<std::string>& values) {
    QVariantList out;
    for (const std::string& value : values) {
        bool ok = false;
        const double x = text(value).toDouble(&ok);
        if (!ok) return {};
        out << x;
    }
    return out;
}

QString causeDetail(const RecompiledFunction& f, const RecompileCause& c) {
    QString out = QObject::tr("%1 changed: %2, %3 of %4's %5 recompiles")
                      .arg(text(userName(c.source)), text(info(c.cause).what), number(c.count), text(f.name),
                           number(f.count));
    if (c.dim) out += QObject::tr("\ndim %1").arg(*c.dim);
    if (!c.values.empty()) out += QObject::tr("\nseen: %1").arg(text(valuesText(c.values)));
    if (!f.site.empty()) out += QObject::tr("\ndefined at %1").arg(text(f.site));
    return out;
}

} // namespace

void fillRecompiles(QStandardItemModel& model, const LogReport& report) {
    start(model, {QObject::tr("Function, what changed"), QObject::tr("Times"), QObject::tr("Cause"),
                  QObject::tr("Values seen"), QObject::tr("Defined at")});
    for (const RecompiledFunction& f : report.recompiles) {
        const QString many = QObject::tr("%1 of %2").arg(number(f.count), number(f.limit));
        QString detail = QObject::tr("%1 was compiled %2 times more").arg(text(f.name), number(f.count));
        if (f.limitHit) detail += QObject::tr(": the limit is hit, it runs uncompiled from here on");
        if (f.compileSeconds > 0)
            detail += QObject::tr("\n%1 in compiling").arg(num::seconds(f.compileSeconds));
        if (!f.site.empty()) detail += QObject::tr("\ndefined at %1").arg(text(f.site));
        const QString fix =
            f.limitHit
                ? QObject::tr("to hear of it: torch._dynamo.config.fail_on_recompile_limit_hit = True, "
                              "or fullgraph=True")
                : QString();
        auto row =
            rowOf({text(f.name), many, f.limitHit ? QObject::tr("limit hit") : QString(), {}, text(f.site)},
                  detail, fix);
        if (f.limitHit) row[2]->setForeground(color(Token::outsideFg));
        for (const RecompileCause& c : f.causes) {
            QString what = text(userName(c.source));
            if (c.dim) what += QObject::tr(", dim %1").arg(*c.dim);
            auto child =
                rowOf({what, number(c.count), text(info(c.cause).name), text(valuesText(c.values)), {}},
                      causeDetail(f, c), text(c.fixText));
            if (c.values.empty()) child[3]->setText({});
            // Ids of objects are numbers, but no quantity.
            const bool quantity = c.cause == Cause::dynamicShape || c.cause == Cause::intSpecialization ||
                                  c.cause == Cause::floatSpecialization || c.cause == Cause::stride;
            if (quantity) child[3]->setData(numbersOf(c.values), ValuesRole);
            row[0]->appendRow(child);
        }
        model.appendRow(row);
    }
}

void fillBreaks(QStandardItemModel& model, const LogReport& report) {
    start(model, {QObject::tr("Place"), QObject::tr("Times"), QObject::tr("Kind"), QObject::tr("Reason"),
                  QObject::tr("Line")});
    for (const GraphBreak& b : report.breaks) {
        const QString site = b.site.empty() ? QObject::tr("(no place)") : text(b.site);
        QString detail = site +
                         (b.function.empty() ? QString() : QObject::tr(", in %1").arg(text(b.function))) +
                         QLatin1Char('\n') + text(b.reason);
        if (!b.code.empty()) detail += QLatin1Char('\n') + text(b.code);
        if (b.suppressed > 0)
            detail += QObject::tr("\n%1 of them shortened by the log").arg(number(b.suppressed));
        if (b.inFramework) detail += QObject::tr("\nno place of yours is known");
        model.appendRow(rowOf({site, number(b.count), text(b.kind), text(b.reason), text(b.code)}, detail,
                              text(b.fixText)));
    }
}

void fillGraphs(QStandardItemModel& model, const LogReport& report) {
    start(model, {QObject::tr("Graph"), QObject::tr("Function"), QObject::tr("Guards"),
                  QObject::tr("Guard that fails most")});
    for (const CompiledGraph& g : report.graphs)
        model.appendRow(
            rowOf({text(g.id), text(g.function), g.guards ? number(g.guards) : QStringLiteral("–"),
                   dashed(text(g.thrashing))},
                  QObject::tr("graph %1 of %2\n%3 guards\nfails most: %4")
                      .arg(text(g.id), text(g.function), number(g.guards), dashed(text(g.thrashing))),
                  {}));
    for (const GraphReplay& p : report.replays) {
        const QString what =
            p.skipped ? QObject::tr("CUDA graph skipped") : QObject::tr("CUDA graph recorded again");
        model.appendRow(rowOf({what, number(p.count), {}, text(p.reason)},
                              what + QLatin1Char('\n') + text(p.reason), {}));
    }
}

void fillChanges(QStandardItemModel& model, const LogChanges& changes) {
    start(model, {QObject::tr("Change"), QObject::tr("What"), QObject::tr("Before"), QObject::tr("After"),
                  QObject::tr("Function"), QObject::tr("Place")});
    const auto add = [&](const QString& word, Token token, const std::vector<LogChange>& list) {
        for (const LogChange& c : list) {
            auto row = rowOf({word, text(toString(c.kind)) + QStringLiteral(": ") + text(c.what),
                              number(c.before), number(c.after), text(c.function), text(c.site)},
                             word + QStringLiteral(": ") + text(c.what), {});
            row[0]->setForeground(color(token));
            model.appendRow(row);
        }
    };
    add(QObject::tr("new"), Token::outsideFg, changes.fresh);
    add(QObject::tr("still there"), Token::inconFg, changes.stayed);
    add(QObject::tr("gone"), Token::withinFg, changes.gone);
}

void fillLines(QStandardItemModel& model, const LogReport& report) {
    start(model, {QObject::tr("Line"), QObject::tr("Text")});
    for (const std::string& sample : report.unparsedSamples) {
        const QString line = text(sample);
        const qsizetype colon = line.indexOf(QLatin1Char(':'));
        model.appendRow(rowOf({line.left(colon), line.mid(colon + 1).trimmed()}, line, {}));
    }
}

} // namespace divdet::log_tables
