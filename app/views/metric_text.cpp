#include "views/metric_text.h"

#include "judge/metric/message.h"
#include "judge/metric/share_text.h"
#include "report/metric_text.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

Note warning(const char* id, const QString& title, const QString& body) {
    Note note;
    note.id = QString::fromLatin1(id);
    note.icon = QStringLiteral("warn");
    note.colour = Token::inconFg;
    note.title = title;
    note.text = body;
    return note;
}

} // namespace

QString metricFooter(const MetricAnswer& answer) {
    return QStringLiteral("Task metric: ") + text(report::metricLine(*answer.task)) + QLatin1Char('.');
}

QString metricDetails(const MetricAnswer& answer, const Judgement& judgement) {
    QStringList lines;
    for (const auto& sentence : report::metricSentences(answer, judgement)) {
        QString line = text(sentence);
        line[0] = line[0].toUpper();
        lines << (line.endsWith(QLatin1Char('.')) ? line : line + QLatin1Char('.'));
    }
    return lines.join(QLatin1Char('\n'));
}

void addMetricNotes(std::vector<Note>& notes, const MetricAnswer& answer, const Judgement& judgement) {
    if (!answer.task) return;
    const TaskMetric& m = *answer.task;
    if (const auto message = metricMessage(m, judgement.verdict, answer.limits)) {
        Note note = warning("metric", QStringLiteral("Tolerance and task disagree"), text(*message));
        note.evidence = {
            {QStringLiteral("top-1 agreement"), text(percentText(m.agreement().value, m.tokens))},
            {QStringLiteral("headroom"), text(percentText(m.headroom(), m.tokens))}};
        if (m.scored)
            note.evidence.insert(
                note.evidence.begin(),
                {QStringLiteral("accuracy"), text(pointsText(m.scored->accuracyChange(), m.scored->tokens))});
        notes.push_back(std::move(note));
    }
    QStringList missed;
    for (const auto& limit : answer.limits)
        if (limit.missed) missed << text(limit.text()) + QLatin1Char('.');
    if (!missed.isEmpty())
        notes.push_back(warning("metricLimit", QStringLiteral("A limit of the task metric is missed"),
                                missed.join(QLatin1Char(' '))));
}

} // namespace divdet
