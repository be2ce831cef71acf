#pragma once
#include "gui/theme_verdict.h"
#include <QFrame>
#include <limits>
#include <memory>
#include <vector>

class QAction;
class QGridLayout;

namespace divdet {

class Chip;
class ElidedLabel;
class Label;
class LinkLabel;
class UseBar;

/// One line of the grid: "max abs   9.59e-4   at [47, 104]".
struct VerdictRow {
    QString key; ///< given back by rowActivated; empty = the label is plain text
    QString label;
    QString value;
    QString note;
};

/// All that the block shows; immutable once set.
struct VerdictContent {
    VerdictTone tone = VerdictTone::inconclusive;
    QString word;                              ///< empty = the tone's own word
    ClassTone cls = ClassTone::none;           ///< none hides the chip
    QString classBefore, classTap, classAfter; ///< "bug in", "up", " and 1 more tap"; the tap is a link
    QString sentence;                          ///< "out: all 32,768 elements pass at rtol 1e-2, atol 1e-3."
    double use = std::numeric_limits<double>::quiet_NaN(); ///< needed / current; nan hides the bar
    QString useText; ///< beneath the bar, wraps; may stand without a bar
    std::vector<VerdictRow> rows;
    QString footer;    ///< task metric, or why there is none; wraps; may be empty
    QString footerTip; ///< more about it
};

/// `## WITHIN · drift`, the sentence, a table of the rows, the footer.
QString verdictMarkdown(const VerdictContent& content);

/// The only large coloured area of a page. Ground `bg`, 4 px band `solid` at the left.
class VerdictBlock : public QFrame {
    Q_OBJECT
public:
    explicit VerdictBlock(QWidget* parent = nullptr); ///< objectName "verdictBlock"

    void setContent(const VerdictContent& content);
    const VerdictContent& content() const { return m_content; }

    /// Rows beyond this many are hidden (small windows show 3).
    void setMaximumRows(int rows);

    /// A 2 px line at the lower edge: 0 … 1 done, negative = running but unknown, nan = idle.
    void setProgress(double fraction);
    double progress() const { return m_progress; }

    /// "Copy as Markdown"; also in the context menu.
    QAction* copyAction() const { return m_copy; }

signals:
    void rowActivated(const QString& key);
    void classTapActivated(const QString& tap);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        LinkLabel* label;
        Label* value;
        ElidedLabel* note;
    };
    void fillRows();
    void fillClass();
    Row& rowAt(std::size_t index);

    VerdictContent m_content;
    int m_maximumRows = std::numeric_limits<int>::max();
    double m_progress = std::numeric_limits<double>::quiet_NaN();
    QAction* m_copy;
    QWidget* m_icon;
    Label* m_word;
    Chip* m_class;
    Label* m_classLine;
    Label* m_sentence;
    UseBar* m_use;
    Label* m_useText;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    Label* m_footer;
};

} // namespace divdet
