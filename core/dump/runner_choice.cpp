#include "dump/runner_choice.h"

#include <fmt/format.h>

#include "dump/text_encoding.h"

namespace divdet {
namespace {

class RunnerDump final : public Dump {
public:
    RunnerDump(Manifest manifest, std::shared_ptr<const Dump> all, std::size_t first)
        : Dump(std::move(manifest))
        , m_all(std::move(all))
        , m_first(first) {}

    std::optional<Error> damage(std::size_t index) const override { return m_all->damage(m_first + index); }

private:
    Result<Tensor> loadStored(std::size_t index, const std::string& field) const override {
        return storedOf(*m_all, m_first + index, field);
    }
    std::shared_ptr<const Dump> m_all;
    std::size_t m_first;
};

std::string names(const Dump& dump) {
    std::string out;
    for (const auto& r : dump.manifest().runners) out += (out.empty() ? "" : ", ") + inQuotes(r.name);
    return out;
}

} // namespace

Error severalRunners(const Dump& dump, const std::string& option) {
    return {ErrorCode::usage,
            fmt::format("the file holds {} runners: {}", dump.manifest().runners.size(), names(dump)),
            dump.path().string(), "name one with " + option};
}

Result<std::shared_ptr<const Dump>> withRunner(std::shared_ptr<const Dump> dump, const std::string& runner) {
    const auto& runners = dump->manifest().runners;
    const Manifest::Runner* found = nullptr;
    for (const bool whole : {true, false}) {
        std::size_t hits = 0;
        for (const auto& r : runners)
            if (whole ? r.name == runner : r.name.find(runner) != std::string::npos) {
                found = &r;
                ++hits;
            }
        if (hits == 1) break;
        if (hits > 1)
            return Error{ErrorCode::usage, inQuotes(runner) + " fits several runners", dump->path().string(),
                         "runners are " + names(*dump)};
        found = nullptr;
    }
    if (!found)
        return Error{ErrorCode::usage, "there is no runner " + inQuotes(runner), dump->path().string(),
                     runners.empty() ? "the file tells of no runners" : "runners are " + names(*dump)};
    if (runners.size() == 1) return dump;
    Manifest manifest = dump->manifest();
    const std::string prefix = found->name + "/";
    const std::size_t first = found->firstTap, count = found->taps;
    manifest.taps.assign(dump->taps().begin() + static_cast<std::ptrdiff_t>(first),
                         dump->taps().begin() + static_cast<std::ptrdiff_t>(first + count));
    for (TapEntry& tap : manifest.taps) tap.name.erase(0, prefix.size());
    for (Caution& c : manifest.cautions)
        if (c.tap.starts_with(prefix)) c.tap.erase(0, prefix.size());
    manifest.runners = {{found->name, 0, count}};
    return std::shared_ptr<const Dump>(
        std::make_shared<RunnerDump>(std::move(manifest), std::move(dump), first));
}

} // namespace divdet
