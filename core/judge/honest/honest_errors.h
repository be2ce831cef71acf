#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compare/tolerance.h"
#include "tensor/dtype.h"

namespace divdet::honest {

/// What theory expects of one element of an honest run: the sum before its last rounding is
/// reference + shift + sigma·z, never farther than `reach` from the reference.
struct ExpectedElement {
    double reference, shift, sigma;
    double reach; ///< infinite where no hard bound is known
};

/// How often an honest run fails a tolerance (rule allclose), from the expected elements of a few draws of
/// the data. The last rounding is a step on the lattice of the output dtype, not a Gaussian: where its steps
/// are coarser than sigma, an element fails because of where its sum lies between two neighbours, so the rate
/// is the share of such places. Places within a cell of the lattice count as equally likely, and magnitudes
/// as evenly spread over a sixteenth of a binade; elements as independent.
class HonestErrors {
public:
    explicit HonestErrors(DType output)
        : m_output(output) {}

    /// The elements of one draw.
    void add(std::span<const ExpectedElement> draw);
    /// Groups what was added; call once, after the last add.
    void finish();

    DType output() const { return m_output; }
    std::int64_t draws() const { return m_draws; }
    double elementsPerRun() const {
        return m_draws ? static_cast<double>(m_elements) / static_cast<double>(m_draws) : 0;
    }
    double meanMagnitude() const { return m_elements ? m_magnitudes / static_cast<double>(m_elements) : 0; }
    /// The largest |shift| + sigma of any element: the scale of an absolute error.
    double largestSpread() const { return m_largestSpread; }

    /// Expected number of failing elements per run of elementsPerRun().
    double failing(double rtol, double atol) const;
    /// Chance that a run of `elements` (0: elementsPerRun()) has at least one.
    double falseAlarm(double rtol, double atol, double elements = 0) const;

private:
    /// Elements of one sixteenth of a binade, sigma well below the step.
    struct Slot {
        double count = 0, shift = 0, variance = 0, reach = 0;
    };
    double failingInSlot(int binade, int sixteenth, const Slot& slot, double rtol, double atol) const;
    double failingElement(const ExpectedElement& e, double rtol, double atol) const;

    DType m_output;
    std::int64_t m_draws = 0, m_elements = 0;
    double m_magnitudes = 0, m_largestSpread = 0;
    std::vector<std::vector<Slot>> m_slots; ///< by binade from m_lowest on, sixteen each
    int m_lowest = 0;
    std::vector<ExpectedElement> m_smooth; ///< the others, reference >= 0
    double m_smoothWeight = 1;             ///< elements that one of them stands for
};

} // namespace divdet::honest
