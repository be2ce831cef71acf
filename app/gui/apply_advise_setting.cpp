#include <algorithm>

#include "gui/number_format.h"
#include "gui/options.h"

namespace divdet {
namespace {

Error wrong(const QString& what, const QString& key, const QString& hint) {
    return {ErrorCode::usage, what.toStdString(), "--set advise=" + key.toStdString(), hint.toStdString()};
}

Status setWhole(std::int64_t& to, std::int64_t least, const QString& key, const QString& value) {
    bool ok = false;
    const qint64 number = value.toLongLong(&ok);
    if (!ok || number < least)
        return wrong(QStringLiteral("“%1” is no number of %2").arg(value, key), key,
                     QStringLiteral("a whole number, %1 or more").arg(least));
    to = number;
    return Done{};
}

Status setTolerance(std::optional<double>& to, const QString& key, const QString& value) {
    QString why;
    const auto number = num::parseTolerance(value, &why);
    if (!number) return wrong(why, key, QStringLiteral("a tolerance such as 1e-5"));
    to = *number;
    return Done{};
}

const QStringList& sizeKeys() {
    static const QStringList keys = {QStringLiteral("m"),     QStringLiteral("n"),
                                     QStringLiteral("k"),     QStringLiteral("layers"),
                                     QStringLiteral("heads"), QStringLiteral("vocab")};
    return keys;
}

} // namespace

Status applyAdviseSetting(AdviseRequest& request, const QString& setting) {
    const QString key = setting.section(QLatin1Char('='), 0, 0);
    const QString value = setting.section(QLatin1Char('='), 1);
    if (value.isEmpty())
        return wrong(QStringLiteral("%1 has no value").arg(key), key,
                     QStringLiteral("write --set advise=%1=VALUE").arg(key));
    const std::pair<const char*, std::string*> texts[] = {
        {"op", &request.op},      {"dtype", &request.dtype},   {"acc", &request.accumulator},
        {"out", &request.output}, {"inputs", &request.inputs}, {"device", &request.device}};
    // Which values there are is the advisor's to say, in the page.
    for (const auto& [name, to] : texts)
        if (key == QLatin1String(name)) return *to = value.toStdString(), Status(Done{});
    if (sizeKeys().contains(key)) return setWhole(request.sizes[key.toStdString()], 1, key, value);
    if (key == QLatin1String("elements")) return setWhole(request.elements, 0, key, value);
    if (key == QLatin1String("rtol")) return setTolerance(request.rtol, key, value);
    if (key == QLatin1String("atol")) return setTolerance(request.atol, key, value);
    if (key == QLatin1String("seed")) {
        std::int64_t seed = 0;
        if (auto s = setWhole(seed, 0, key, value); !s) return s;
        request.seed = static_cast<std::uint64_t>(seed);
        return Done{};
    }
    if (key == QLatin1String("p")) {
        std::optional<double> p;
        if (auto s = setTolerance(p, key, value); !s) return s;
        request.p = *p;
        return Done{};
    }
    return wrong(QStringLiteral("there is no setting “%1” of the advisor").arg(key), key,
                 QStringLiteral("op, %1, dtype, acc, out, inputs, elements, p, rtol, atol, seed or device")
                     .arg(sizeKeys().join(QStringLiteral(", "))));
}

} // namespace divdet
