#pragma once
#include <QWidget>

#include "gui/settings.h"

namespace divdet {

/// From a symptom to the page that answers it: a chart whose boxes can be clicked.
class TriagePage : public QWidget {
    Q_OBJECT
public:
    explicit TriagePage(QWidget* parent = nullptr); ///< objectName "triagePage"

signals:
    void pageRequested(divdet::Page page);
};

} // namespace divdet
