#include "session/side_tensors.h"

#include "dump/open.h"

namespace divdet {

Result<SideTensors> SideTensors::open(const std::filesystem::path& path) {
    SideTensors out;
    if (path.empty()) return out;
    auto dump = openDump(path);
    if (!dump) return dump.error();
    out.m_dump = *dump;
    return out;
}

Result<std::optional<Tensor>> SideTensors::find(std::string_view tap) const {
    if (!m_dump) return std::optional<Tensor>();
    const auto& taps = m_dump->taps();
    for (std::size_t i = 0; i < taps.size(); ++i) {
        if (taps.size() > 1 && taps[i].name != tap) continue;
        auto t = m_dump->load(i, {});
        if (!t) return t.error();
        return std::optional(*t);
    }
    return std::optional<Tensor>();
}

} // namespace divdet
