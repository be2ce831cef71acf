#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

/// A third file beside reference and candidate that has a tensor for some taps: masks, or the reference in
/// double. With one tensor only, that one stands for every tap.
class SideTensors {
public:
    /// An empty path opens nothing. Errors: as of openDump().
    static Result<SideTensors> open(const std::filesystem::path& path);

    /// The tensor for a tap; none: the file has none. Errors: as of Dump::load().
    Result<std::optional<Tensor>> find(std::string_view tap) const;
    bool empty() const { return !m_dump; }

private:
    std::shared_ptr<const Dump> m_dump;
};

} // namespace divdet
