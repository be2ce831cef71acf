#include "models/taps_model.h"
#include "gui/number_format.h"
#include "gui/theme_tokens.h"
#include "models/class_look.h"
#include "models/verdict_look.h"
#include <cmath>
#include <limits>

namespace divdet {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool numeric(int column) {
    return column >= TapsModel::MaxAbs && column != TapsModel::VerdictColumn &&
           column != TapsModel::ClassColumn;
}

double relRms(const Summary& s) {
    return s.rmsReference > 0 ? s.rms / s.rmsReference : s.rms > 0 ? INFINITY : 0;
}

bool pending(const TapPair& pair) {
    return !pair.summary && !pair.problem && pair.structural == Verdict::within;
}

bool sameTaps(const Comparison& a, const Comparison& b) {
    if (a.pairs.size() != b.pairs.size()) return false;
    for (std::size_t i = 0; i < a.pairs.size(); ++i)
        if (a.pairs[i].name != b.pairs[i].name) return false;
    return true;
}

QVariant headTip(int section) {
    switch (section) {
    case TapsModel::ZRms:
        return QObject::tr("rms z: the error over what theory expects of the declared arithmetic, inherited "
                           "error included; honest runs lie from 0.5 to 2");
    case TapsModel::Bound:
        return QObject::tr("bound: the largest error over what the declared arithmetic allows this op on the "
                           "inputs it read; above 1 is proof of other arithmetic");
    case TapsModel::ClassColumn:
        return QObject::tr("class: why the tap differs; no tolerance changes it");
    default:
        return {};
    }
}

} // namespace

TapsModel::TapsModel(QObject* parent)
    : QAbstractTableModel(parent) {}

void TapsModel::setData(std::shared_ptr<const Comparison> comparison,
                        std::shared_ptr<const Judgement> judgement, bool classesPending) {
    const bool same = m_comparison && comparison && sameTaps(*m_comparison, *comparison);
    if (!same) beginResetModel();
    m_comparison = std::move(comparison);
    m_judgement = std::move(judgement);
    m_classesPending = classesPending;
    m_firstFault = m_comparison && !classesPending ? firstFaulty(*m_comparison) : -1;
    findScale();
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void TapsModel::setJudgement(std::shared_ptr<const Judgement> judgement) {
    m_judgement = std::move(judgement);
    if (rowCount() > 0) emit dataChanged(index(0, OverTol), index(rowCount() - 1, VerdictColumn));
}

void TapsModel::findScale() {
    for (int i : {0, 1}) {
        m_barLow[i] = INFINITY;
        m_barHigh[i] = -INFINITY;
    }
    if (!m_comparison) return;
    for (const TapPair& pair : m_comparison->pairs) {
        if (!pair.summary) continue;
        const double values[] = {pair.summary->maxAbs.value, relRms(*pair.summary)};
        for (int i : {0, 1}) {
            if (!(values[i] > 0) || !std::isfinite(values[i])) continue;
            m_barLow[i] = std::min(m_barLow[i], std::log10(values[i]) - 1);
            m_barHigh[i] = std::max(m_barHigh[i], std::log10(values[i]));
        }
    }
}

int TapsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_comparison ? 0 : static_cast<int>(m_comparison->pairs.size());
}

int TapsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

const TapVerdict* TapsModel::verdictOf(int row) const {
    if (!m_judgement || row >= static_cast<int>(m_judgement->taps.size())) return nullptr;
    return &m_judgement->taps[static_cast<std::size_t>(row)];
}

double TapsModel::number(const TapPair& pair, int column) const {
    if (column == ZRms) return m_classesPending ? kNaN : pair.zRms.value_or(kNaN);
    if (column == Bound) return !m_classesPending && pair.bound ? pair.bound->largest : kNaN;
    if (!pair.summary) return kNaN;
    const Summary& s = *pair.summary;
    switch (column) {
    case MaxAbs:
        return s.maxAbs.value;
    case MaxRel:
        return s.infiniteRel > 0 && s.maxRel.index < 0 ? INFINITY : s.maxRel.value;
    case MaxUlp:
        return s.maxUlp.value_or(kNaN);
    case RelRms:
        return relRms(s);
    case NeedsRtol:
        return s.neededRtolLinked(m_judgement ? m_judgement->tolerance : Tolerance{});
    default:
        return kNaN;
    }
}

