#include "gui/icons.h"
#include "gui/theme.h"
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

// Resources of a static library are only linked in when asked for; the macro needs the global namespace.
static void initResources() {
    Q_INIT_RESOURCE(workbench);
}

namespace divdet {
namespace {

constexpr auto placeholder = "#000001";

QHash<QString, QPixmap>& pixmaps() {
    static QHash<QString, QPixmap> cache;
    static const bool once = (qAddPostRoutine(clearIconCache), true); // no pixmap outlives the application
    Q_UNUSED(once);
    return cache;
}

QString iconFolder() {
    static const bool once = (initResources(), true);
    Q_UNUSED(once);
    return QStringLiteral(":/icons/");
}

/// Renders on demand, so an icon that outlives a theme change takes the new colour at its next paint.
class TokenIconEngine : public QIconEngine {
public:
    TokenIconEngine(QString name, Token token)
        : m_name(std::move(name))
        , m_token(token) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        drawIcon(*painter, m_name, tokenOf(mode), rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return iconPixmap(m_name, tokenOf(mode), qMin(size.width(), size.height()), 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return pixmap(size, mode, state); // the size asked for is already in device pixels
    }
    QIconEngine* clone() const override { return new TokenIconEngine(m_name, m_token); }

private:
    Token tokenOf(QIcon::Mode mode) const { return mode == QIcon::Disabled ? Token::textDisabled : m_token; }
    QString m_name;
    Token m_token;
};

} // namespace

QByteArray iconSource(const QString& name, Token token) {
    QFile file(iconFolder() + name + QLatin1String(".svg"));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("no icon named %s", qPrintable(name));
        return {};
    }
    return file.readAll().replace(placeholder, color(token).name().toLatin1());
}

void drawIcon(QPainter& painter, const QString& name, Token token, const QRectF& rect) {
    // The painter's whole scale, not the device's ratio: a page rendered at twice its size stays sharp.
    const qreal ratio = qMax(1.0, qAbs(painter.deviceTransform().m11()));
    painter.drawPixmap(rect.topLeft(), iconPixmap(name, token, qRound(rect.width()), ratio));
}

QPixmap iconPixmap(const QString& name, Token token, int size, qreal devicePixelRatio) {
    const QString key =
        QStringLiteral("%1/%2/%3/%4").arg(name, tokenName(token)).arg(size).arg(devicePixelRatio);
    if (const auto found = pixmaps().constFind(key); found != pixmaps().cend()) return *found;
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    if (const QByteArray source = iconSource(name, token); !source.isEmpty()) {
        QSvgRenderer renderer(source);
        QPainter painter(&pixmap);
        renderer.render(&painter, QRectF(pixmap.rect()));
    }
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmaps().insert(key, pixmap);
    return pixmap;
}

QIcon icon(const QString& name, Token token) {
    return QIcon(new TokenIconEngine(name, token));
}

QStringList iconNames() {
    QStringList names;
    for (const QString& file :
         QDir(iconFolder()).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name))
        if (file != QLatin1String("app.svg")) names << file.chopped(4);
    return names;
}

QIcon appIcon() {
    QIcon result;
    QSvgRenderer renderer(iconFolder() + QLatin1String("app.svg"));
    for (const int size : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

void clearIconCache() {
    pixmaps().clear();
}

} // namespace divdet
