#include <algorithm>

#include "gui/number_format.h"
#include "gui/options.h"
#include "session/lists.h"

namespace divdet {
namespace {

Error wrong(const QString& what, const QString& key, const QString& hint) {
    return {ErrorCode::usage, what.toStdString(), "--set " + key.toStdString(), hint.toStdString()};
}

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

/// What `value` is among `all`, else an error that lists them.
template <class Range, class Name>
Status oneOf(const Range& all, const QString& value, const QString& key, Name name) {
    QStringList names;
    for (const auto& item : all) names << text(name(item));
    if (names.contains(value)) return Done{};
    return wrong(QStringLiteral("there is no %1 “%2”").arg(key, value), key,
                 names.join(QStringLiteral(", ")));
}

Result<bool> onOff(const QString& key, const QString& value) {
    if (value == QLatin1String("on")) return true;
    if (value == QLatin1String("off")) return false;
    return wrong(QStringLiteral("“%1” is neither on nor off").arg(value), key,
                 QStringLiteral("write on or off"));
}

/// The same change on both sides: the page that is shown decides which one is seen.
template <class Change>
void onBothSides(Settings& settings, Change change) {
    settings.live = change(settings.live);
    settings.compare = change(settings.compare);
    settings.compareAutomatic = false;
}

Status setNumber(Settings& settings, const QString& key, const QString& value) {
    QString why;
    const auto number = num::parseTolerance(value, &why);
    if (!number) return wrong(why, key, QStringLiteral("a tolerance such as 1e-5"));
    const bool rtol = key == QLatin1String("rtol");
    onBothSides(settings, [&](const ToleranceSettings& t) {
        return rtol ? withRtol(t, *number) : withAtol(t, *number);
    });
    return Done{};
}

Status setPreset(Settings& settings, const QString& value) {
    const auto presets = tolerancePresets();
    if (auto known =
            oneOf(presets, value, QStringLiteral("preset"), [](const TolerancePreset& p) { return p.id; });
        !known)
        return known;
    const TolerancePreset& preset = *findPreset(value.toStdString());
    onBothSides(settings, [&](const ToleranceSettings& t) { return withPreset(t, preset); });
    return Done{};
}

Status setPass(Settings& settings, const QString& value) {
    auto& passes = settings.run.passes;
    if (value == QLatin1String("none")) {
        passes.clear();
        return Done{};
    }
    const bool off = value.startsWith(QLatin1Char('-'));
    auto choice = lower::parsePass((off ? value.mid(1) : value).toStdString());
    if (!choice) return choice.error();
    std::erase_if(passes, [&](const lower::PassChoice& p) { return p.id == choice->id; });
    if (!off) passes.push_back(*choice);
    settings.run.passes = inPassOrder(std::move(passes));
    return Done{};
}

Status setBlock(Settings& settings, const QString& value) {
    if (auto known =
            oneOf(listBlocks(), value, QStringLiteral("block"), [](const BlockInfo& b) { return b.id; });
        !known)
        return known;
    settings.run.block = value.toStdString();
    settings.run.dims.clear();
    return Done{};
}

Status setDim(Settings& settings, const QString& value) {
    const QString name = value.section(QLatin1Char('='), 0, 0);
    bool ok = false;
    const qint64 size = value.section(QLatin1Char('='), 1).toLongLong(&ok);
    const auto blocks = listBlocks();
    const auto block = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const BlockInfo& b) { return b.id == settings.run.block; });
    if (block == blocks.end()) return Done{};
    if (auto known =
            oneOf(block->dims, name, QStringLiteral("dim"), [](const BlockInfo::Dim& d) { return d.name; });
        !known)
        return known;
    if (!ok || size < 1 || size > 1'000'000)
        return wrong(QStringLiteral("“%1” is no size").arg(value.section(QLatin1Char('='), 1)),
                     QStringLiteral("dim"), QStringLiteral("write dim=%1=64").arg(name));
    settings.run.dims[name.toStdString()] = size;
    return Done{};
}

Status setWhole(std::uint64_t& to, const QString& key, const QString& value) {
    bool ok = false;
    const quint64 number = value.toULongLong(&ok);
    if (!ok)
        return wrong(QStringLiteral("“%1” is no %2").arg(value, QString(key).replace(u'-', u' ')), key,
                     QStringLiteral("a whole number, 0 or more"));
    to = number;
    return Done{};
}

Status setReference(Settings& settings, const QString& value) {
    const std::string_view kinds[] = {"fp32", "fp64"};
    if (auto known = oneOf(kinds, value, QStringLiteral("reference"), [](std::string_view s) { return s; });
        !known)
        return known;
    settings.run.reference = value == QLatin1String("fp64") ? ReferenceKind::fp64 : ReferenceKind::fp32;
    return Done{};
}

} // namespace

Status applySetting(Settings& settings, const QString& key, const QString& value) {
    if (key == QLatin1String("rtol") || key == QLatin1String("atol")) return setNumber(settings, key, value);
    if (key == QLatin1String("preset")) return setPreset(settings, value);
    if (key == QLatin1String("pass")) return setPass(settings, value);
    if (key == QLatin1String("block")) return setBlock(settings, value);
    if (key == QLatin1String("dim")) return setDim(settings, value);
    if (key == QLatin1String("seed")) return setWhole(settings.run.seed, key, value);
    if (key == QLatin1String("run-number")) return setWhole(settings.run.runNumber, key, value);
    if (key == QLatin1String("reference")) return setReference(settings, value);
    if (key == QLatin1String("device")) {
        settings.run.device = value.toStdString();
        return Done{};
    }
    if (key == QLatin1String("inputs")) {
        settings.run.inputs = value.toStdString();
        return oneOf(listInputKinds(), value, key, [](const std::string& s) { return std::string_view(s); });
    }
    if (key == QLatin1String("rule")) {
        const auto rule = parseRule(value.toStdString());
        if (!rule)
            return wrong(QStringLiteral("there is no rule “%1”").arg(value), key,
                         QString::fromStdString(ruleNames()));
        onBothSides(settings, [&](ToleranceSettings t) { return t.tolerance.rule = *rule, t; });
        return Done{};
    }
    auto on = onOff(key, value);
    if (!on) return on.error();
    if (key == QLatin1String("link"))
        onBothSides(settings, [&](const ToleranceSettings& t) { return withLink(t, *on); });
    else
        onBothSides(settings, [&](ToleranceSettings t) { return t.tolerance.equalNan = *on, t; });
    return Done{};
}

} // namespace divdet