QString TapsModel::countText(const TapPair& pair, int row) const {
    const TapVerdict* v = verdictOf(row);
    if (!pair.summary || !v) return num::notApplicable();
    // Bounds that differ come from whole bins of the histogram; the exact count needs the elements.
    const QString most = num::count(static_cast<std::uint64_t>(v->mismatches.high));
    return v->mismatches.low == v->mismatches.high ? most : QStringLiteral("≈ ") + most;
}

QString TapsModel::verdictWord(const TapPair& pair, int row) const {
    const TapVerdict* v = verdictOf(row);
    if (!v || pending(pair)) return num::notApplicable();
    if (pair.judged || !pair.summary) return lookOf(v->verdict).word;
    return v->over ? tr("over") : tr("traced");
}

QString TapsModel::text(const TapPair& pair, int row, int column) const {
    const double value = number(pair, column);
    switch (column) {
    case Number:
        return QString::number(row + 1);
    case Tap:
        return QString::fromStdString(pair.name);
    case Op:
        return QString::fromStdString(pair.op);
    case DTypeColumn: {
        const QString r = QString::fromUtf8(name(pair.referenceDType).data()),
                      c = QString::fromUtf8(name(pair.candidateDType).data());
        return r == c ? r : r + QLatin1Char('/') + c;
    }
    case ShapeColumn:
        return num::shape(pair.referenceShape);
    case OverTol:
        return countText(pair, row);
    case VerdictColumn:
        return verdictWord(pair, row);
    case ZRms:
        return std::isnan(value) ? num::notApplicable() : num::z(value);
    case Bound:
        return m_classesPending ? num::notApplicable() : boundText(pair.bound);
    case ClassColumn:
        return pair.pairClass && !m_classesPending ? lookOf(*pair.pairClass).word : num::notApplicable();
    case MaxUlp:
        return std::isnan(value) ? num::notApplicable() : num::ulps(value);
    case NeedsRtol:
        return std::isnan(value)   ? num::notApplicable()
               : std::isinf(value) ? tr("never")
                                   : num::neededTolerance(value);
    default:
        return pair.summary ? num::error(value) : num::notApplicable();
    }
}

QVariant TapsModel::sortKey(const TapPair& pair, int row, int column) const {
    const TapVerdict* v = verdictOf(row);
    switch (column) {
    case Number:
        return static_cast<double>(row);
    case Tap:
    case Op:
    case DTypeColumn:
        return text(pair, row, column);
    case ShapeColumn:
        return static_cast<double>(elementCount(pair.referenceShape).value_or(0));
    case OverTol:
        return v && pair.summary ? static_cast<double>(v->mismatches.high) : kNaN;
    case VerdictColumn:
        if (!v || pending(pair)) return kNaN;
        return pair.judged ? 10.0 + static_cast<double>(v->verdict) : v->over ? 1.0 : 0.0;
    case ClassColumn:
        return classKey(pair).isValid() ? classKey(pair).toDouble() : kNaN;
    default:
        return number(pair, column);
    }
}

QVariant TapsModel::classKey(const TapPair& pair) const {
    return pair.pairClass && !m_classesPending ? QVariant(static_cast<int>(*pair.pairClass)) : QVariant();
}

