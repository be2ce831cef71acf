#include "cuda/module/kept_values.h"

#include <algorithm>
#include <utility>

namespace divdet::cuda {
namespace {

bool same(const divdet_tensor_type& a, const divdet_tensor_type& b) {
    return a.dtype == b.dtype && a.rank == b.rank && std::equal(a.extent, a.extent + a.rank, b.extent);
}

} // namespace

std::shared_ptr<const DeviceValue> KeptValues::find(std::uint64_t key, const divdet_tensor_type& type) {
    const auto found = m_index.find(key);
    if (found == m_index.end() || !same(found->second->value->type, type)) return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, found->second);
    return found->second->value;
}

void KeptValues::keep(std::uint64_t key, std::shared_ptr<const DeviceValue> value) {
    if (const auto known = m_index.find(key); known != m_index.end()) drop(known->second);
    const std::size_t bytes = value->bytes.bytes();
    if (key == 0 || bytes > m_maxBytes) return;
    while (m_bytes > m_maxBytes - bytes) drop(std::prev(m_entries.end()));
    m_entries.push_front({key, std::move(value)});
    m_index[key] = m_entries.begin();
    m_bytes += bytes;
}

bool KeptValues::dropAll() {
    const bool any = !m_entries.empty();
    m_index.clear();
    m_entries.clear();
    m_bytes = 0;
    return any;
}

void KeptValues::drop(Entries::iterator entry) {
    m_bytes -= entry->value->bytes.bytes();
    m_index.erase(entry->key);
    m_entries.erase(entry);
}

} // namespace divdet::cuda
