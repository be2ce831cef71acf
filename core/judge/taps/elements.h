#pragma once
#include <cstdint>
#include <span>

#include "compare/comparison.h"

namespace divdet {

/// Both sides of a pair in double, as the rules want them: what is masked out, not finite on either side, or
/// a sentinel of the reference is zero on both; `clamp` applies max(·, 0) to the candidate.
class TapElements {
public:
    TapElements(const PairData& data, bool allFinite, double sentinel, bool clamp)
        : m_data(&data)
        , m_sentinel(sentinel)
        , m_clean(allFinite && !data.mask)
        , m_clamp(clamp) {}

    const PairData& data() const { return *m_data; }
    const Shape& shape() const { return m_data->reference.shape(); }

    /// Elements [first, first + reference.size()) in row-major order. Precondition: at most 4096 of them.
    void load(std::int64_t first, std::span<double> reference, std::span<double> candidate) const;
    /// The same of one index of an axis, `first` counted within it.
    void loadChannel(int axis, std::int64_t channel, std::int64_t first, std::span<double> reference,
                     std::span<double> candidate) const;

    static constexpr std::int64_t kBlock = 4096;

private:
    void tidy(std::span<double> r, std::span<double> c, const TensorView* mask, std::int64_t first) const;

    const PairData* m_data;
    double m_sentinel;
    bool m_clean, m_clamp;
};

} // namespace divdet