QString TapsModel::tip(const TapPair& pair, int row, int column) const {
    const auto at = [&](std::int64_t i) { return num::index(unravel(i, pair.referenceShape)); };
    if (column == Tap && pair.problem) return QString::fromStdString(pair.problem->text());
    if (column == Tap && pair.candidateName != pair.name)
        return tr("%1 in the candidate, paired by %2")
            .arg(QString::fromStdString(pair.candidateName),
                 QString::fromUtf8(toString(pair.pairedBy).data()));
    if (column == MaxAbs && pair.summary && pair.summary->maxAbs.index >= 0)
        return tr("at %1").arg(at(pair.summary->maxAbs.index));
    if (column == MaxRel && pair.summary && pair.summary->maxRel.index >= 0)
        return tr("at %1; max rel is largest where the reference is near zero; it says little on its own")
            .arg(at(pair.summary->maxRel.index));
    if (column == MaxUlp && pair.summary && pair.summary->ulpSignFlips) return tr("between different signs");
    if (pending(pair)) return {};
    if (m_classesPending && (column == ZRms || column == Bound || column == ClassColumn))
        return tr("each op is still being judged on the inputs it read");
    if (column == ZRms) return zSentence(pair);
    if (column == Bound) return boundSentence(pair.bound);
    if (column == ClassColumn) return classSentence(pair);
    if (column == NeedsRtol)
        return tr("needed rtol: the smallest rtol that passes, with atol following the linked path");
    const TapVerdict* v = verdictOf(row);
    if (column == OverTol && v && v->mismatches.low != v->mismatches.high)
        return tr("between %1 and %2; the exact count needs the elements")
            .arg(num::count(static_cast<std::uint64_t>(v->mismatches.low)),
                 num::count(static_cast<std::uint64_t>(v->mismatches.high)));
    return {};
}

QVariant TapsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = index.row(), column = index.column();
    const TapPair& pair = m_comparison->pairs[static_cast<std::size_t>(row)];
    const TapVerdict* v = verdictOf(row);
    switch (role) {
    case Qt::DisplayRole:
        return text(pair, row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter |
            (numeric(column) || column == Number || column == ShapeColumn ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole: {
        const QString words = tip(pair, row, column);
        return words.isEmpty() ? QVariant() : QVariant(words);
    }
    case Qt::AccessibleTextRole:
        return column == Tap && pair.judged           ? tr("%1, judged").arg(text(pair, row, column))
               : column == Tap && row == m_firstFault ? tr("%1, first bad").arg(text(pair, row, column))
                                                      : text(pair, row, column);
    case SortRole:
        return sortKey(pair, row, column);
    case CopyRole: {
        // The cell's count and its score are two numbers; a spreadsheet wants the score.
        const double value = number(pair, column);
        return std::isnan(value) ? text(pair, row, column) : num::fullPrecision(value);
    }
    case JudgedRole:
        return pair.judged;
    case BadRole:
        return v && !pending(pair) &&
               (v->over || (v->verdict != Verdict::within && (pair.judged || !pair.summary)));
    case PendingRole:
        return pending(pair);
    case ClassRole:
        return classKey(pair);
    case FirstFaultRole:
        return row == m_firstFault;
    case ToneRole:
        if (column != VerdictColumn || !v || pending(pair) || !(pair.judged || !pair.summary)) return {};
        return static_cast<int>(v->verdict);
    case BarRole: {
        if (column != MaxAbs && column != RelRms) return {};
        const double value = number(pair, column);
        const int scale = column == MaxAbs ? 0 : 1;
        if (!(value > 0)) return {};
        if (std::isinf(value) || m_barHigh[scale] <= m_barLow[scale]) return 1.0;
        return std::clamp((std::log10(value) - m_barLow[scale]) / (m_barHigh[scale] - m_barLow[scale]), 0.0,
                          1.0);
    }
    default:
        return {};
    }
}

QVariant TapsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    static const char* const heads[ColumnCount] = {
        "#",         "tap",     "op",         "dtype",    "shape", "max abs", "max rel", "max ulp",
        "over tol.", "verdict", "needs rtol", "rel. rms", "rms z", "bound",   "class"};
    if (role == Qt::DisplayRole) return tr(heads[section]);
    if (role == Qt::ToolTipRole) return headTip(section);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter |
                          (numeric(section) || section == Number || section == ShapeColumn ? Qt::AlignRight
                                                                                           : Qt::AlignLeft)));
    return {};
}

} // namespace divdet
