#include "gui/settings_command.h"

namespace divdet {

SettingsCommand::SettingsCommand(const QString& text, Settings before, Settings after, int gesture,
                                 Apply apply)
    : QUndoCommand(text)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_gesture(gesture)
    , m_apply(std::move(apply)) {}

bool SettingsCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const SettingsCommand*>(other);
    if (next->m_gesture != m_gesture) return false;
    m_after = next->m_after;
    setObsolete(m_before == m_after);
    return true;
}

} // namespace divdet
