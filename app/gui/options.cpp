#include "gui/options.h"

#include <algorithm>

#include "gui/theme.h"

namespace divdet {
namespace {

Error usage(const QString& what, const QString& where, const QString& hint) {
    return {ErrorCode::usage, what.toStdString(), where.toStdString(), hint.toStdString()};
}

const QStringList& plotNames() {
    static const QStringList names = {QStringLiteral("faults"),  QStringLiteral("tolerance"),
                                      QStringLiteral("scatter"), QStringLiteral("histogram"),
                                      QStringLiteral("map"),     QStringLiteral("depth")};
    return names;
}

const QStringList& keys() {
    static const QStringList all = {
        QStringLiteral("theme"),      QStringLiteral("rtol"),      QStringLiteral("atol"),
        QStringLiteral("link"),       QStringLiteral("rule"),      QStringLiteral("preset"),
        QStringLiteral("equal-nan"),  QStringLiteral("pass"),      QStringLiteral("block"),
        QStringLiteral("dim"),        QStringLiteral("inputs"),    QStringLiteral("seed"),
        QStringLiteral("run-number"), QStringLiteral("device"),    QStringLiteral("reference"),
        QStringLiteral("plots"),      QStringLiteral("candidate"), QStringLiteral("tap"),
        QStringLiteral("element"),    QStringLiteral("advise")};
    return all;
}

Status takeSet(Options& options, const QString& text) {
    const auto at = text.indexOf(QLatin1Char('='));
    const QString key = at < 0 ? text : text.left(at);
    const QString value = at < 0 ? QString() : text.mid(at + 1);
    if (!keys().contains(key))
        return usage(QStringLiteral("there is no setting “%1”").arg(key), QStringLiteral("--set"),
                     QStringLiteral("one of ") + keys().join(QStringLiteral(", ")));
    if (at < 0 || value.isEmpty())
        return usage(QStringLiteral("%1 has no value").arg(key), QStringLiteral("--set"),
                     QStringLiteral("write --set %1=VALUE").arg(key));
    if (key == QLatin1String("theme")) {
        if (themeChoiceName(themeChoiceFromName(value)) != value)
            return usage(QStringLiteral("there is no theme “%1”").arg(value), QStringLiteral("--set theme"),
                         QStringLiteral("system, light or dark"));
        options.theme = value;
    } else if (key == QLatin1String("plots")) {
        options.plots = value.split(QLatin1Char(','), Qt::SkipEmptyParts);
        for (const QString& plot : options.plots)
            if (!plotNames().contains(plot))
                return usage(QStringLiteral("there is no plot “%1”").arg(plot), QStringLiteral("--set plots"),
                             QStringLiteral("one or two of ") + plotNames().join(QStringLiteral(", ")));
        if (options.plots.size() > 2)
            return usage(QStringLiteral("%1 plots do not fit").arg(options.plots.size()),
                         QStringLiteral("--set plots"), QStringLiteral("name one or two"));
    } else if (key == QLatin1String("advise")) {
        return applyAdviseSetting(options.advise, value);
    } else if (key == QLatin1String("candidate")) {
        options.candidate = value;
    } else if (key == QLatin1String("tap")) {
        options.tap = value;
    } else if (key == QLatin1String("element")) {
        options.element = value;
    } else {
        options.settings.append({key, value});
    }
    return Done{};
}

Result<QSize> parseSize(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    bool wOk = false, hOk = false;
    const int w = parts.value(0).toInt(&wOk);
    const int h = parts.value(1).toInt(&hOk);
    if (parts.size() != 2 || !wOk || !hOk || w < 1024 || h < 640 || w > 16384 || h > 16384)
        return usage(QStringLiteral("“%1” is no size").arg(text), QStringLiteral("--size"),
                     QStringLiteral("write WIDTHxHEIGHT in pixels, from 1024x640 to 16384x16384"));
    return QSize(w, h);
}

Result<Page> parsePage(const QString& text) {
    if (text == QLatin1String("live")) return Page::live;
    if (text == QLatin1String("compare")) return Page::compare;
    if (text == QLatin1String("advisor")) return Page::advisor;
    if (text == QLatin1String("hunt")) return Page::hunt;
    if (text == QLatin1String("stages")) return Page::stages;
    if (text == QLatin1String("logs")) return Page::logs;
    if (text == QLatin1String("determinism")) return Page::determinism;
    if (text == QLatin1String("triage")) return Page::triage;
    return usage(QStringLiteral("there is no page “%1”").arg(text), QStringLiteral("--page"),
                 QStringLiteral("live, compare, advisor, hunt, stages, logs, determinism or triage"));
}

Status takeOption(Options& options, const QString& name, const QString& value) {
    if (name == QLatin1String("--screenshot")) {
        options.screenshot = value;
    } else if (name == QLatin1String("--size")) {
        auto size = parseSize(value);
        if (!size) return size.error();
        options.size = *size;
    } else if (name == QLatin1String("--page")) {
        auto page = parsePage(value);
        if (!page) return page.error();
        options.page = *page;
    } else {
        return takeSet(options, value);
    }
    return Done{};
}

} // namespace

Result<Options> parseOptions(const QStringList& arguments) {
    static const QStringList withValue = {QStringLiteral("--screenshot"), QStringLiteral("--size"),
                                          QStringLiteral("--page"), QStringLiteral("--set")};
    Options options;
    bool onlyFiles = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments.at(i);
        if (onlyFiles || argument == QLatin1String("-") || !argument.startsWith(QLatin1Char('-'))) {
            options.files << argument;
            continue;
        }
        if (argument == QLatin1String("--")) {
            onlyFiles = true;
            continue;
        }
        if (argument == QLatin1String("--help") || argument == QLatin1String("-h")) {
            options.help = true;
            continue;
        }
        if (argument == QLatin1String("--version")) {
            options.version = true;
            continue;
        }
        const auto equals = argument.indexOf(QLatin1Char('='));
        const QString name = equals < 0 ? argument : argument.left(equals);
        if (!withValue.contains(name))
            return usage(QStringLiteral("there is no option “%1”").arg(name), {},
                         QStringLiteral("--help lists them"));
        if (equals < 0 && i + 1 >= arguments.size())
            return usage(QStringLiteral("%1 has no value").arg(name), {},
                         QStringLiteral("--help shows what it takes"));
        const QString value = equals < 0 ? arguments.at(++i) : argument.mid(equals + 1);
        if (auto taken = takeOption(options, name, value); !taken) return taken.error();
    }
    const auto given = [&options](const char* key) {
        return std::any_of(options.settings.begin(), options.settings.end(),
                           [key](const auto& set) { return set.first == QLatin1String(key); });
    };
    // Someone who gives both wants both, on the linked path or not.
    if (given("rtol") && given("atol") && !given("link"))
        options.settings.prepend({QStringLiteral("link"), QStringLiteral("off")});
    return options;
}

