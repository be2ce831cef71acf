#include "dialogs/about_dialog.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/fonts.h"
#include "gui/icons.h"
#include "gui/theme.h"

namespace divdet {

void showAbout(QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("About Divergence Detective"));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);

    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* picture = new QLabel(dialog);
    picture->setPixmap(appIcon().pixmap(48, 48));
    auto* title = new QLabel(QStringLiteral("Divergence Detective"), dialog);
    title->setFont(font(FontStep::title));
    auto* version =
        new QLabel(QStringLiteral("Version %1, with Qt %2")
                       .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())),
                   dialog);
    auto* names = new QVBoxLayout;
    names->setSpacing(2);
    names->addWidget(title);
    names->addWidget(version);
    head->addWidget(picture);
    head->addLayout(names, 1);
    layout->addLayout(head);

    auto* text = new QLabel(
        QStringLiteral("The compiled block and its reference differ. Is that drift or a bug, which "
                       "pass did it, and which tolerance may be trusted?\n\nFree software under the "
                       "GNU General Public License, version 3 or later. Plots are drawn with "
                       "QCustomPlot."),
        dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(380);
    layout->addWidget(text);

    auto* foot = new QHBoxLayout;
    foot->addStretch(1);
    auto* close = new QPushButton(QStringLiteral("Close"), dialog);
    setStyleProperty(close, "kind", QStringLiteral("primary"));
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::close);
    foot->addWidget(close);
    layout->addLayout(foot);
    dialog->show();
}

} // namespace divdet
