#pragma once
#include <cassert>
#include <utility>
#include <variant>

#include "base/error.h"

namespace divdet {

/// A value or an Error. `if (!r) return r.error();` passes an error on; a Result<T> converts from both.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Precondition of value(), * and ->: ok().
    T& value() & { return assert(ok()), *std::get_if<0>(&m_state); }
    const T& value() const& { return assert(ok()), *std::get_if<0>(&m_state); }
    T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    /// Precondition: !ok().
    const Error& error() const { return assert(!ok()), *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

struct Done {}; ///< the value of an operation that yields none

using Status = Result<Done>;

} // namespace divdet
