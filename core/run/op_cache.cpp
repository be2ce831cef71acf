#include "run/op_cache.h"

namespace divdet::run {

std::optional<Tensor> OpCache::find(const Key& key) {
    const std::lock_guard lock(m_mutex);
    const auto it = m_index.find(key);
    if (it == m_index.end()) {
        ++m_counters.misses;
        return std::nullopt;
    }
    ++m_counters.hits;
    m_entries.splice(m_entries.begin(), m_entries, it->second);
    return it->second->tensor;
}

void OpCache::store(const Key& key, Tensor tensor) {
    const auto bytes = static_cast<std::size_t>(tensor.elements()) * itemSize(tensor.dtype());
    const std::lock_guard lock(m_mutex);
    if (bytes > m_maxBytes || m_index.count(key)) return;
    m_entries.push_front({key, std::move(tensor), bytes});
    m_index[key] = m_entries.begin();
    m_counters.bytes += bytes;
    while (m_counters.bytes > m_maxBytes) {
        m_counters.bytes -= m_entries.back().bytes;
        m_index.erase(m_entries.back().key);
        m_entries.pop_back();
        ++m_counters.evictions;
    }
}

void OpCache::clear() {
    const std::lock_guard lock(m_mutex);
    m_entries.clear();
    m_index.clear();
    m_counters = {};
}

OpCache::Counters OpCache::counters() const {
    const std::lock_guard lock(m_mutex);
    Counters c = m_counters;
    c.entries = m_entries.size();
    return c;
}

} // namespace divdet::run
