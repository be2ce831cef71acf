#include "judge/across_taps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "judge/pair_evidence.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr double kFarOff = 0.1;        ///< rms(c − r)/rms(r) above which a tap may be another one
constexpr std::size_t kSignature = 64; ///< elements that are compared first
constexpr double kMostOthers = 0.001;

bool farOff(const TapPair& p) {
    if (!p.summary || !p.pairClass || *p.pairClass < PairClass::unclear) return false;
    const Summary& s = *p.summary;
    return s.finite == s.elements && s.elements >= 8 && s.rms > kFarOff * s.rmsReference &&
           s.rmsCandidate > 0;
}

bool plain(DType t) {
    return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque;
}

std::vector<double> signature(const Tensor& t) {
    std::vector<double> out;
    const std::int64_t n = t.elements();
    const auto count = std::min<std::int64_t>(n, kSignature);
    for (std::int64_t i = 0; i < count; ++i) {
        double x = 0;
        loadAsDouble(t.view(), i * n / count, {&x, 1});
        out.push_back(x);
    }
    return out;
}

bool alike(const std::vector<double>& a, const std::vector<double>& b, double unit) {
    std::size_t others = 0;
    bool varies = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        others += !(std::fabs(a[i] - b[i]) <= 8 * unit * std::fabs(b[i]));
        varies = varies || b[i] != b[0];
    }
    return varies && others == 0;
}

/// Every element, within rounding.
bool sameTensor(const Tensor& a, const Tensor& b) {
    const Summary none;
    const PairEvidence pair{b.view(), a.view(), std::nullopt, none};
    const double unit = unitRoundoff(pair);
    std::int64_t others = 0;
    eachRun(pair, [&](std::int64_t, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i)
            others += !(std::fabs(c[i] - r[i]) <= 8 * unit * std::fabs(r[i]));
        return true;
    });
    return static_cast<double>(others) <= kMostOthers * static_cast<double>(b.elements());
}

/// First elements of every tap of the shapes in question.
struct Signatures {
    std::vector<double> reference, candidate;
};

void addStaleMatches(Comparison& c) {
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        if (farOff(c.pairs[i]) && plain(c.pairs[i].candidateDType) && plain(c.pairs[i].referenceDType))
            wrong.push_back(i);
    std::map<std::size_t, Signatures> known;
    const auto signatures = [&](std::size_t i) -> const Signatures* {
        if (const auto it = known.find(i); it != known.end()) return &it->second;
        if (!c.pairs[i].load) return nullptr;
        const auto data = c.pairs[i].load();
        if (!data) return nullptr;
        return &(known[i] = {signature(data->reference), signature(data->candidate)});
    };
    for (const std::size_t i : wrong) {
        TapPair& p = c.pairs[i];
        const Signatures* own = signatures(i);
        if (!own) continue;
        for (std::size_t j = 0; j < c.pairs.size(); ++j) {
            const TapPair& q = c.pairs[j];
            if (j == i || !q.summary || q.referenceShape != p.referenceShape || !plain(q.referenceDType))
                continue;
            const Signatures* other = signatures(j);
            const double unit = 0x1p-8; // a first look; the elements decide
            if (!other || own->candidate.size() != other->reference.size()) continue;
            if (!alike(own->candidate, other->reference, unit)) continue;
            const auto mine = p.load(), its = q.load();
            if (!mine || !its || !sameTensor(mine->candidate, its->reference)) continue;
            p.findings.insert(
                p.findings.begin(),
                {"stale-match",
                 FindingClass::bug,
                 fmt::format(
                     "The candidate's {} holds {} of the reference: its buffer was used again, or was never "
                     "written this time.",
                     p.candidateName, q.name),
                 {{"matches", q.name}}});
            p.pairClass = PairClass::bug;
            break;
        }
    }
}

bool hasRole(const std::vector<std::pair<std::string, std::vector<std::string>>>& roles,
             std::string_view role, const std::string& tap) {
    return std::any_of(roles.begin(), roles.end(), [&](const auto& r) {
        return r.first == role && std::find(r.second.begin(), r.second.end(), tap) != r.second.end();
    });
}

/// An input that differs by more than rounding: what was made from it cannot be judged.
void addDifferentInputs(Comparison& c,
                        const std::vector<std::pair<std::string, std::vector<std::string>>>& roles) {
    std::string first;
    for (auto& p : c.pairs) {
        if (!p.pairClass) continue;
        if (hasRole(roles, "input", p.name)) {
            if (*p.pairClass <= PairClass::drift) continue;
            p.findings.push_back(
                {"different-inputs",
                 FindingClass::note,
                 fmt::format("The input {} differs already: what was made from it cannot be judged.", p.name),
                 {{"input", p.name}}});
            if (first.empty()) first = p.name;
        } else if (!first.empty() && !hasRole(roles, "param", p.name) && *p.pairClass >= PairClass::unclear) {
            p.findings.push_back(
                {"different-inputs",
                 FindingClass::note,
                 fmt::format("The input {} differs already, so nothing can be said of {}.", first, p.name),
                 {{"input", first}}});
            p.pairClass = PairClass::inherited;
        }
    }
}

/// Where scores of generated text flip at a tie, the tokens chosen differ from that step on.
void addFlippedTokens(Comparison& c, const OperatorContext& op) {
    if (!op.tokenAxis) return;
    std::int64_t flip = -1;
    std::string scores;
    std::int64_t steps = 0;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings)
            if (f.id == "different-inputs")
                for (const auto& [key, value] : f.evidence)
                    if (key == "first_flip") {
                        flip = std::get<std::int64_t>(value);
                        scores = p.name;
                        steps = p.referenceShape[static_cast<std::size_t>(*op.tokenAxis)];
                    }
    if (flip < 0) return;
    for (auto& p : c.pairs) {
        if (!p.summary || !p.pairClass || *p.pairClass < PairClass::unclear || !p.load) continue;
        if (kind(p.referenceDType) != DTypeKind::integer || kind(p.candidateDType) != DTypeKind::integer)
            continue;
        const auto axis = static_cast<std::size_t>(*op.tokenAxis);
        if (axis >= p.referenceShape.size() || p.referenceShape[axis] != steps) continue;
        const auto data = p.load();
        if (!data) continue;
        const PairEvidence pair{data->reference.view(), data->candidate.view(), std::nullopt, *p.summary};
        std::int64_t below = 1, first = steps;
        for (std::size_t a = axis + 1; a < p.referenceShape.size(); ++a) below *= p.referenceShape[a];
        eachRun(pair, [&](std::int64_t at, auto r, auto q) {
            for (std::size_t i = 0; i < r.size(); ++i)
                if (r[i] != q[i])
                    first = std::min(first, (at + static_cast<std::int64_t>(i)) / below % steps);
            return true;
        });
        if (first != flip) continue;
        p.findings.push_back(
            {"different-inputs",
             FindingClass::drift,
             fmt::format("The tokens differ from step {} on, where two scores of {} lie closer than "
                         "the noise; later steps read other tokens.",
                         flip, scores),
             {{"first_flip", flip}, {"scores", scores}}});
        p.pairClass = PairClass::drift;
    }
}

} // namespace

void judgeAcross(Comparison& c, const std::vector<std::pair<std::string, std::vector<std::string>>>& roles,
                 const OperatorContext& op) {
    addStaleMatches(c);
    addFlippedTokens(c, op);
    addDifferentInputs(c, roles);
}

} // namespace divdet
