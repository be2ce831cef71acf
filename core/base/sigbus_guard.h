#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

namespace divdet {

namespace detail {
bool runGuarded(void (*run)(void*), void* context);
}

/// Runs f, which reads mapped memory; false when the file was cut short meanwhile and a page is gone
/// (SIGBUS). f is left by a jump then: it must own nothing with a destructor, allocate nothing and take no
/// lock - a loop over raw pointers, not more. Outside a guard, memory under a MappedWatch reads as zeros and
/// any other SIGBUS ends the program as ever. Any thread; may nest.
template <class F>
[[nodiscard]] bool guardMappedRead(F&& f) {
    return detail::runGuarded([](void* context) { (*static_cast<std::remove_reference_t<F>*>(context))(); },
                              &f);
}

/// Mapped memory of a file that may be cut short. Where its pages are gone, reading outside a guard gives
/// zeros and marks the watch, so that code with destructors (parsers) survives and can ask afterwards.
class MappedWatch {
public:
    explicit MappedWatch(std::span<const std::byte> mapped);
    ~MappedWatch(); ///< to be called before the memory is unmapped
    MappedWatch(const MappedWatch&) = delete;
    MappedWatch& operator=(const MappedWatch&) = delete;

    bool damaged() const;

    struct Slot; ///< what the signal handler reads

private:
    Slot* m_slot;
};

} // namespace divdet
