#include "views/widgets/drop_zone.h"
#include "gui/theme.h"
#include "views/widgets/buttons.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace divdet {

QStringList droppedPaths(const QMimeData* data) {
    QStringList paths;
    if (!data) return paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    return paths;
}

DropZone::DropZone(QWidget* parent)
    : QWidget(parent)
    , m_title(new Label({}, FontStep::title, Token::text1, this))
    , m_sentence(new Label({}, FontStep::body, Token::text2, this))
    , m_words(new QWidget(this)) {
    setObjectName(QStringLiteral("dropZone"));
    setAcceptDrops(true);
    m_sentence->setWordWrap(true);
    m_title->setAlignment(Qt::AlignCenter);
    m_sentence->setAlignment(Qt::AlignCenter);
    QPushButton* browse = makeButton(tr("Open files…"), ButtonKind::primary, this,
                                     QStringLiteral("dropBrowseButton"), QStringLiteral("open"));
    connect(browse, &QPushButton::clicked, this, &DropZone::browseRequested);
    auto* words = new QVBoxLayout(m_words);
    words->setSpacing(8);
    words->addWidget(new IconView(QStringLiteral("drop"), Token::text3, 32, this), 0, Qt::AlignHCenter);
    words->addWidget(m_title);
    words->addWidget(m_sentence);
    words->addSpacing(4);
    words->addWidget(browse, 0, Qt::AlignHCenter);
    auto* column = new QVBoxLayout(this);
    column->addStretch(1);
    column->addWidget(m_words);
    column->addStretch(1);
    setTexts(tr("Drop two files here"),
             tr("First the reference, then the candidate. A folder of tensors counts as one file."));
}

void DropZone::setTexts(const QString& title, const QString& sentence) {
    m_title->setText(title);
    m_sentence->setText(sentence);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
}

DropSide DropZone::sideAt(double x) const {
    return x < width() / 2.0 ? DropSide::reference : DropSide::candidate;
}

void DropZone::dragEnterEvent(QDragEnterEvent* event) {
    m_hovering = droppedPaths(event->mimeData()).size();
    if (m_hovering == 0) return;
    event->acceptProposedAction();
    m_side = m_hovering == 1 ? sideAt(event->position().x()) : DropSide::automatic;
    m_words->setVisible(false);
    update();
}

void DropZone::dragMoveEvent(QDragMoveEvent* event) {
    if (m_hovering == 1) m_side = sideAt(event->position().x());
    update();
}

void DropZone::dragLeaveEvent(QDragLeaveEvent*) {
    m_hovering = 0;
    m_words->setVisible(true);
    update();
}

void DropZone::dropEvent(QDropEvent* event) {
    const QStringList paths = droppedPaths(event->mimeData());
    m_hovering = 0;
    m_words->setVisible(true);
    update();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    emit dropped(paths, paths.size() == 1 ? sideAt(event->position().x()) : DropSide::automatic);
}

void DropZone::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setBrush(color(Token::panel));
    QPen edge(color(m_hovering ? Token::accent : Token::control), m_hovering ? 2 : 1);
    edge.setDashPattern({4, 4});
    painter.setPen(edge);
    painter.drawRoundedRect(frame, 8, 8);
    if (!m_hovering) return;

    painter.setFont(divdet::font(FontStep::title));
    for (const DropSide side : {DropSide::reference, DropSide::candidate}) {
        const bool left = side == DropSide::reference;
        QRectF half = frame.adjusted(8, 8, -8, -8);
        (left ? half.setRight(frame.center().x() - 4) : half.setLeft(frame.center().x() + 4));
        const bool aimed = m_side == side || m_side == DropSide::automatic;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(aimed ? Token::accentBg : Token::alt));
        painter.drawRoundedRect(half, 6, 6);
        painter.setPen(color(aimed ? Token::accent : Token::text3));
        const QString word = left ? tr("reference") : tr("candidate");
        painter.drawText(half, Qt::AlignCenter,
                         m_hovering > 2 && !left ? tr("%1 candidates").arg(m_hovering - 1) : word);
    }
}

} // namespace divdet
