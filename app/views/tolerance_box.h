#pragma once
#include <QWidget>

#include "gui/document.h"

class QComboBox;
class QLineEdit;
class QMenu;
class QPushButton;

namespace divdet {

class Label;
class TolSlider;

/// rtol and atol as sliders and fields, the link, presets and the rule, of one side. On the live page the
/// controls are named rtolEdit, atolSlider …; on the other one compareRtolEdit ….
class ToleranceBox : public QWidget {
    Q_OBJECT
public:
    ToleranceBox(Document* document, Side side, QWidget* parent = nullptr);

    void toggleLink();
    /// Tenths of a decade.
    void stepRtol(int tenths);
    void takePreset(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Line {
        QLineEdit* edit = nullptr;
        TolSlider* slider = nullptr;
    };
    QString nameOf(const char* name) const;
    Line makeLine(const QString& word, class QVBoxLayout* column);
    QWidget* makePresets();
    QWidget* makeRule();
    const ToleranceSettings& current() const { return m_document->settings().tolerance(m_side); }
    void slide(bool rtol, double value);
    void endSlide();
    void typed(bool rtol);
    void set(const ToleranceSettings& next, const QString& what);
    void showSettings();
    void showNeeded();
    void showSane();
    const SaneLine* saneLine() const; ///< null: none, or not found yet
    void showError(QLineEdit* edit, const QString& why);

    Document* m_document;
    Side m_side;
    bool m_sliding = false;
    QPushButton* m_link = nullptr;
    Line m_rtol, m_atol;
    Label* m_error = nullptr;
    QList<QPushButton*> m_presets;
    QPushButton* m_sane = nullptr; ///< on the live page
    QMenu* m_more = nullptr;
    QComboBox* m_rule = nullptr;
    QWidget* m_ruleNote = nullptr; ///< shown where the plane is not that of the rule
};

/// "allclose   |c−r| ≤ atol + rtol·|r|"
QString ruleText(Rule rule);

} // namespace divdet
