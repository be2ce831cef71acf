#include "session/session.h"

namespace divdet {

Session::Session(std::shared_ptr<const run::BackendRegistry> backends)
    : m_backends(std::move(backends)) {}

} // namespace divdet
