#pragma once
#include <memory>
#include <vector>

#include "dump/dump.h"

namespace divdet {

/// Where a tap of a dump made of dumps comes from; `dump` is null when its file could not be opened.
struct DumpPart {
    std::shared_ptr<const Dump> dump;
    std::size_t tap = 0;
};

/// Taps of several dumps under one manifest, parallel to `parts`.
class JoinedDump final : public Dump {
public:
    JoinedDump(Manifest manifest, std::vector<DumpPart> parts)
        : Dump(std::move(manifest))
        , m_parts(std::move(parts)) {}

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        return storedOf(*m_parts[index].dump, m_parts[index].tap, field);
    }
    std::vector<DumpPart> m_parts;
};

} // namespace divdet
