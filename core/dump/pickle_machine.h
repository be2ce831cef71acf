#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dump/checked.h"
#include "dump/pickle_reader.h"

namespace divdet {

/// The stack, the memo and the values of one pickle being read. Each member is one opcode or a part of one;
/// work and memory grow with the bytes read, never with a number the file claims.
class PickleMachine {
public:
    using Kind = PickleValue::Kind;

    PickleMachine(std::span<const std::byte> bytes, std::size_t start, PickleGlobals globals)
        : m_bytes(bytes)
        , m_at(start)
        , m_globals(globals) {}

    std::optional<std::uint8_t> next(); ///< the next opcode; nullopt at the end of the bytes
    std::uint64_t opcodeAt() const { return m_opcode; }
    Error cut() const;
    Error bad(std::string what) const;
    Result<Pickle> finish() &&;

    Status protocol();
    Status skip(std::uint64_t count);
    Status mark();
    Status push(PickleValue value);
    Status pushInteger(Kind kind, std::int64_t value);
    Status pushReal();
    Status pushGroup(Kind kind, std::size_t count); ///< of the topmost values
    Status pushMarkedTuple();
    Status add(Kind kind, std::size_t count); ///< the topmost values to the container below them
    Status addMarked(Kind kind);
    Status memoize() { return remember(static_cast<std::uint32_t>(m_memo.size())); }
    Status global();
    Status stackGlobal();
    Status call();
    Status build();

    template <class T>
    Status pushNumber() {
        const auto v = number<T>();
        if (!v) return cut();
        return pushInteger(Kind::integer, static_cast<std::int64_t>(static_cast<T>(*v)));
    }

    template <class Length>
    Status pushText(Kind kind) {
        const auto text = counted<Length>();
        if (!text) return text.error();
        PickleValue v;
        v.kind = kind;
        v.text = *text;
        return push(std::move(v));
    }

    template <class Length>
    Status pushLong() {
        const auto text = counted<Length>();
        if (!text) return text.error();
        return pushLongBytes(*text);
    }

    template <class T>
    Status put() {
        const auto v = number<T>();
        if (!v) return cut();
        return remember(*v);
    }

    template <class T>
    Status get() {
        const auto v = number<T>();
        if (!v) return cut();
        return recall(*v);
    }

private:
    std::size_t left() const { return m_bytes.size() - m_at; }

    template <class T>
    std::optional<std::make_unsigned_t<T>> number() {
        using U = std::make_unsigned_t<T>;
        if (left() < sizeof(T)) return std::nullopt;
        const U v = littleAt<U>(m_bytes.data() + m_at);
        m_at += sizeof(T);
        return v;
    }

    template <class Length>
    Result<std::string_view> counted() {
        const auto length = number<Length>();
        if (!length) return cut();
        return take(*length);
    }

    Result<std::string_view> take(std::uint64_t length);
    Result<std::string_view> line();
    Status pushLongBytes(std::string_view bytes);
    Status pushNamed(std::string_view module, std::string_view name);
    Status remember(std::uint32_t index);
    Status recall(std::uint32_t index);
    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    bool has(std::size_t count) const { return m_stack.size() - floor() >= count; }
    Error empty() const { return bad("an opcode of the pickle finds too little on the stack"); }
    Status fillDict(std::uint32_t dict, const PickleValue& arguments);
    Status countCopies(std::size_t items);

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0, m_opcode = 0, m_copied = 0;
    PickleGlobals m_globals;
    Pickle m_out;
    std::vector<std::uint32_t> m_stack;
    std::vector<std::size_t> m_marks; ///< heights of the stack
    std::unordered_map<std::uint32_t, std::uint32_t> m_memo;
};

} // namespace divdet
