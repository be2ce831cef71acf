#include "session/test_tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_text.h"
#include "base/rounded_up.h"

namespace divdet {
namespace {

constexpr int kDigits = 2;

/// Tools round the difference and the bound to the tensors' own type; the rules here do not.
struct Room {
    double factor = 1; ///< on both tolerances
    double least = 0;  ///< a smaller atol would vanish in the type
    bool mixed = false;
};

Room roomOf(const Comparison& c) {
    Room out;
    for (const auto& p : c.pairs) {
        if (!p.judged) continue;
        out.mixed = out.mixed || p.referenceDType != p.candidateDType;
        for (DType t : {p.referenceDType, p.candidateDType}) {
            // Integers go through float32 in some tools.
            const int bits = fractionBits(t) > 0 ? fractionBits(t) : fractionBits(DType::f32);
            out.factor = std::max(out.factor, 1 + std::ldexp(4.0, -bits));
            if (t == DType::f16) out.least = std::max(out.least, 0x1p-24);
            if (t == DType::f8e4m3) out.least = std::max(out.least, 0x1p-9);
            if (t == DType::f8e5m2) out.least = std::max(out.least, 0x1p-16);
        }
    }
    return out;
}

double withRoom(double need, const Room& room, bool absolute) {
    if (need == 0) return 0;
    return roundedUp(std::max(need * room.factor, absolute ? room.least : 0.0), kDigits);
}

void addLines(TestTolerance& t, Rule rule, bool equalNan, bool mixed) {
    const std::string numbers = fmt::format("rtol={}, atol={}", toleranceText(t.rtol), toleranceText(t.atol));
    if (rule == Rule::either) {
        t.polygraphy = fmt::format("CompareFunc.simple(check_error_stat=\"elemwise\", {})", numbers);
        return;
    }
    t.numpy = fmt::format("numpy.testing.assert_allclose(candidate, reference, {})", numbers);
    t.torch = fmt::format("torch.testing.assert_close(candidate, reference, {}{}{})", numbers,
                          equalNan ? ", equal_nan=True" : "", mixed ? ", check_dtype=False" : "");
}

bool anyCompared(const Comparison& c) {
    return std::any_of(c.pairs.begin(), c.pairs.end(), [](const auto& p) { return p.judged && p.summary; });
}

} // namespace

std::vector<TestTolerance> testTolerances(const Comparison& c, Rule rule, bool equalNan) {
    std::vector<TestTolerance> out;
    const Tolerance none{rule, 0, 0, equalNan};
    const double linked = neededRtolLinked(c, none);
    if (!anyCompared(c) || std::isinf(linked)) return out;
    const Room room = roomOf(c);
    if (linked == 0) {
        out.push_back({"equal", 0, 0, {}, {}, {}});
    } else {
        out.push_back({"balanced",
                       withRoom(linked, room, false),
                       withRoom(linkedAtol(linked), room, true),
                       {},
                       {},
                       {}});
        const double atol = neededAtol(c, none), rtol = neededRtol(c, none);
        if (std::isfinite(atol)) out.push_back({"absolute only", 0, withRoom(atol, room, true), {}, {}, {}});
        if (std::isfinite(rtol)) out.push_back({"relative only", withRoom(rtol, room, false), 0, {}, {}, {}});
    }
    for (auto& t : out) addLines(t, rule, equalNan, room.mixed);
    return out;
}

} // namespace divdet
