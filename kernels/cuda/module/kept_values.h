#pragma once
#include <list>
#include <memory>
#include <unordered_map>

#include "cuda/module/op_call.h"

namespace divdet::cuda {

/// Values that stay on the device under the keys that the caller gave their bytes. Bounded; the one not used
/// for the longest time goes first. What a run still uses lives on in the run.
class KeptValues {
public:
    explicit KeptValues(std::size_t maxBytes)
        : m_maxBytes(maxBytes) {}

    /// nullptr where there is none of exactly this type. Key 0 is that of no value.
    std::shared_ptr<const DeviceValue> find(std::uint64_t key, const divdet_tensor_type& type);
    /// In place of what had this key before. One that is larger than the bound is not kept, nor is key 0.
    void keep(std::uint64_t key, std::shared_ptr<const DeviceValue> value);
    bool dropAll(); ///< false when there was nothing to drop

    std::size_t bytes() const { return m_bytes; }

private:
    struct Entry {
        std::uint64_t key;
        std::shared_ptr<const DeviceValue> value;
    };
    using Entries = std::list<Entry>;
    void drop(Entries::iterator entry);

    std::size_t m_maxBytes, m_bytes = 0;
    Entries m_entries; ///< most recently used first
    std::unordered_map<std::uint64_t, Entries::iterator> m_index;
};

} // namespace divdet::cuda
