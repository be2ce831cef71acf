#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace divdet {

/// Set from any thread; work that holds it stops at its next block boundary with ErrorCode::cancelled.
class CancelToken {
public:
    void cancel() const { m_flag->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag = std::make_shared<std::atomic<bool>>(false);
};

/// How long work reports and is stopped. `report` may be empty; it is called from the working thread.
struct Progress {
    /// done and total count in the unit of the work (elements, taps, ops); `what` names the current item.
    std::function<void(std::uint64_t done, std::uint64_t total, std::string_view what)> report;
    CancelToken token;

    bool cancelled() const { return token.cancelled(); }
    void operator()(std::uint64_t done, std::uint64_t total, std::string_view what = {}) const {
        if (report) report(done, total, what);
    }
};

} // namespace divdet
