#include "views/widgets/tol_slider.h"
#include <QAccessible>
#include <QAccessibleWidget>

namespace divdet {
namespace {

class AccessibleTolSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleTolSlider(TolSlider* slider)
        : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? slider()->accessibleDescription() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return slider()->value(); }
    void setCurrentValue(const QVariant& value) override {
        slider()->setValue(value.toDouble());
        emit slider()->valueChanged(slider()->value());
        emit slider()->released();
    }
    QVariant maximumValue() const override { return TolScale::largest; }
    QVariant minimumValue() const override { return 0.0; }
    QVariant minimumStepSize() const override { return TolScale::smallest; }

private:
    TolSlider* slider() const { return static_cast<TolSlider*>(widget()); }
};

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* slider = qobject_cast<TolSlider*>(object);
    return slider ? new AccessibleTolSlider(slider) : nullptr;
}

} // namespace

void installTolSliderAccessibility() {
    static const bool once = (QAccessible::installFactory(make), true);
    Q_UNUSED(once);
}

} // namespace divdet
