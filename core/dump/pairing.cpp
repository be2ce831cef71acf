#include "dump/pairing.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "dump/glob.h"
#include "dump/name_noise.h"
#include "dump/text_encoding.h"

namespace divdet {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::vector<std::string> namesOf(const Dump& dump) {
    std::vector<std::string> names;
    for (const TapEntry& tap : dump.taps()) names.push_back(tap.name);
    return names;
}

Error unknownName(const std::string& name, const Dump& dump, const char* which) {
    const std::string near = nearestName(name, namesOf(dump));
    return Error{ErrorCode::usage, fmt::format("the {} has no tap {}", which, inQuotes(name)),
                 dump.path().string(),
                 near.empty() ? "divdet inspect lists its taps" : "did you mean " + inQuotes(near) + "?"};
}

class Pairer {
public:
    Pairer(const Dump& reference, const Dump& candidate)
        : m_reference(reference)
        , m_candidate(candidate)
        , m_ofReference(reference.taps().size(), kNone)
        , m_ofCandidate(candidate.taps().size(), kNone) {}

    Status byUser(const std::vector<std::pair<std::string, std::string>>& wanted) {
        for (const auto& [referenceName, candidateName] : wanted) {
            const auto r = m_reference.find(referenceName), c = m_candidate.find(candidateName);
            if (!r) return unknownName(referenceName, m_reference, "reference");
            if (!c) return unknownName(candidateName, m_candidate, "candidate");
            if (!free(*r, *c))
                return Error{ErrorCode::usage,
                             "a tap is paired twice: " + inQuotes(referenceName) + " = " +
                                 inQuotes(candidateName),
                             "", "give each tap one partner"};
            add(*r, *c, PairedBy::user, "as asked");
        }
        return Done{};
    }

    void single() {
        if (m_ofReference.size() != 1 || m_ofCandidate.size() != 1 || !free(0, 0)) return;
        add(0, 0, PairedBy::order, "the only tensor of each file");
    }

    /// Pairs by a key of the name that no other tap of the same dump shares.
    template <class Key>
    void byKey(PairedBy by, const std::string& note, Key&& key) {
        const auto index = [&](const Dump& dump) {
            std::unordered_map<std::string, std::size_t> at;
            for (std::size_t i = 0; i < dump.taps().size(); ++i) {
                const auto [slot, fresh] = at.try_emplace(key(dump.taps()[i].name), i);
                if (!fresh) slot->second = kNone;
            }
            return at;
        };
        const auto candidates = index(m_candidate);
        for (const auto& [name, r] : index(m_reference)) {
            const auto c = candidates.find(name);
            if (r != kNone && c != candidates.end() && c->second != kNone && free(r, c->second))
                add(r, c->second, by, note);
        }
    }

    void byOrder() {
        std::vector<std::size_t> left, right;
        for (std::size_t i = 0; i < m_ofReference.size(); ++i)
            if (m_ofReference[i] == kNone) left.push_back(i);
        for (std::size_t i = 0; i < m_ofCandidate.size(); ++i)
            if (m_ofCandidate[i] == kNone) right.push_back(i);
        const bool alike = std::equal(
            left.begin(), left.end(), right.begin(), right.end(), [&](std::size_t r, std::size_t c) {
                const TapEntry &a = m_reference.taps()[r], &b = m_candidate.taps()[c];
                return !a.error && !b.error && a.shape == b.shape;
            });
        if (!alike) return;
        for (std::size_t i = 0; i < left.size(); ++i)
            add(left[i], right[i], PairedBy::order, "same place and shape; the names differ");
    }

    Pairing result() {
        Pairing out;
        for (std::size_t r = 0; r < m_ofReference.size(); ++r) {
            if (m_ofReference[r] == kNone)
                out.onlyReference.push_back(r);
            else
                out.pairs.push_back(m_pairs[m_ofReference[r]]);
        }
        for (std::size_t c = 0; c < m_ofCandidate.size(); ++c)
            if (m_ofCandidate[c] == kNone) out.onlyCandidate.push_back(c);
        return out;
    }

private:
    bool free(std::size_t r, std::size_t c) const {
        return m_ofReference[r] == kNone && m_ofCandidate[c] == kNone;
    }
    void add(std::size_t r, std::size_t c, PairedBy by, std::string note) {
        m_ofReference[r] = m_ofCandidate[c] = m_pairs.size();
        m_pairs.push_back({r, c, by, std::move(note)});
    }

