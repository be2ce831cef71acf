#pragma once
class QWidget;

namespace divdet {

/// Non-modal: name, version, licence and what the program is built on.
void showAbout(QWidget* parent);

} // namespace divdet
