#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace divdet::fuzz {

using Input = std::span<const std::byte>;

/// One subject under fuzzing. The body takes any bytes; it ends normally or finds a fault, by `require` or by
/// a sanitizer. Seeds are inputs that reach the interesting parts, made by our own writers.
struct Target {
    std::string_view name;
    void (*run)(Input input);
    std::vector<std::string> (*seeds)();
};

/// Names the target in a test's name.
inline void PrintTo(const Target& target, std::ostream* out) {
    *out << target.name;
}

/// All targets linked into this program, in no particular order.
inline std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

/// An invariant of the code under test; an exception, so that libFuzzer and a test both can report it.
inline void require(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error("broken invariant: " + what);
}

inline Input asInput(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view asText(Input input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

/// Takes an input apart into choices; past its end everything is zero or empty.
class Choices {
public:
    explicit Choices(Input input)
        : m_rest(input) {}

    std::uint64_t number(std::size_t bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value = value << 8 | (m_rest.empty() ? 0u : std::to_integer<unsigned>(takeOne()));
        return value;
    }
    std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
    bool empty() const { return m_rest.empty(); }
    Input take(std::size_t most) {
        const Input taken = m_rest.first(std::min(most, m_rest.size()));
        m_rest = m_rest.subspan(taken.size());
        return taken;
    }
    std::string text(std::size_t most) { return std::string(asText(take(most))); }
    /// Up to the next `end` byte, which is dropped.
    std::string line(char end = '\n') {
        const std::string_view all = asText(m_rest);
        const std::size_t at = std::min(all.find(end), all.size());
        std::string out(all.substr(0, at));
        take(at + 1);
        return out;
    }
    Input rest() { return take(m_rest.size()); }

private:
    std::byte takeOne() {
        const std::byte b = m_rest.front();
        m_rest = m_rest.subspan(1);
        return b;
    }
    Input m_rest;
};

} // namespace divdet::fuzz

/// Once per target file, outside every namespace: puts the target into the list of the program it is linked
/// into - a fuzzer (libfuzzer_main.cpp) or the tests.
#define DIVDET_FUZZ_TARGET(name, run, seeds)                                                                 \
    namespace {                                                                                              \
    [[maybe_unused]] const bool g_registered =                                                               \
        (divdet::fuzz::targets().push_back({#name, run, seeds}), true);                                      \
    }
