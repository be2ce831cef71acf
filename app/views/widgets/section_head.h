#pragma once
#include <QWidget>

class QHBoxLayout;

namespace divdet {

class ElidedLabel;
class Label;

/// "PASSES      needs rtol": capitals at the left, a caption and widgets at the right.
class SectionHead : public QWidget {
    Q_OBJECT
public:
    explicit SectionHead(const QString& title, QWidget* parent = nullptr);

    /// Shown in capitals; the accessible name keeps its case.
    void setTitle(const QString& title);
    /// Small words at the right ("3 findings"), before the added widgets.
    void setCaption(const QString& caption);
    /// Small words directly after the title ("6 pairs · judged: out"), elided.
    void setSubtitle(const QString& subtitle);
    void addWidget(QWidget* widget);

private:
    QHBoxLayout* m_row;
    ElidedLabel* m_title;
    ElidedLabel* m_subtitle;
    Label* m_caption;
};

} // namespace divdet
