#pragma once
#include <QUndoCommand>
#include <functional>

#include "gui/settings.h"

namespace divdet {

/// One step of the settings. Steps of the same gesture (a slider held, a handle dragged) are one step.
class SettingsCommand : public QUndoCommand {
public:
    using Apply = std::function<void(const Settings&)>;
    /// `gesture` 0: never merged.
    SettingsCommand(const QString& text, Settings before, Settings after, int gesture, Apply apply);

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    Settings m_before, m_after;
    int m_gesture;
    Apply m_apply;
};

} // namespace divdet
