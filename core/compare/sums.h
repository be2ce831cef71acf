#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace divdet {

/// Sums over finite pairs, in double; d = c − r.
struct Sums {
    double abs = 0;                                           ///< Σ e
    double abs2 = 0;                                          ///< Σ e²
    double diff = 0;                                          ///< Σ d
    double ref = 0, cand = 0, ref2 = 0, cand2 = 0, cross = 0; ///< Σ r, c, r², c², c·r

    Sums& operator+=(const Sums& o) {
        abs += o.abs;
        abs2 += o.abs2;
        diff += o.diff;
        ref += o.ref;
        cand += o.cand;
        ref2 += o.ref2;
        cand2 += o.cand2;
        cross += o.cross;
        return *this;
    }
};

/// Adds equally sized parts in a balanced tree whose form depends only on how many there are: the same bits
/// for any number of threads, and an error that grows with the logarithm of the count.
class SumTree {
public:
    void push(Sums part) {
        std::uint64_t n = m_count++;
        for (; n & 1; n >>= 1) {
            Sums left = m_levels.back();
            m_levels.pop_back();
            left += part;
            part = left;
        }
        m_levels.push_back(part);
    }
    Sums total() const {
        Sums out;
        for (std::size_t i = m_levels.size(); i-- > 0;) {
            Sums left = m_levels[i];
            left += out;
            out = left;
        }
        return out;
    }

private:
    std::vector<Sums> m_levels;
    std::uint64_t m_count = 0;
};

} // namespace divdet
