#pragma once
#include <QWidget>

#include "gui/document.h"

class QCheckBox;
class QComboBox;

namespace divdet {

class Label;

/// The left dock of a hunt and of the stages: what is asked of which block. The block and its passes are
/// those of the live page.
class HuntForm : public QWidget {
    Q_OBJECT
public:
    enum class For { hunt, stages };
    HuntForm(Document* document, For purpose,
             QWidget* parent = nullptr); ///< objectName "huntForm", "stagesForm"

signals:
    void livePageRequested();

private:
    void change(const std::function<void(HuntSide::Question&)>& edit);
    void takeBadWhen();
    void showBlock();
    void showQuestion();

    Document* m_document;
    Label *m_block, *m_passes;
    QComboBox *m_over = nullptr, *m_bad;
    QCheckBox *m_all = nullptr, *m_strict = nullptr;
    Label* m_error;
};

} // namespace divdet
