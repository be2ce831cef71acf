#include "session/determinism/run_spread.h"

#include <algorithm>
#include <chrono>

#include "dump/open.h"

namespace divdet {
namespace {

using Dumps = std::vector<std::shared_ptr<const Dump>>;

/// For each tap of the first run, its place in each run; none where a run lacks it.
using Places = std::vector<std::vector<std::optional<std::size_t>>>;

Status pairRuns(const Dumps& dumps, const PairingOptions& options, std::vector<std::size_t>& order,
                Places& places, RunSpread& out) {
    places.assign(dumps[0]->taps().size(), std::vector<std::optional<std::size_t>>(dumps.size()));
    out.missing.resize(dumps.size());
    std::vector<bool> selected(dumps[0]->taps().size(), false);
    for (std::size_t run = 1; run < dumps.size(); ++run) {
        const auto pairing = pairTaps(*dumps[0], *dumps[run], options);
        if (!pairing) return pairing.error();
        const auto select = [&](std::size_t tap) {
            if (!selected[tap]) order.push_back(tap);
            selected[tap] = true;
            places[tap][0] = tap;
        };
        for (const Pair& p : pairing->pairs) {
            select(p.reference);
            places[p.reference][run] = p.candidate;
        }
        for (const auto tap : pairing->onlyReference) {
            select(tap);
            out.missing[run].push_back('-' + dumps[0]->taps()[tap].name);
        }
        for (const auto tap : pairing->onlyCandidate)
            out.missing[run].push_back('+' + dumps[run]->taps()[tap].name);
    }
    return Done{};
}

Result<TapSpread> spreadOfTap(const Dumps& dumps, const std::vector<std::optional<std::size_t>>& place,
                              const LoadOptions& load) {
    std::vector<Tensor> runs;
    for (std::size_t run = 0; run < dumps.size(); ++run) {
        const TapEntry& entry = dumps[run]->taps()[*place[run]];
        if (entry.error) return *entry.error;
        LoadOptions options = load;
        // Only bits are compared, so data of no known type will do as bytes.
        if (entry.dtype == DType::opaque && !options.opaqueAs) options.opaqueAs = DType::opaque;
        auto tensor = dumps[run]->load(*place[run], options);
        if (!tensor) return tensor.error();
        runs.push_back(std::move(*tensor));
    }
    auto spread = spreadOf(runs);
    for (std::size_t run = 0; run < dumps.size(); ++run)
        if (auto damage = dumps[run]->damage(*place[run])) return *damage;
    return spread;
}

void count(const TapOfRuns& tap, std::size_t index, RunSpread& out) {
    if (!tap.spread) {
        ++out.notCompared;
    } else if (tap.spread->bitEqual()) {
        ++out.equal;
    } else {
        ++out.varying;
        if (!out.firstVarying) out.firstVarying = index;
    }
}

} // namespace

bool RunSpread::whole() const {
    return notCompared == 0 && equal + varying > 0 &&
           std::all_of(missing.begin(), missing.end(), [](const auto& m) { return m.empty(); });
}

Result<RunSpread> spreadOfRuns(const RunSpreadRequest& request, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    if (request.runs.size() < 2)
        return Error{ErrorCode::usage, "one run says nothing of the next", "",
                     "give the dumps of two runs or more"};
    Dumps dumps;
    for (const auto& path : request.runs) {
        auto dump = openDump(path);
        if (!dump) return dump.error();
        dumps.push_back(std::move(*dump));
    }
    RunSpread out;
    out.runs = request.runs;
    std::vector<std::size_t> order;
    Places places;
    if (auto s = pairRuns(dumps, request.pairing, order, places, out); !s) return s.error();
    for (const std::size_t tap : order) {
        if (progress.cancelled())
            return Error{ErrorCode::cancelled, "comparing the runs was stopped", "", ""};
        const TapEntry& entry = dumps[0]->taps()[tap];
        progress(out.taps.size(), order.size(), entry.name);
        TapOfRuns t{entry.name, entry.dtype, entry.shape, std::nullopt, std::nullopt};
        const auto& place = places[tap];
        if (std::all_of(place.begin(), place.end(), [](const auto& p) { return p.has_value(); })) {
            auto spread = spreadOfTap(dumps, place, request.load);
            if (spread)
                t.spread = *spread;
            else
                t.error = spread.error();
        }
        count(t, out.taps.size(), out);
        out.taps.push_back(std::move(t));
    }
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

} // namespace divdet