    const Dump &m_reference, &m_candidate;
    std::vector<std::size_t> m_ofReference, m_ofCandidate; ///< the pair of each tap
    std::vector<Pair> m_pairs;
};

bool anyMatches(const std::vector<std::string>& globs, std::string_view name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& g) { return globMatches(g, name); });
}

Status select(Pairing& p, const Dump& reference, const Dump& candidate, const PairingOptions& options) {
    const auto wanted = [&](std::string_view a, std::string_view b) {
        return (options.only.empty() || anyMatches(options.only, a) || anyMatches(options.only, b)) &&
               !anyMatches(options.skip, a) && !anyMatches(options.skip, b);
    };
    const auto lone = [&](const Dump& dump, std::vector<std::size_t>& list) {
        std::erase_if(list, [&](std::size_t i) {
            const std::string& name = dump.taps()[i].name;
            return !wanted(name, withoutNoise(name));
        });
    };
    std::erase_if(p.pairs, [&](const Pair& pair) {
        return !wanted(reference.taps()[pair.reference].name, candidate.taps()[pair.candidate].name);
    });
    lone(reference, p.onlyReference);
    lone(candidate, p.onlyCandidate);
    if (!options.only.empty() && p.pairs.empty() && p.onlyReference.empty() && p.onlyCandidate.empty()) {
        const std::string near = nearestName(options.only.front(), namesOf(reference));
        return Error{ErrorCode::usage, "no tap matches " + inQuotes(options.only.front()), "--only",
                     near.empty() ? "" : "did you mean " + inQuotes(near) + "?"};
    }
    return Done{};
}

Status applyOrder(Pairing& p, const Dump& reference, const Dump& candidate,
                  const std::vector<std::string>& order) {
    std::unordered_map<std::string_view, std::size_t> rank;
    for (const std::string& name : order) {
        if (!reference.find(name) && !candidate.find(name)) return unknownName(name, reference, "reference");
        rank.try_emplace(name, rank.size());
    }
    const auto rankOf = [&](const Pair& pair) {
        for (const std::string& name :
             {reference.taps()[pair.reference].name, candidate.taps()[pair.candidate].name})
            if (const auto at = rank.find(name); at != rank.end()) return at->second;
        return rank.size();
    };
    std::stable_sort(p.pairs.begin(), p.pairs.end(),
                     [&](const Pair& a, const Pair& b) { return rankOf(a) < rankOf(b); });
    return Done{};
}

} // namespace

Result<Pairing> pairTaps(const Dump& reference, const Dump& candidate, const PairingOptions& options) {
    Pairer pairer(reference, candidate);
    if (auto ok = pairer.byUser(options.explicitPairs); !ok) return ok.error();
    pairer.byKey(PairedBy::name, "", [](const std::string& n) { return n; });
    pairer.byKey(PairedBy::normalised, "same name without wrapper and exporter parts",
                 [](const std::string& n) { return withoutNoise(n); });
    pairer.byKey(PairedBy::normalised, "same name but for its case",
                 [](const std::string& n) { return foldCase(withoutNoise(n)); });
    pairer.single();
    pairer.byOrder();
    Pairing out = pairer.result();
    for (const Dump* d : {&reference, &candidate})
        if (const auto& s = d->manifest().shard)
            out.notes.push_back(
                fmt::format("{} is part {} of {}", d->path().filename().string(), s->index, s->count));
    if (auto ok = select(out, reference, candidate, options); !ok) return ok.error();
    if (auto ok = applyOrder(out, reference, candidate, options.order); !ok) return ok.error();
    return out;
}

} // namespace divdet
