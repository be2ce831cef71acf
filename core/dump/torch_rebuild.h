#pragma once
#include <span>
#include <unordered_map>

#include "dump/torch_object.h"

namespace divdet {

/// Reads the recorded calls of torch's `_rebuild_*` functions as windows on storages.
class TorchRebuild {
public:
    TorchRebuild(const Pickle& pickle, TorchContents& out)
        : m_pickle(pickle)
        , m_out(out) {}

    /// A tap without a name; nullopt: this call makes no tensor.
    std::optional<TorchTap> tensorTap(std::uint32_t call);

    /// A storage saved by itself: a vector of its elements.
    TorchTap storageTap(std::uint32_t persistent);

private:
    using Items = std::span<const std::uint32_t>;

    Error bad(const PickleValue& at, std::string what) const;
    Result<TorchWindow> tensor(std::string_view function, Items arguments, const PickleValue& at, int depth);
    Result<TorchWindow> inner(std::uint32_t call, int depth);
    Result<TorchWindow> plain(Items arguments, const PickleValue& at);
    Result<TorchWindow> quantised(Items arguments, const PickleValue& at, int depth);
    std::string layoutName(Items arguments) const;
    Status readFlags(std::uint32_t flags, TorchWindow& window) const;
    Result<std::size_t> part(std::uint32_t call, int depth);
    Result<TorchWindow> storage(std::uint32_t persistent);
    std::optional<std::vector<std::int64_t>> numbers(std::uint32_t value) const;
    std::optional<std::uint64_t> count(std::uint32_t value) const;

    const Pickle& m_pickle;
    TorchContents& m_out;
    std::unordered_map<std::string, std::size_t> m_storages;
};

} // namespace divdet
