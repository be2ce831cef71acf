#include "base/sigbus_guard.h"

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace divdet {

/// Slots are never freed, only used again: the handler walks the list without a lock. begin 0: unused.
struct MappedWatch::Slot {
    std::atomic<std::uintptr_t> begin = 0, end = 0;
    std::atomic<bool> taken = true, damaged = false;
    Slot* next = nullptr;
};

namespace detail {
namespace {

thread_local sigjmp_buf* t_landing = nullptr;
struct sigaction g_before;
std::atomic<MappedWatch::Slot*> g_slots = nullptr;

/// The watched range that `address` lies in, marked as damaged; null when there is none.
MappedWatch::Slot* damagedAt(std::uintptr_t address) {
    for (auto* slot = g_slots.load(std::memory_order_acquire); slot; slot = slot->next) {
        const std::uintptr_t begin = slot->begin, end = slot->end;
        if (begin == 0 || address < begin || address >= end) continue;
        slot->damaged = true;
        return slot;
    }
    return nullptr;
}

/// Puts zeros from the page at `address` to the end of its range: what follows a missing page is missing too.
bool replacePages(const MappedWatch::Slot& slot, std::uintptr_t address) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = address / page * page;
    void* const at = reinterpret_cast<void*>(first);
    return ::mmap(at, slot.end - first, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at;
}

void onBusError(int signal, siginfo_t* info, void*) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const MappedWatch::Slot* const slot = damagedAt(address);
    if (t_landing) siglongjmp(*t_landing, 1);
    const int error = errno;
    const bool replaced = slot && replacePages(*slot, address);
    errno = error;
    if (!replaced)
        sigaction(signal, &g_before,
                  nullptr); // not ours: the access is repeated and meets the former handler
}

void install() {
    [[maybe_unused]] static const bool once = [] {
        struct sigaction action {};
        action.sa_sigaction = onBusError;
        // NODEFER: the jump leaves the signal mask as it is, so that a guard costs no system call.
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &g_before);
        return true;
    }();
}

MappedWatch::Slot* takeSlot() {
    for (auto* slot = g_slots.load(std::memory_order_acquire); slot; slot = slot->next)
        if (!slot->taken.exchange(true)) return slot;
    auto* const fresh = new MappedWatch::Slot;
    fresh->next = g_slots.load(std::memory_order_relaxed);
    while (!g_slots.compare_exchange_weak(fresh->next, fresh, std::memory_order_release)) {
    }
    return fresh;
}

} // namespace

bool runGuarded(void (*run)(void*), void* context) {
    install();
    sigjmp_buf landing;
    sigjmp_buf* const outer = t_landing;
    if (sigsetjmp(landing, 0) != 0) {
        t_landing = outer;
        return false;
    }
    t_landing = &landing;
    run(context);
    t_landing = outer;
    return true;
}

} // namespace detail

MappedWatch::MappedWatch(std::span<const std::byte> mapped)
    : m_slot(detail::takeSlot()) {
    detail::install();
    const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data());
    m_slot->damaged = false;
    m_slot->end = begin + mapped.size();
    m_slot->begin = begin; // last: the slot counts from here on
}

MappedWatch::~MappedWatch() {
    m_slot->begin = 0;
    m_slot->taken = false;
}

bool MappedWatch::damaged() const {
    return m_slot->damaged;
}

} // namespace divdet