QString helpText() {
    return QStringLiteral(
        "divergence-detective [FILES…] [options]\n"
        "\n"
        "The workbench. It opens on a running block. FILES: the first is the reference, the\n"
        "others are candidates; one file alone is the reference.\n"
        "\n"
        "  --page PAGE        live, compare, advisor, hunt, stages, logs, determinism or triage (compare "
        "when there\n"
        "                     are files, else live); with --screenshot a page shows its answer or its "
        "sample\n"
        "  --screenshot FILE.png   draw the window into a picture and end; needs no display\n"
        "  --size WxH              of the window or picture (1440x900; at least 1024x640)\n"
        "  --set KEY=VALUE         a setting; may be repeated:\n"
        "      theme=system|light|dark\n"
        "      rtol=1e-5  atol=1e-8  link=on|off  rule=allclose|either  equal-nan=on|off\n"
        "      preset=bf16|fp32|…  (divdet presets lists them)\n"
        "      pass=tf32  pass=int8=per-tensor  pass=-int8 (off)  pass=none (all off)\n"
        "      block=mlp|transformer|…  (divdet blocks lists them)\n"
        "      dim=tokens=128  inputs=normal|positive|…  seed=1\n"
        "      run-number=1  (what atomics and race read as their seed)\n"
        "      device=cpu:sm_80  reference=fp32|fp64\n"
        "      plots=faults,scatter  (one or two of faults, tolerance, scatter,\n"
        "      histogram, map, depth)\n"
        "      candidate=NAME  tap=NAME  element=47,104  (what is selected)\n"
        "      advise=op=linear  advise=k=4096  advise=dtype=bf16  advise=rtol=1e-2  (the advisor's\n"
        "      page; the names are those of divdet advise)\n"
        "  --help, --version\n"
        "\n"
        "Exit codes: 0, or 2 for wrong usage and files that cannot be read or written.\n");
}

} // namespace divdet
