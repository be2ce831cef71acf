#include "session/determinism/repeated_runs.h"

#include <chrono>

#include "determinism/running_spread.h"

namespace divdet {
namespace {

/// The spreads of all taps that ops wrote.
class Collected {
public:
    Status add(const run::Taps& taps) {
        std::size_t at = 0;
        for (const run::Tap& tap : taps.taps) {
            if (tap.kind == "input") continue;
            if (m_first) m_entries.push_back({tap.name, {}, {}});
            if (at >= m_entries.size() || m_entries[at].name != tap.name) return otherTaps(tap.name);
            if (auto s = m_entries[at].spread.add(tap.tensor); !s) {
                Error e = s.error();
                e.path = tap.name;
                return e;
            }
            m_entries[at++].tensor = tap.tensor;
        }
        m_first = false;
        return at == m_entries.size() ? Status(Done{}) : otherTaps(m_entries[at].name);
    }

    bool differs() const {
        for (const auto& e : m_entries)
            if (e.spread.varies()) return true;
        return false;
    }

    void write(RepeatedRuns& out) const {
        for (const auto& e : m_entries) {
            TapOfRuns t{e.name, e.tensor.dtype(), e.tensor.shape(), std::nullopt, e.spread.spread()};
            ++(t.spread->bitEqual() ? out.equal : out.varying);
            if (!t.spread->bitEqual() && !out.firstVarying) out.firstVarying = out.taps.size();
            out.taps.push_back(std::move(t));
        }
    }

private:
    static Error otherTaps(const std::string& name) {
        return {ErrorCode::mismatch, "the runs have other taps", name, "run them with the same passes"};
    }

    struct Entry {
        std::string name;
        RunningSpread spread;
        Tensor tensor; ///< of the newest run, for its type and shape
    };
    bool m_first = true;
    std::vector<Entry> m_entries;
};

} // namespace

Result<RepeatedRuns> repeatRuns(std::int64_t runs, const std::function<Result<run::Taps>(std::int64_t)>& one,
                                std::string_view what, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    RepeatedRuns out;
    Collected collected;
    for (std::int64_t i = 0; i < runs; ++i) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the runs were stopped", "", ""};
        progress(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(runs), what);
        const auto taps = one(i);
        if (!taps) return taps.error();
        if (auto s = collected.add(*taps); !s) return s.error();
        if (!out.firstRun && collected.differs()) out.firstRun = i;
        ++out.runs;
    }
    collected.write(out);
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

} // namespace divdet
