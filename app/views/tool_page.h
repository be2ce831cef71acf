#pragma once
#include <QWidget>

class QHBoxLayout;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace divdet {

class ElidedLabel;

/// A page that asks one question: a strip with what is asked, progress, Cancel and the command line that asks
/// the same, its cards below, and its form for the left dock. Names of its parts begin with the page's:
/// huntPage, huntWhat, huntProgress, huntCancel, huntCommandLineButton.
class ToolPage : public QWidget {
    Q_OBJECT
public:
    /// The form in a widget that scrolls; the window puts it into the left dock.
    QWidget* controls() const { return m_controls; }
    /// What the page is about, for its strip and the title of the window.
    virtual QString subject() const = 0;
    /// Asks what the form says, which may be ahead of what is shown; empty: there is none.
    virtual QString commandLine() const = 0;
    virtual void setNarrow(bool narrow); ///< buttons of the strip become icons

signals:
    void commandLineRequested();
    void cancelRequested();
    void livePageRequested();

protected:
    ToolPage(const QString& name, QWidget* form, QWidget* parent);

    QWidget* form() const { return m_form; } ///< as given
    QVBoxLayout* cards() const { return m_cards; }
    /// Further buttons of the strip, before the command line's.
    void addToStrip(QWidget* widget);
    void setWhat(const QString& what);
    /// Shows progress and Cancel; progress is unknown until it is told.
    void setRunning(bool running);
    void setProgress(quint64 done, quint64 total); ///< total 0: unknown
    void setHasCommandLine(bool has);

private:
    QWidget *m_form, *m_controls;
    QHBoxLayout* m_strip;
    QVBoxLayout* m_cards;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QPushButton *m_cancel, *m_command;
};

} // namespace divdet
