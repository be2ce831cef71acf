#include "models/determinism_table.h"

#include "gui/number_format.h"
#include "gui/theme.h"

namespace divdet {
namespace {

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString number(std::int64_t n) {
    return num::count(static_cast<std::uint64_t>(n));
}

QList<QStandardItem*> rowOf(const QString& what, const QString& bits, Token token, const QString& remark) {
    QList<QStandardItem*> row;
    for (int i = 0; i < determinism_table::ColumnCount; ++i) {
        row << new QStandardItem;
        row.last()->setEditable(false);
    }
    row[determinism_table::What]->setText(what);
    row[determinism_table::Bits]->setText(bits);
    row[determinism_table::Bits]->setForeground(color(token));
    row[determinism_table::Remark]->setText(remark);
    row[determinism_table::Remark]->setToolTip(remark);
    return row;
}

QList<QStandardItem*> bitsRow(const QString& what, bool same, const QString& remark) {
    return rowOf(what, same ? QObject::tr("same") : QObject::tr("vary"),
                 same ? Token::withinFg : Token::outsideFg, remark);
}

void addTaps(QStandardItem* parent, const std::vector<TapOfRuns>& taps) {
    using namespace determinism_table;
    for (const TapOfRuns& tap : taps) {
        if (!tap.spread) {
            parent->appendRow(rowOf(text(tap.name), QObject::tr("not compared"), Token::inconFg,
                                    tap.error ? text(tap.error->text()) : QObject::tr("not in every run")));
            continue;
        }
        if (tap.spread->bitEqual()) continue;
        const TapSpread& s = *tap.spread;
        auto row = rowOf(text(tap.name), QObject::tr("vary"), Token::outsideFg, {});
        row[Elements]->setText(
            num::countOf(static_cast<std::uint64_t>(s.varying), static_cast<std::uint64_t>(s.elements)));
        row[Results]->setText(number(s.variants));
        row[MaxAbs]->setText(num::error(s.maxAbs.value));
        row[MaxUlp]->setText(s.maxUlp ? num::ulps(*s.maxUlp) : QStringLiteral("–"));
        parent->appendRow(row);
    }
}

QString runsRemark(const RepeatedRuns& r) {
    QString out =
        r.sameBits()
            ? QObject::tr("no difference was seen in %1 runs").arg(number(r.runs))
            : QObject::tr("%1 of %2 taps in %3 runs; run %4 was the first to differ, %5 the first tap")
                  .arg(number(r.varying), number(static_cast<std::int64_t>(r.taps.size())), number(r.runs),
                       number(r.firstRun.value_or(0)), text(r.taps[*r.firstVarying].name));
    if (r.seen.races > 0)
        out += QObject::tr("; %1 threads, at once in %2 of %3 sums, %4 of %5 additions met another thread's")
                   .arg(r.seen.threads)
                   .arg(number(r.seen.overlapping), number(r.seen.races), number(r.seen.retries),
                        number(r.seen.additions));
    return out;
}

void addBatch(QStandardItem* parent, const BatchInvariance& b) {
    QStringList splits;
    for (const auto& s : b.splits)
        splits << QObject::tr("%1: %2 alone, %3 in the batch").arg(text(s.op)).arg(s.alone).arg(s.inBatch);
    const auto add = [&](const QString& what, const RowAgainstBatch& r, const QString& remark) {
        auto row = bitsRow(what, r.sameBits(), remark);
        addTaps(row[0], r.taps);
        parent->appendRow(row);
    };
    add(QObject::tr("chunks of k by the size of the batch"), b.byBatch, splits.join(QStringLiteral("; ")));
    add(QObject::tr("%1 chunks of k for every batch").arg(b.fixedSplits), b.fixed,
        b.fixed.sameBits() ? QObject::tr("a fixed split restores it") : QString());
}

void addSource(QStandardItemModel& model, const SourceResult& s) {
    const QString name = text(divdet::name(s.source));
    if (!s.measured()) {
        model.appendRow(rowOf(name, QObject::tr("not measured"), Token::inconFg, text(s.notMeasured)));
        return;
    }
    QList<QStandardItem*> row;
    if (s.batch) {
        row = bitsRow(
            name, s.batch->byBatch.sameBits(),
            QObject::tr("row %1 of %2 alone, and inside the batch").arg(s.batch->row).arg(s.batch->batch));
        addBatch(row[0], *s.batch);
    } else if (!s.settings.empty()) {
        QStringList labels;
        bool steady = true;
        for (const Setting& setting : s.settings) {
            labels << text(setting.label);
            steady = steady && setting.steady;
        }
        row = bitsRow(name, s.runs.sameBits(),
                      QObject::tr("%1; %2: %3")
                          .arg(meaningOf(s.source),
                               steady ? QObject::tr("each setting is steady in %1 runs").arg(s.repetitions)
                                      : QObject::tr("a setting varies by itself"),
                               labels.join(QStringLiteral(", "))));
        addTaps(row[0], s.runs.taps);
    } else {
        QString remark = runsRemark(s.runs);
        QStringList chosen;
        for (const auto& [label, times] : s.chosen)
            chosen << QObject::tr("%1 %2 times").arg(text(label)).arg(times);
        if (!chosen.isEmpty()) remark += QObject::tr("; fastest: %1").arg(chosen.join(QStringLiteral(", ")));
        row = bitsRow(name, s.runs.sameBits(), remark);
        addTaps(row[0], s.runs.taps);
    }
    row[0]->setToolTip(meaningOf(s.source));
    model.appendRow(row);
}

void addSwitch(QStandardItemModel& model, const SwitchResult& s) {
    const QString what = QObject::tr("switch on");
    if (s.refused) {
        model.appendRow(rowOf(what, QObject::tr("refused"), Token::inconFg, text(s.refused->text())));
        return;
    }
    auto row =
        s.runs ? bitsRow(what, s.runs->sameBits(), runsRemark(*s.runs)) : rowOf(what, {}, Token::text2, {});
    for (const std::string& change : s.changes) row[0]->appendRow(rowOf(text(change), {}, Token::text2, {}));
    if (s.runs) addTaps(row[0], s.runs->taps);
    model.appendRow(row);
}

} // namespace

QString meaningOf(Variation source) {
    switch (source) {
    case Variation::atomics:
        return QObject::tr("atomic additions of racing threads, from run to run");
    case Variation::autotune:
        return QObject::tr("the order that measured fastest, tuned anew each run");
    case Variation::tf32:
        return QObject::tr("TF32 products, from setting to setting");
    case Variation::accumulate:
        return QObject::tr("partial sums in reduced precision, from setting to setting");
    case Variation::batch:
        break;
    }
    return QObject::tr("a row alone against the same row in a batch");
}

void determinism_table::fill(QStandardItemModel& model, const LabResult& result) {
    model.clear();
    model.setHorizontalHeaderLabels({QObject::tr("Source, tap"), QObject::tr("Bits"),
                                     QObject::tr("Elements that vary"), QObject::tr("Results"),
                                     QObject::tr("max abs"), QObject::tr("max ulp"),
                                     QObject::tr("What was seen")});
    for (const SourceResult& s : result.sources) addSource(model, s);
    if (result.fixed) addSwitch(model, *result.fixed);
}

} // namespace divdet
