#pragma once
#include <QWidget>

#include "gui/document.h"

class QPlainTextEdit;
class QPushButton;
class QTabBar;

namespace divdet {

class ElidedLabel;
class Label;

/// What a hunt came to, and the small case that shows it: its script to look at, to copy and to save.
class HuntResultView : public QWidget {
    Q_OBJECT
public:
    explicit HuntResultView(Document* document, QWidget* parent = nullptr); ///< objectName "huntResultView"

private:
    QWidget* makeResult();
    QWidget* makeSmall();
    void showAll();
    void showResult();
    void showSmall();
    void showText();
    void useCulprits();
    void save();

    Document* m_document;
    Label *m_word, *m_names, *m_text, *m_numbers, *m_sizes, *m_note;
    ElidedLabel* m_command;
    QPushButton *m_copyCommand, *m_use, *m_minify, *m_copy, *m_save;
    QWidget *m_smallCard, *m_rest;
    QTabBar* m_tabs;
    QPlainTextEdit* m_preview;
};

} // namespace divdet
