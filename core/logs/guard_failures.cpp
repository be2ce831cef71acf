#include "logs/guard_failures.h"

#include <algorithm>

namespace divdet {
namespace {

constexpr std::size_t kMostEntries = 20'000;
constexpr std::size_t kMostCauses = 8; ///< of one guard: a size, a dtype and so on of one tensor

} // namespace

void GuardFailures::saw(const std::string& graph, const std::string& guard, const std::string& cause) {
    if (guard.empty()) return;
    const bool full = m_entries >= kMostEntries;
    const auto of = full ? m_failures.find(graph) : m_failures.try_emplace(graph).first;
    if (of == m_failures.end()) return;
    auto& guards = of->second;
    auto at = guards.find(guard);
    if (at == guards.end()) {
        if (full) return;
        ++m_entries;
        at = guards.try_emplace(guard).first;
    }
    Failure& failure = at->second;
    ++failure.count;
    const auto known = std::find_if(failure.causes.begin(), failure.causes.end(),
                                    [&](const auto& c) { return c.first == cause; });
    if (known != failure.causes.end())
        ++known->second;
    else if (failure.causes.size() < kMostCauses)
        failure.causes.emplace_back(cause, 1);
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

std::vector<std::string> GuardFailures::fixesOf(const Failure& failure) const {
    std::vector<std::pair<std::int64_t, std::string>> byCount;
    for (const auto& [cause, count] : failure.causes)
        if (const auto fix = m_fixes.find(cause); fix != m_fixes.end())
            byCount.emplace_back(-count, fix->second);
    std::sort(byCount.begin(), byCount.end());
    std::vector<std::string> out;
    for (auto& [count, fix] : byCount) out.push_back(std::move(fix));
    return out;
}

bool GuardFailures::mark(GuardTree& tree, const std::string& graph, const std::string& function) const {
    if (!m_failures.contains(graph) && !m_failures.contains(function)) return false;
    bool shared = false;
    for (Guard& guard : tree.guards) {
        for (const std::string& identity : guardIdentities(guard))
            for (const std::string* of : {&graph, &function})
                if (const Failure* failure = find(*of, identity)) {
                    guard.failures += failure->count;
                    shared = shared || of == &function;
                    for (std::string& fix : fixesOf(*failure))
                        if (std::find(guard.fixes.begin(), guard.fixes.end(), fix) == guard.fixes.end())
                            guard.fixes.push_back(std::move(fix));
                }
    }
    return shared;
}

} // namespace divdet
