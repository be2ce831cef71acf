#include "dump/pickle_machine.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "dump/limits.h"
#include "dump/text_encoding.h"

namespace divdet {

Error refusedGlobal(std::string_view dotted) {
    return {ErrorCode::refused,
            fmt::format(
                "the pickle names the global {}, which is not on the list of harmless ones; nothing was run",
                inQuotes(dotted)),
            "", "save plain tensors: torch.save(module.state_dict(), …) or safetensors", std::nullopt};
}

std::optional<std::uint8_t> PickleMachine::next() {
    m_opcode = m_at;
    return number<std::uint8_t>();
}

Error PickleMachine::cut() const {
    return {ErrorCode::truncated, "the file ends inside a pickle", "", "copy or save the file again",
            m_bytes.size()};
}

Error PickleMachine::bad(std::string what) const {
    return {ErrorCode::malformed, std::move(what), "", "copy or save the file again", m_opcode};
}

Result<Pickle> PickleMachine::finish() && {
    if (m_stack.size() != 1 || !m_marks.empty())
        return bad(fmt::format("the pickle ends with {} values instead of one", m_stack.size()));
    m_out.top = m_stack.back();
    m_out.end = m_at;
    return std::move(m_out);
}

Status PickleMachine::protocol() {
    const auto version = number<std::uint8_t>();
    if (!version) return cut();
    if (*version < 2 || *version > 5)
        return Error{ErrorCode::unsupported, fmt::format("a pickle of protocol {}", *version), "",
                     "save with protocol 2, the standard of torch.save", m_opcode};
    return Done{};
}

Status PickleMachine::skip(std::uint64_t count) {
    const auto skipped = take(count);
    if (!skipped) return skipped.error();
    return Done{};
}

Status PickleMachine::mark() {
    if (m_marks.size() == limits::kPickleMarks)
        return Error{ErrorCode::refused,
                     fmt::format("a pickle with more than {} open groups", m_marks.size()), "",
                     "flatten the saved object", m_opcode};
    m_marks.push_back(m_stack.size());
    return Done{};
}

Status PickleMachine::push(PickleValue value) {
    if (m_out.values.size() == limits::kPickleNodes)
        return Error{ErrorCode::refused,
                     fmt::format("a pickle with more than {} values", limits::kPickleNodes), "",
                     "save the tensors in several files", m_opcode};
    value.offset = static_cast<std::uint32_t>(m_opcode);
    m_stack.push_back(static_cast<std::uint32_t>(m_out.values.size()));
    m_out.values.push_back(std::move(value));
    return Done{};
}

Status PickleMachine::pushInteger(Kind kind, std::int64_t value) {
    PickleValue v;
    v.kind = kind;
    v.integer = value;
    return push(std::move(v));
}

Status PickleMachine::pushReal() {
    const auto bits = number<std::uint64_t>();
    if (!bits) return cut();
    PickleValue v;
    v.kind = Kind::real;
    v.real = std::bit_cast<double>(__builtin_bswap64(*bits)); // the one big-endian number of the format
    return push(std::move(v));
}

Status PickleMachine::pushLongBytes(std::string_view bytes) {
    if (bytes.size() > limits::kPickleIntegerBytes)
        return Error{
            ErrorCode::refused,
            fmt::format("an integer of {} bytes, the limit is {}", bytes.size(), limits::kPickleIntegerBytes),
            "", "leave it out of the saved object", m_opcode};
    PickleValue v;
    v.kind = bytes.size() > 8 ? Kind::bigInteger : Kind::integer;
    v.text = bytes;
    std::uint64_t low = !bytes.empty() && (bytes.back() & 0x80) ? ~std::uint64_t{0} : 0;
    if (v.kind == Kind::integer)
        for (std::size_t i = bytes.size(); i-- > 0;) low = (low << 8) | static_cast<unsigned char>(bytes[i]);
    v.integer = static_cast<std::int64_t>(low);
    return push(std::move(v));
}

Status PickleMachine::pushGroup(Kind kind, std::size_t count) {
    if (!has(count)) return empty();
    PickleValue v;
    v.kind = kind;
    v.items.assign(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end());
    m_stack.resize(m_stack.size() - count);
    return push(std::move(v));
}

Status PickleMachine::pushMarkedTuple() {
    if (m_marks.empty()) return empty();
    const std::size_t count = m_stack.size() - m_marks.back();
    auto done = pushGroup(Kind::tuple, count);
    if (done) m_marks.pop_back();
    return done;
}

Status PickleMachine::add(Kind kind, std::size_t count) {
    if (!has(count + 1)) return empty();
    const auto first = m_stack.end() - static_cast<std::ptrdiff_t>(count);
    PickleValue& container = m_out.values[*(first - 1)];
    if (container.kind != kind) return bad("the pickle adds items to what is no container of that kind");
    container.items.insert(container.items.end(), first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    return Done{};
}

Status PickleMachine::addMarked(Kind kind) {
    if (m_marks.empty()) return empty();
    const std::size_t count = m_stack.size() - m_marks.back();
    if (kind == Kind::dict && count % 2) return bad("a dictionary of the pickle has a key without a value");
    m_marks.pop_back();
    return add(kind, count);
}

Status PickleMachine::remember(std::uint32_t index) {
    if (!has(1)) return empty();
    if (m_memo.size() >= limits::kPickleMemo)
        return Error{ErrorCode::refused,
                     fmt::format("a pickle that remembers more than {} values", limits::kPickleMemo), "",
                     "save the tensors in several files", m_opcode};
    m_memo[index] = m_stack.back();
    return Done{};
}

Status PickleMachine::recall(std::uint32_t index) {
    const auto at = m_memo.find(index);
    if (at == m_memo.end())
        return bad(fmt::format("the pickle recalls value {}, which it did not keep", index));
    m_stack.push_back(at->second);
    return Done{};
}

Result<std::string_view> PickleMachine::take(std::uint64_t length) {
    if (length > left()) return cut();
    const auto count = static_cast<std::size_t>(length);
    const std::string_view text(reinterpret_cast<const char*>(m_bytes.data()) + m_at, count);
    m_at += count;
    return text;
}

Result<std::string_view> PickleMachine::line() {
    const std::size_t most = std::min(left(), limits::kPickleNameBytes);
    const std::string_view text(reinterpret_cast<const char*>(m_bytes.data()) + m_at, most);
    const auto end = text.find('\n');
    if (end == std::string_view::npos)
        return most < left() ? bad("the name of a global of the pickle does not end") : cut();
    m_at += end + 1;
    return text.substr(0, end);
}

Status PickleMachine::global() {
    const auto module = line();
    if (!module) return module.error();
    const auto name = line();
    if (!name) return name.error();
    return pushNamed(*module, *name);
}

Status PickleMachine::stackGlobal() {
    if (!has(2)) return empty();
    const PickleValue &name = m_out.values[m_stack.back()],
                      &module = m_out.values[m_stack[m_stack.size() - 2]];
    if (name.kind != Kind::text || module.kind != Kind::text || name.text.size() > limits::kPickleNameBytes ||
        module.text.size() > limits::kPickleNameBytes)
        return bad("the name of a global of the pickle is no name");
    const std::string_view moduleText = module.text, nameText = name.text; // push may move the values
    m_stack.resize(m_stack.size() - 2);
    return pushNamed(moduleText, nameText);
}

Status PickleMachine::pushNamed(std::string_view module, std::string_view name) {
    std::string dotted = fmt::format("{}.{}", module, name);
    if (m_globals.judge(dotted) == PickleGlobal::refused) {
        Error refusal = m_globals.refusal ? m_globals.refusal(dotted) : refusedGlobal(dotted);
        refusal.offset = m_opcode;
        return refusal;
    }
    PickleValue v;
    v.kind = Kind::global;
    v.text = *m_out.names.insert(std::move(dotted)).first;
    return push(std::move(v));
}

Status PickleMachine::fillDict(std::uint32_t dict, const PickleValue& arguments) {
    if (arguments.items.empty()) return Done{};
    const PickleValue& pairs = m_out.values[arguments.items[0]];
    if (auto ok = countCopies(pairs.items.size()); !ok) return ok;
    const bool keyed = pairs.kind == Kind::dict;
    if (!keyed && pairs.kind != Kind::list && pairs.kind != Kind::tuple)
        return bad("a dictionary of the pickle is made of no pairs");
    std::vector<std::uint32_t> items;
    for (const std::uint32_t i : pairs.items) {
        if (keyed) {
            items.push_back(i);
            continue;
        }
        const PickleValue& pair = m_out.values[i];
        if ((pair.kind != Kind::list && pair.kind != Kind::tuple) || pair.items.size() != 2)
            return bad("a dictionary of the pickle is made of no pairs");
        items.insert(items.end(), pair.items.begin(), pair.items.end());
    }
    m_out.values[dict].items = std::move(items);
    return Done{};
}

Status PickleMachine::call() {
    if (!has(2)) return empty();
    const std::uint32_t callee = m_stack[m_stack.size() - 2], arguments = m_stack.back();
    if (m_out.values[callee].kind != Kind::global) return bad("the pickle calls what is no global");
    if (m_out.values[arguments].kind != Kind::tuple) return bad("the arguments of a call are no tuple");
    const PickleGlobal what = m_globals.judge(m_out.values[callee].text);
    if (what == PickleGlobal::inert) return pushGroup(Kind::call, 2);
    m_stack.resize(m_stack.size() - 2);
    if (auto done = pushGroup(what == PickleGlobal::set ? Kind::set : Kind::dict, 0); !done) return done;
    if (what == PickleGlobal::dict) return fillDict(m_stack.back(), m_out.values[arguments]);
    const PickleValue& given = m_out.values[arguments];
    if (given.items.empty()) return Done{};
    const PickleValue& list = m_out.values[given.items[0]];
    if (list.kind != Kind::list) return bad("a set of the pickle is made of no list");
    if (auto ok = countCopies(list.items.size()); !ok) return ok;
    m_out.values[m_stack.back()].items = list.items;
    return Done{};
}

/// A few bytes can copy a long list again and again.
Status PickleMachine::countCopies(std::size_t items) {
    m_copied += items;
    if (m_copied > limits::kPickleNodes)
        return Error{ErrorCode::refused,
                     fmt::format("a pickle that copies more than {} values", limits::kPickleNodes), "",
                     "save the tensors in several files", m_opcode};
    return Done{};
}

Status PickleMachine::build() {
    if (!has(2)) return empty();
    const std::uint32_t state = m_stack.back();
    m_stack.pop_back();
    PickleValue& target = m_out.values[m_stack.back()];
    if (target.kind == Kind::dict) return Done{}; // attributes beside the entries (_metadata of a state_dict)
    if (target.kind != Kind::call) return bad("the pickle gives a state to what has none");
    target.items.resize(2);
    target.items.push_back(state);
    return Done{};
}

} // namespace divdet
