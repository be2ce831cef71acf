#include "models/element_facts.h"

#include <QRegularExpression>
#include <QStringList>
#include <array>
#include <cmath>

#include "compare/ulp.h"
#include "gui/number_format.h"
#include "models/finding_text.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096; // elements looked at between two questions for cancellation

Result<PairData> elementsOf(const TapPair& pair) {
    if (!pair.load)
        return Error{ErrorCode::notFound, "the elements of this pair are not at hand", pair.name,
                     "open the files again"};
    return pair.load();
}

std::optional<double> numberOf(const Finding& finding, const char* key) {
    for (const auto& [name, value] : finding.evidence)
        if (const auto* number = std::get_if<double>(&value); number && name == key) return *number;
    return std::nullopt;
}

} // namespace

Result<ElementFacts> elementFacts(const TapPair& pair, std::int64_t index) {
    auto data = elementsOf(pair);
    if (!data) return data.error();
    if (index < 0 || index >= elementCount(data->reference.shape()).value_or(0))
        return Error{ErrorCode::usage, "there is no such element", pair.name, "choose a smaller index"};
    ElementFacts out;
    out.index = index;
    out.reference = elementAt(data->reference.view(), index);
    out.candidate = elementAt(data->candidate.view(), index);
    out.difference = out.candidate - out.reference;
    const auto type = ulpDType(data->reference.dtype(), data->candidate.dtype());
    if (type && std::isfinite(out.reference) && std::isfinite(out.candidate))
        out.ulps = ulpDistance(out.candidate, out.reference, *type);
    return out;
}

Result<std::int64_t> firstInBin(const TapPair& pair, int column, int row, const Progress& progress) {
    auto data = elementsOf(pair);
    if (!data) return data.error();
    const std::int64_t all = elementCount(data->reference.shape()).value_or(0);
    if (kind(data->reference.dtype()) == DTypeKind::complex ||
        kind(data->candidate.dtype()) == DTypeKind::complex)
        return std::int64_t(-1);
    std::array<double, kBlock> r, c;
    for (std::int64_t at = 0; at < all; at += kBlock) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the search was cancelled", {}, {}};
        const auto n = static_cast<std::size_t>(std::min(kBlock, all - at));
        loadAsDouble(data->reference.view(), at, std::span(r).first(n));
        loadAsDouble(data->candidate.view(), at, std::span(c).first(n));
        for (std::size_t i = 0; i < n; ++i) {
            const double magnitude = std::fabs(r[i]), error = std::fabs(c[i] - r[i]);
            if (std::isfinite(magnitude) && std::isfinite(error) &&
                ErrorHistogram::column(magnitude) == column && ErrorHistogram::row(error) == row)
                return at + static_cast<std::int64_t>(i);
        }
    }
    return std::int64_t(-1);
}

std::optional<JudgedElement> judgedElement(const TapPair& pair, std::int64_t index) {
    for (const Finding& finding : pair.findings) {
        const auto exact = numberOf(finding, "exact"), bound = numberOf(finding, "bound");
        if (exact && bound && elementOf(finding, pair.referenceShape) == index)
            return JudgedElement{*exact, *bound};
    }
    return std::nullopt;
}

std::optional<std::int64_t> parseIndex(const QString& text, const Shape& shape, QString* why) {
    const auto refuse = [why](const QString& sentence) {
        if (why) *why = sentence;
        return std::nullopt;
    };
    static const QRegularExpression gap(QStringLiteral("[\\s,\\[\\]()]+"));
    const QStringList parts = text.split(gap, Qt::SkipEmptyParts);
    std::vector<std::int64_t> position;
    for (const QString& part : parts) {
        bool ok = false;
        position.push_back(part.toLongLong(&ok));
        if (!ok || position.back() < 0) return refuse(QStringLiteral("“%1” is no index.").arg(part));
    }
    if (position.empty()) return refuse(QStringLiteral("Write an index such as [0, 3]."));
    const std::int64_t all = elementCount(shape).value_or(0);
    if (position.size() == 1 && shape.size() != 1) {
        if (position[0] < all) return position[0];
        return refuse(QStringLiteral("There are %1 elements, counted from 0.")
                          .arg(num::count(static_cast<std::uint64_t>(all))));
    }
    if (position.size() != shape.size())
        return refuse(QStringLiteral("%1 has %2 dims; write one index for each.")
                          .arg(num::shape(shape), QString::number(shape.size())));
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (position[d] >= shape[d])
            return refuse(QStringLiteral("%1 is beyond %2.").arg(position[d]).arg(num::shape(shape)));
        flat = flat * shape[d] + position[d];
    }
    return flat;
}

} // namespace divdet
