#pragma once
#include "gui/theme_tokens.h"
#include <QWidget>

namespace divdet {

/// One icon as a widget, `size` px square, through theme changes. It says nothing to screen readers: the
/// words beside it do.
class IconView : public QWidget {
    Q_OBJECT
public:
    IconView(const QString& name, Token token, int size, QWidget* parent = nullptr);
    void setIcon(const QString& name, Token token);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    Token m_token;
};

} // namespace divdet
