#pragma once
#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/taps/judge_taps.h"
#include "session/tap_pairs.h"
#include "tensor/convert.h"

namespace divdet {

inline void PrintTo(PairClass c, std::ostream* out) { // as GoogleTest looks for it
    *out << toString(c);
}

} // namespace divdet

namespace divdet::test {

/// Tap pairs made one by one, scanned and judged each by itself, as a comparison of two dumps has them.
class TapList {
public:
    TapList& add(const std::string& name, const Tensor& reference, const Tensor& candidate,
                 std::optional<Tensor> mask = {}) {
        m_taps.emplace_back(name, PairData{reference, candidate, std::move(mask), {}});
        return *this;
    }
    /// The values in a dtype, on both sides.
    TapList& add(const std::string& name, const Shape& shape, const std::vector<double>& reference,
                 const std::vector<double>& candidate, DType dtype = DType::f32) {
        return add(name, *converted(tensorOf<double>(DType::f64, shape, reference), dtype),
                   *converted(tensorOf<double>(DType::f64, shape, candidate), dtype));
    }

    Comparison pairs(std::string_view declare = {}) const {
        JudgeContext context;
        context.declared = *Declared::parse(declare);
        Comparison out;
        for (const auto& [name, data] : m_taps) {
            TapPair pair;
            pair.name = pair.candidateName = name;
            comparePair(pair, data, Tolerance{}, false, {}, &context);
            pair.load = [data]() -> Result<PairData> { return data; };
            out.pairs.push_back(std::move(pair));
        }
        return out;
    }
    TapFacts facts(std::size_t i) const { return gatherFacts(pairs().pairs[i], m_taps[i].second); }
    Comparison judged(std::string_view declare = {}, std::string_view declareReference = {}) const {
        Comparison out = pairs(declare);
        TapContext context;
        context.candidate = *Declared::parse(declare);
        context.reference = *Declared::parse(declareReference);
        judgeTogether(out, context, {});
        return out;
    }

private:
    std::vector<std::pair<std::string, PairData>> m_taps;
};

inline std::string firstBad(const Comparison& c) {
    return c.firstBad ? c.pairs[*c.firstBad].name : std::string();
}

inline const TapPair& pairNamed(const Comparison& c, std::string_view name) {
    return *std::find_if(c.pairs.begin(), c.pairs.end(), [&](const TapPair& p) { return p.name == name; });
}

/// Ids of the findings that say so, of one tap.
inline std::vector<std::string> idsOf(const TapPair& pair, FindingClass kind) {
    std::vector<std::string> out;
    for (const auto& f : pair.findings)
        if (f.kind == kind) out.push_back(f.id);
    return out;
}

inline bool hasFinding(const TapPair& pair, std::string_view id) {
    return std::any_of(pair.findings.begin(), pair.findings.end(),
                       [&](const Finding& f) { return f.id == id; });
}

} // namespace divdet::test
