#pragma once
#include <csignal>

#include "base/progress.h"

namespace divdet::cli {

/// While it lives, SIGINT and SIGTERM cancel the work instead of ending the program, so that no command of
/// the user's outlives it.
class CancelOnSignal {
public:
    explicit CancelOnSignal(const CancelToken& token) {
        s_token = &token;
        struct sigaction cancel {};
        cancel.sa_handler = [](int) { s_token->cancel(); }; // a lock-free store
        sigaction(SIGINT, &cancel, &m_interrupt);
        sigaction(SIGTERM, &cancel, &m_terminate);
    }
    ~CancelOnSignal() {
        sigaction(SIGINT, &m_interrupt, nullptr);
        sigaction(SIGTERM, &m_terminate, nullptr);
    }
    CancelOnSignal(const CancelOnSignal&) = delete;
    CancelOnSignal& operator=(const CancelOnSignal&) = delete;

private:
    static inline const CancelToken* s_token = nullptr;
    struct sigaction m_interrupt {
    }, m_terminate{};
};

} // namespace divdet::cli
