#include "logs/guard_failures.h"

namespace divdet {
namespace {

constexpr std::size_t kMostEntries = 20'000;

} // namespace

void GuardFailures::saw(const std::string& graph, std::string_view guard, const std::string& cause) {
    if (guard.empty()) return;
    auto known = m_failures.find(graph);
    if (known == m_failures.end()) {
        if (m_entries >= kMostEntries) return;
        known = m_failures.try_emplace(graph).first;
    }
    auto at = known->second.find(guard);
    if (at == known->second.end()) {
        if (m_entries >= kMostEntries) return;
        ++m_entries;
        at = known->second.try_emplace(std::string(guard)).first;
    }
    ++at->second.count;
    at->second.cause = cause;
}

void GuardFailures::sawFix(const std::string& cause, std::string fixText) {
    m_fixes[cause] = std::move(fixText);
}

const GuardFailures::Failure* GuardFailures::find(const std::string& graph, const std::string& guard) const {
    const auto of = m_failures.find(graph);
    if (of == m_failures.end()) return nullptr;
    const auto at = of->second.find(guard);
    return at == of->second.end() ? nullptr : &at->second;
}

void GuardFailures::mark(GuardTree& tree, const std::string& graph, const std::string& function) const {
    if (!m_failures.contains(graph) && !m_failures.contains(function)) return;
    for (Guard& guard : tree.guards) {
        const std::string identity = guardIdentity(guard);
        if (identity.empty()) continue;
        const Failure* own = find(graph, identity);
        const Failure* shared = find(function, identity);
        guard.failures = (own ? own->count : 0) + (shared ? shared->count : 0);
        const Failure* told = own ? own : shared;
        if (!told) continue;
        if (const auto fix = m_fixes.find(told->cause); fix != m_fixes.end()) guard.fixText = fix->second;
    }
}

} // namespace divdet
