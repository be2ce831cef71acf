#pragma once
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "hunt/hunt.h"

namespace divdet::hunt::test {

/// Sets of items each of which is bad once all of it is on.
struct Culprits {
    std::vector<std::vector<std::size_t>> sets;
};
inline Culprits nobody() {
    return {};
}
inline Culprits one(std::size_t item) {
    return {{{item}}};
}
inline Culprits together(std::vector<std::size_t> items) {
    return {{std::move(items)}};
}
inline Culprits either(std::size_t a, std::size_t b) {
    return {{{a}, {b}}};
}

/// An oracle whose logic the test knows. It counts what it is asked.
class SimulatedOracle : public Oracle {
public:
    explicit SimulatedOracle(Culprits culprits, double failsWith = 1, std::uint64_t seed = 0)
        : m_culprits(std::move(culprits.sets))
        , m_failsWith(failsWith)
        , m_random(seed) {}

    Result<Outcome> ask(const ItemSet& on, std::uint64_t, const Progress& progress) override {
        ++runs;
        ++runsOf[on];
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        if (before) before(on);
        if (unresolved && unresolved(on)) return Outcome{Answer::unresolved, "", "cannot run"};
        if (!fails(on) || (m_failsWith < 1 && m_uniform(m_random) >= m_failsWith))
            return Outcome{Answer::good, "", "ended with 0"};
        return Outcome{Answer::bad, failure ? failure(on) : "exit 1", "ended with 1"};
    }
    bool varies() const override { return m_failsWith < 1 || sayVaries; }

    bool fails(const ItemSet& on) const {
        for (const auto& together : m_culprits) {
            bool all = true;
            for (const std::size_t i : together) all = all && on[i];
            if (all) return true;
        }
        return false;
    }

    std::function<void(const ItemSet&)> before;
    std::function<bool(const ItemSet&)> unresolved;
    std::function<std::string(const ItemSet&)> failure;
    bool sayVaries = false;
    std::uint64_t runs = 0;
    std::map<ItemSet, std::uint64_t> runsOf;

private:
    std::vector<std::vector<std::size_t>> m_culprits;
    double m_failsWith;
    std::mt19937_64 m_random;
    std::uniform_real_distribution<double> m_uniform{0, 1};
};

inline HuntOptions optionsFor(std::size_t items, Form form = Form::sets) {
    HuntOptions o;
    for (std::size_t i = 0; i < items; ++i) o.items.push_back("item" + std::to_string(i));
    o.form = form;
    return o;
}

inline std::uint64_t ceilLog2(std::size_t n) {
    std::uint64_t bits = 0;
    while ((std::size_t{1} << bits) < n) ++bits;
    return bits;
}

} // namespace divdet::hunt::test
