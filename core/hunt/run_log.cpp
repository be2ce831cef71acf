#include "hunt/run_log.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump/atomic_file.h"

namespace divdet::hunt {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr const char* kKind = "divdet hunt";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;
constexpr std::size_t kMostBits = std::size_t{1} << 33; ///< of the sets of all runs: 1 GiB

Error malformed(const StateFile& state, std::string what) {
    return {ErrorCode::malformed, std::move(what), state.path.string(),
            "remove the file and start the hunt anew"};
}

std::optional<Answer> parseAnswer(const std::string& text) {
    for (const Answer a : {Answer::good, Answer::bad, Answer::unresolved})
        if (text == toString(a)) return a;
    return std::nullopt;
}

/// The string member `key`; empty when it is missing or no string.
std::string textOf(const Json& object, const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

} // namespace

RunLog::RunLog(StateFile state, std::size_t items)
    : m_state(std::move(state))
    , m_items(items) {}

Result<RunLog> RunLog::open(const StateFile& state, std::size_t items) {
    RunLog log(state, items);
    if (state.path.empty()) return log;
    std::error_code ignored;
    const bool exists = std::filesystem::exists(state.path, ignored);
    if (exists && !state.resume)
        return Error{ErrorCode::usage, "the state file exists already", state.path.string(),
                     "add --resume to go on with that hunt, or remove the file"};
    if (!exists && state.resume)
        return Error{ErrorCode::usage, "there is no state file to go on with", state.path.string(),
                     "leave out --resume to start a hunt"};
    if (exists)
        if (auto s = log.read(); !s) return s.error();
    return log;
}

Status RunLog::read() {
    std::error_code failed;
    const auto size = std::filesystem::file_size(m_state.path, failed);
    if (failed)
        return Error{ErrorCode::io, "the state file is no regular file", m_state.path.string(),
                     "name a file in a folder of your own"};
    if (size > kMostBytes)
        return Error{ErrorCode::refused, fmt::format("the state file has {} bytes", size),
                     m_state.path.string(), fmt::format("at most {} are read", kMostBytes)};
    std::ifstream in(m_state.path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) return Error{ErrorCode::io, "the state file cannot be read", m_state.path.string(), ""};
    const Json file = Json::parse(bytes, nullptr, false);
    if (!file.is_object() || textOf(file, "kind") != kKind || file.value("version", Json()) != kVersion)
        return malformed(m_state, "this is no state file of a hunt");
    if (textOf(file, "fingerprint") != m_state.fingerprint || file.value("items", Json()) != m_items)
        return Error{ErrorCode::mismatch, "the state file belongs to another hunt", m_state.path.string(),
                     "give the same items, command and options, or another --state"};
    const auto runs = file.find("runs");
    if (runs == file.end() || !runs->is_array()) return malformed(m_state, "the runs are missing");
    if (m_items > 0 && runs->size() > kMostBits / m_items)
        return Error{ErrorCode::refused,
                     fmt::format("the state file has {} runs of {} items", runs->size(), m_items),
                     m_state.path.string(), "hunt in groups of items"};
    for (const Json& run : *runs) {
        const auto on = run.is_object() ? parseRanges(textOf(run, "on"), m_items) : std::nullopt;
        const auto answer = on ? parseAnswer(textOf(run, "answer")) : std::nullopt;
        if (!answer) return malformed(m_state, fmt::format("run {} is damaged", m_order.size() + 1));
        auto& of = m_bySet[*on];
        m_order.emplace_back(*on, of.size());
        of.push_back({*answer, textOf(run, "failure"), textOf(run, "text")});
    }
    m_resumed = m_order.size();
    m_killedBy = textOf(file, "running");
    if (m_killedBy.empty()) return Done{};
    const auto killer = parseRanges(m_killedBy, m_items);
    if (!killer) return malformed(m_state, "the set that was running is damaged");
    // Without an answer for these two there is no hunt: they are asked again.
    const std::size_t count = countOn(*killer);
    if (count == 0 || count == m_items) return Done{};
    return end(*killer, {Answer::unresolved, "", "the program ended during this run"});
}

Status RunLog::write() const {
    if (m_state.path.empty()) return Done{};
    Json runs = Json::array();
    for (const auto& [on, which] : m_order) {
        const Outcome& o = m_bySet.at(on)[which];
        runs.push_back(
            {{"on", rangesOf(on)}, {"answer", toString(o.answer)}, {"failure", o.failure}, {"text", o.text}});
    }
    const Json file = {{"kind", kKind},    {"version", kVersion},  {"fingerprint", m_state.fingerprint},
                       {"items", m_items}, {"running", m_running}, {"runs", runs}};
    AtomicFile out(m_state.path);
    Status s = out.open();
    // The text of a run may hold any bytes that a command wrote.
    if (s) s = out.write(std::string_view(file.dump(1, ' ', false, Json::error_handler_t::replace) + '\n'));
    if (s) s = out.commit();
    return s;
}

Status RunLog::begin(const ItemSet& on) {
    m_running = rangesOf(on);
    return write();
}

Status RunLog::end(const ItemSet& on, Outcome outcome) {
    auto& of = m_bySet[on];
    m_order.emplace_back(on, of.size());
    of.push_back(std::move(outcome));
    m_running.clear();
    return write();
}

Status RunLog::abandon() {
    m_running.clear();
    return write();
}

const std::vector<Outcome>& RunLog::of(const ItemSet& on) const {
    static const std::vector<Outcome> none;
    const auto it = m_bySet.find(on);
    return it == m_bySet.end() ? none : it->second;
}

} // namespace divdet::hunt
