#pragma once
#include <type_traits>

namespace divdet {

namespace detail {
bool runGuarded(void (*run)(void*), void* context);
}

/// Runs f, which reads mapped memory; false when the file was cut short meanwhile and a page is gone
/// (SIGBUS). f is left by a jump then: it must own nothing with a destructor, allocate nothing and take no
/// lock - a loop over raw pointers, not more. A SIGBUS outside a guard ends the program as ever. Any thread;
/// may nest.
template <class F>
[[nodiscard]] bool guardMappedRead(F&& f) {
    return detail::runGuarded([](void* context) { (*static_cast<std::remove_reference_t<F>*>(context))(); },
                              &f);
}

} // namespace divdet
