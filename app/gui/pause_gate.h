#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/progress.h"

namespace divdet {

/// Where work on another thread waits while the user has paused it. Any thread.
class PauseGate {
public:
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    void open() {
        {
            const std::lock_guard lock(m_mutex);
            m_closed = false;
        }
        m_opened.notify_all();
    }
    bool closed() const {
        const std::lock_guard lock(m_mutex);
        return m_closed;
    }
    /// Returns once the gate is open or the work is cancelled; a token wakes nobody, so it is looked at.
    void pass(const CancelToken& token) {
        std::unique_lock lock(m_mutex);
        while (m_closed && !token.cancelled()) m_opened.wait_for(lock, std::chrono::milliseconds(50));
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_opened;
    bool m_closed = false;
};

} // namespace divdet
