#pragma once
#include <filesystem>
#include <map>
#include <memory>

#include "dump/dump.h"
#include "dump/torch_object.h"

namespace divdet {

/// Windows on storages that are files of their own, each opened once.
class MinifierTaps {
public:
    /// `storages`: the folder of the storage files.
    MinifierTaps(std::filesystem::path shown, std::filesystem::path storages);

    /// `bytes`: what the text promises; nullopt: nothing. `hash` must be one (isStorageHash) or empty: no
    /// values.
    void add(std::string name, TorchWindow window, const std::string& hash,
             std::optional<std::uint64_t> bytes);
    void addStorage(const std::string& hash);     ///< all of it, a vector of its own type named by its hash
    void addError(std::string name, Error error); ///< its path is filled in when empty
    void addValue(std::string name, std::string value);

    std::shared_ptr<const Dump> finish() &&;

private:
    std::optional<Error> problem(const TorchWindow& window, const std::shared_ptr<const Dump>& storage,
                                 std::optional<std::uint64_t> bytes) const;
    Result<std::shared_ptr<const Dump>> storage(const std::string& hash);

    std::filesystem::path m_storages;
    std::map<std::string, Result<std::shared_ptr<const Dump>>> m_open;
    std::map<std::string, std::size_t> m_seen; ///< windows, to find those that are the same
    Manifest m_manifest;
    std::vector<std::shared_ptr<const Dump>> m_dumps; ///< one per tap, null with an error
    std::vector<TorchWindow> m_windows;               ///< one per tap
};

} // namespace divdet
