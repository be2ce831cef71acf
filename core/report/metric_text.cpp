#include "report/metric_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/number_text.h"
#include "judge/metric/message.h"
#include "judge/metric/share_text.h"

namespace divdet::report {
namespace {

/// A perplexity changes in digits that shortNumber does not show.
std::string perplexityText(double x) {
    return std::isfinite(x) ? fmt::format("{:.5g}", x) : shortNumber(x);
}

std::string tokenText(const TaskMetric& m, std::int64_t token) {
    return m.leading.empty() ? "the token" : "token " + toString(unravel(token, m.leading));
}

std::string wordText(std::int64_t word) {
    return word < 0 ? "nothing" : fmt::format("{}", word);
}

std::string boundText(const ToleranceBound& b) {
    if (std::isinf(b.atol)) return "any tolerance";
    return fmt::format("atol {} with rtol 0, or rtol {} with atol {} on the linked path",
                       textNotAbove(b.atol), textNotAbove(b.rtolLinked),
                       textNotAbove(linkedAtol(b.rtolLinked)));
}

std::string agreementText(const TaskMetric& m) {
    const Estimate e = m.agreement();
    std::string scatter = std::isnan(e.error) ? "" : fmt::format(" ± {}", percentText(e.error, m.tokens));
    // Without a single flip the scatter says nothing; what is known is the rule of three: -log(0.05) / n.
    if (m.flips() == 0 && m.tokens > 1)
        scatter = fmt::format(", so with 95 % confidence fewer than {} flip",
                              percentText(std::min(1.0, 3 * m.oneFlip()), m.tokens));
    return fmt::format("top-1 agrees for {} of {} tokens ({}{}; one token is worth {})", countText(m.agreed),
                       countText(m.tokens), percentText(e.value, m.tokens), scatter,
                       percentText(m.oneFlip(), m.tokens));
}

std::string flipText(const TaskMetric& m) {
    const Flip& f = *m.firstFlip;
    std::string out = fmt::format("greedy text parts at {}: {} in the reference, {} in the candidate",
                                  tokenText(m, f.token), wordText(f.reference), wordText(f.candidate));
    if (f.reference >= 0 && f.candidate >= 0)
        out += fmt::format("; the reference's logits there are {} apart, its largest error is {}",
                           shortNumber(f.top - f.other), shortNumber(f.error));
    return out;
}

std::string undefinedText(const TaskMetric& m) {
    return fmt::format(
        "rows with nan or +inf have no guess and agree with nothing: {} in the reference, {} in "
        "the candidate",
        countText(m.undefinedReference), countText(m.undefinedCandidate));
}

} // namespace

std::string safeSentence(const TaskMetric& m) {
    std::string out;
    if (m.tiedReference > 0)
        out = fmt::format("no tolerance rules a flip out: {} token{} of the reference {} tied",
                          countText(m.tiedReference), m.tiedReference == 1 ? "" : "s",
                          m.tiedReference == 1 ? "is" : "are");
    else
        out =
            fmt::format("no error within {} can flip any token (a bound, from the margins of the reference)",
                        boundText(m.safe));
    if (!m.observed) return out + "; here nothing flipped";
    if (std::isinf(m.observed->atol)) return out + "; the tokens that flipped here pass at no tolerance";
    return out + fmt::format("; the tokens that flipped here are outside every tolerance below {}",
                             boundText(*m.observed));
}

std::string metricLine(const TaskMetric& m) {
    std::string out = agreementText(m);
    if (m.scored) {
        const TargetScore& s = *m.scored;
        out += fmt::format("; accuracy {} to {} ({})", percentText(s.accuracyReference().value, s.tokens),
                           percentText(s.accuracyCandidate().value, s.tokens),
                           pointsText(s.accuracyChange(), s.tokens));
        out += fmt::format("; perplexity {} to {} ({})", perplexityText(s.perplexityReference.value),
                           perplexityText(s.perplexityCandidate.value), estimateText(s.perplexityChange));
    }
    return out + fmt::format("; KL {}", estimateText(m.kl));
}

std::vector<std::string> metricSentences(const MetricAnswer& answer, const Judgement& j) {
    std::vector<std::string> out;
    if (answer.task) {
        const TaskMetric& m = *answer.task;
        out.push_back(metricLine(m));
        out.push_back(
            fmt::format("headroom {}: so many tokens cannot flip, because their margin exceeds twice "
                        "their largest error",
                        percentText(m.headroom(), m.tokens)));
        if (m.firstFlip) out.push_back(flipText(m));
        out.push_back(safeSentence(m));
        if (m.undefinedReference + m.undefinedCandidate > 0) out.push_back(undefinedText(m));
        out.insert(out.end(), m.notes.begin(), m.notes.end());
    }
    if (answer.command)
        out.push_back(fmt::format("the command's mean of {} sample{} is {}",
                                  countText(answer.command->samples), answer.command->samples == 1 ? "" : "s",
                                  estimateText(answer.command->mean)));
    for (const auto& limit : answer.limits) out.push_back(limit.text());
    if (answer.task)
        if (auto message = metricMessage(*answer.task, j.verdict, answer.limits))
            out.push_back(std::move(*message));
    return out;
}

namespace {

std::vector<std::vector<std::string>> metricRows(const TaskMetric& m) {
    std::vector<std::vector<std::string>> rows{
        {"top-1 agreement", "", percentText(m.agreement().value, m.tokens),
         fmt::format("{} of {} tokens changed", countText(m.flips()), countText(m.tokens))}};
    if (m.scored) {
        const TargetScore& s = *m.scored;
        rows.push_back({"accuracy", percentText(s.accuracyReference().value, s.tokens),
                        percentText(s.accuracyCandidate().value, s.tokens),
                        pointsText(s.accuracyChange(), s.tokens)});
        rows.push_back({"cross-entropy, nats", shortNumber(s.crossEntropyReference.value),
                        shortNumber(s.crossEntropyCandidate.value), estimateText(s.crossEntropyChange)});
        rows.push_back({"perplexity", perplexityText(s.perplexityReference.value),
                        perplexityText(s.perplexityCandidate.value), estimateText(s.perplexityChange)});
    }
    rows.push_back({"KL(reference || candidate), nats", "", "", estimateText(m.kl)});
    rows.push_back({"headroom", "", percentText(m.headroom(), m.tokens), ""});
    return rows;
}

std::string asSentence(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text.back() == '.' ? text : text + '.';
}

} // namespace

std::vector<ReportTable> tablesOf(const ReportSubject& subject) {
    std::vector<ReportTable> out = subject.tables;
    if (subject.metric.empty()) return out;
    ReportTable table{"Task metric", {}, {"what", "reference", "candidate", "change"}, {}};
    for (const auto& sentence : metricSentences(subject.metric, subject.judgement))
        table.text += (table.text.empty() ? "" : " ") + asSentence(sentence);
    if (subject.metric.task) table.rows = metricRows(*subject.metric.task);
    out.insert(out.begin(), std::move(table));
    return out;
}

} // namespace divdet::report
