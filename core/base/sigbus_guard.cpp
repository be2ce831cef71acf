#include "base/sigbus_guard.h"

#include <csetjmp>
#include <csignal>

namespace divdet::detail {
namespace {

thread_local sigjmp_buf* t_landing = nullptr;
struct sigaction g_before;

void onBusError(int signal) {
    if (t_landing) siglongjmp(*t_landing, 1);
    sigaction(signal, &g_before, nullptr); // not ours: the access is repeated and meets the former handler
}

void install() {
    [[maybe_unused]] static const bool once = [] {
        struct sigaction action {};
        action.sa_handler = onBusError;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_NODEFER; // the jump leaves the signal mask as it is, so setting it costs nothing
        sigaction(SIGBUS, &action, &g_before);
        return true;
    }();
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

} // namespace divdet::detail
