#pragma once
#include <QWidget>

namespace divdet {

/// Two tinted halves over a page while files hang over it: which side a single file would go to.
class DropOverlay : public QWidget {
    Q_OBJECT
public:
    explicit DropOverlay(QWidget* parent);

    /// `files` that hang over it; a single one is for the half under `x`.
    void showFor(qsizetype files, double x, bool hasReference);
    /// Without halves: what is dropped is read as a log.
    void setForLogs(bool logs) { m_logs = logs; }
    bool candidateHalf() const { return m_candidate; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    qsizetype m_files = 0;
    bool m_candidate = false, m_logs = false;
};

} // namespace divdet
