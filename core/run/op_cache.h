#pragma once
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "run/key.h"
#include "tensor/tensor.h"

namespace divdet::run {

/// Tensors by provenance, so that a toggle recomputes only what it changes. Bounded in bytes; the tensor not
/// used for the longest time goes first. Safe to use from several threads.
class OpCache {
public:
    static constexpr std::size_t kDefaultBytes = std::size_t{512} << 20;

    explicit OpCache(std::size_t maxBytes = kDefaultBytes)
        : m_maxBytes(maxBytes) {}

    std::optional<Tensor> find(const Key& key); ///< counts as a hit or a miss
    /// Keeps a contiguous tensor; one that is larger than the whole cache is not kept.
    void store(const Key& key, Tensor tensor);
    void clear(); ///< entries and counters

    struct Counters {
        std::int64_t hits = 0, misses = 0, evictions = 0;
        std::size_t entries = 0, bytes = 0;
    };
    Counters counters() const;

private:
    struct Entry {
        Key key;
        Tensor tensor;
        std::size_t bytes;
    };

    mutable std::mutex m_mutex;
    std::size_t m_maxBytes;
    std::list<Entry> m_entries; ///< most recently used first
    std::unordered_map<Key, std::list<Entry>::iterator> m_index;
    Counters m_counters;
};

} // namespace divdet::run
