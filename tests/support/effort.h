#pragma once

/// Instrumented code is ten times slower, and its question is another one: does any path touch what it must
/// not? So under a sanitizer long tests take fewer seeds and smaller shapes, of every kind that the ordinary
/// build takes.
namespace divdet::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How often, how many or how large. What is left must still reach every branch, tail and order.
template <class T>
constexpr T effort(T ordinary, T sanitized) {
    return kSanitized ? sanitized : ordinary;
}

} // namespace divdet::test
