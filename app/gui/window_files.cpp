#include "gui/window_files.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>

#include "dialogs/file_dialogs.h"
#include "gui/document.h"
#include "gui/open_files.h"
#include "gui/recent_pairs.h"

namespace divdet {

WindowFiles::WindowFiles(Document* document, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_window(window)
    , m_watch(document) {
    connect(&document->files(), &CompareSide::failed, this, &WindowFiles::tellFailure);
    connect(&document->files(), &CompareSide::candidateChanged, this, &WindowFiles::remember);
    connect(&document->live(), &LiveSide::failed, this, [this] {
        const Error& error = *m_document->live().error();
        Message message;
        message.kind = MessageKind::error;
        message.head = tr("The block did not run");
        message.text = QString::fromStdString(error.message + (error.hint.empty() ? "" : "; " + error.hint)) +
                       QLatin1Char('.');
        message.text[0] = message.text[0].toUpper();
        m_document->post(message);
    });
    connect(&m_watch, &FileWatch::countChanged, this, [this] { emit watchedChanged(m_watch.count()); });
}

void WindowFiles::askFor(bool reference) {
    const bool first = m_document->files().reference().empty();
    const DropSide side = reference ? DropSide::reference : first ? DropSide::automatic : DropSide::candidate;
    const QString title = reference ? tr("Open a reference")
                          : first   ? tr("Open files")
                                    : tr("Add candidates");
    file_dialogs::open(m_window, title, !reference,
                       [this, side](const QStringList& paths) { open(paths, side); });
}

void WindowFiles::open(const QStringList& paths, DropSide side) {
    if (paths.isEmpty()) return;
    if (side == DropSide::candidate)
        for (const QString& path : paths) openFiles(m_document->files(), {path}, side);
    else
        openFiles(m_document->files(), paths, side);
    emit opened();
}

void WindowFiles::tellFailure(int index) {
    const Candidate& candidate = m_document->files().candidates()[static_cast<std::size_t>(index)];
    if (!candidate.error || candidate.error->code == ErrorCode::cancelled) return;
    const Error error = *candidate.error;
    const QString path = QString::fromStdString(error.path);
    // An error may be about the reference, which every candidate meets: one bar tells it.
    const QString name =
        path.isEmpty() || !QFileInfo(path).isAbsolute() ? candidate.name() : QFileInfo(path).fileName();
    Message message;
    message.kind = MessageKind::error;
    message.head = tr("%1 cannot be read").arg(name);
    QString text = QString::fromStdString(error.message);
    if (error.offset) text += tr(" (at byte %1)").arg(*error.offset);
    if (!error.hint.empty()) text += QStringLiteral("; ") + QString::fromStdString(error.hint);
    text[0] = text[0].toUpper();
    message.text = text + QLatin1Char('.');
    message.buttons.push_back(
        {tr("Try again"), [this, file = candidate.path] { m_document->files().reload(file); }});
    message.quiet = {tr("Copy details"), [details = QString::fromStdString(error.text())] {
                         QApplication::clipboard()->setText(details);
                     }};
    m_document->post(message);
}

void WindowFiles::remember(int index) {
    const CompareSide& files = m_document->files();
    const Candidate& candidate = files.candidates()[static_cast<std::size_t>(index)];
    if (candidate.state != Candidate::State::done || !candidate.judged.judgement()) return;
    const std::string_view verdict = toString(candidate.judged.judgement()->verdict);
    rememberPair({QString::fromStdString(files.reference().string()),
                  QString::fromStdString(candidate.path.string()),
                  QString::fromUtf8(verdict.data(), static_cast<qsizetype>(verdict.size()))});
}

} // namespace divdet
