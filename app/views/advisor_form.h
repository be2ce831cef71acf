#pragma once
#include <QList>
#include <QWidget>
#include <functional>

#include "gui/document.h"

class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace divdet {

class Label;

/// The left dock of the advisor: what a test compares. What cannot be is said below the group it stands in.
class AdvisorForm : public QWidget {
    Q_OBJECT
public:
    explicit AdvisorForm(Document* document, QWidget* parent = nullptr); ///< objectName "advisorForm"

private:
    enum Group { sizes, arithmetic, test, given, groupCount };
    QGridLayout* addGroup(QVBoxLayout* column, Group group, const QString& title);
    void addRow(QGridLayout* grid, const QString& word, QWidget* field, const QString& tip);
    QComboBox* addCombo(QGridLayout* grid, const QString& word, const QString& name, const QString& tip,
                        const QStringList& values, std::string AdviseRequest::*field);
    QLineEdit* addNumber(QGridLayout* grid, Group group, const QString& word, const QString& name,
                         const QString& tip);
    QSpinBox* addWhole(QGridLayout* grid, const QString& word, const QString& name, const QString& tip);
    void makeOp(QVBoxLayout* column);
    void makeArithmetic(QVBoxLayout* column);
    void makeTest(QVBoxLayout* column);
    void makeSizes();
    void takeP();
    void takeGiven(QLineEdit* edit, std::optional<double> AdviseRequest::*field);
    void change(const std::function<void(AdviseRequest&)>& edit);
    void showRequest();
    void showError();
    void showMessage(Group group, const QString& text);

    Document* m_document;
    bool m_showing = false; ///< widgets follow the request: what they signal is no wish
    std::string m_sizesOf;  ///< op whose sizes the spin boxes are
    std::vector<AdviseSize> m_sizeList;
    QGridLayout* m_sizeGrid = nullptr;
    QList<QSpinBox*> m_spins;
    QComboBox *m_op = nullptr, *m_dtype = nullptr, *m_accumulator = nullptr, *m_output = nullptr,
              *m_inputs = nullptr, *m_device = nullptr;
    QSpinBox *m_elements = nullptr, *m_seed = nullptr;
    QLineEdit *m_p = nullptr, *m_rtol = nullptr, *m_atol = nullptr;
    Label* m_errors[groupCount] = {};
};

} // namespace divdet
