#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace divdet {

/// Sums over finite pairs; d = c − r.
template <class S>
struct BasicSums {
    S abs = 0;                                           ///< Σ e
    S abs2 = 0;                                          ///< Σ e²
    S diff = 0;                                          ///< Σ d
    S ref = 0, cand = 0, ref2 = 0, cand2 = 0, cross = 0; ///< Σ r, c, r², c², c·r

    template <class O>
    BasicSums& operator+=(const BasicSums<O>& o) {
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
    /// e is given, because it is not |c − r| for complex numbers and for wide integers.
    void add(S c, S r, S e) {
        abs += e;
        abs2 += e * e;
        diff += c - r;
        ref += r;
        cand += c;
        ref2 += r * r;
        cand2 += c * c;
        cross += c * r;
    }
};
using Sums = BasicSums<double>;
/// For blocks whose squares leave the range of double; on x86 with 15 bits of exponent.
using WideSums = BasicSums<long double>;

/// Sums of one block in 16 virtual lanes, element i in lane i mod 16, so that vectors of any width give the
/// same bits.
struct LaneSums {
    static constexpr int kLanes = 16;
    alignas(64) double abs[kLanes] = {}, abs2[kLanes] = {}, diff[kLanes] = {}, ref[kLanes] = {},
                       cand[kLanes] = {}, ref2[kLanes] = {}, cand2[kLanes] = {}, cross[kLanes] = {};

    void add(int i, double c, double r, double e) {
        const int k = i % kLanes;
        abs[k] += e;
        abs2[k] += e * e;
        diff[k] += c - r;
        ref[k] += r;
        cand[k] += c;
        ref2[k] += r * r;
        cand2[k] += c * c;
        cross[k] += c * r;
    }
    Sums folded() const {
        return {fold(abs),  fold(abs2), fold(diff),  fold(ref),
                fold(cand), fold(ref2), fold(cand2), fold(cross)};
    }

private:
    static double fold(const double* lanes) {
        double t[kLanes];
        for (int i = 0; i < kLanes; ++i) t[i] = lanes[i];
        for (int half = kLanes / 2; half > 0; half /= 2)
            for (int i = 0; i < half; ++i) t[i] += t[i + half];
        return t[0];
    }
};

/// Adds equally sized parts in a balanced tree whose form depends only on how many there are: the same bits
/// for any number of threads, and an error that grows with the logarithm of the count.
template <class Part>
class SumTree {
public:
    void push(Part part) {
        std::uint64_t n = m_count++;
        for (; n & 1; n >>= 1) {
            Part left = m_levels.back();
            m_levels.pop_back();
            left += part;
            part = left;
        }
        m_levels.push_back(part);
    }
    Part total() const {
        Part out;
        for (std::size_t i = m_levels.size(); i-- > 0;) {
            Part left = m_levels[i];
            left += out;
            out = left;
        }
        return out;
    }
    bool empty() const { return m_count == 0; }

private:
    std::vector<Part> m_levels;
    std::uint64_t m_count = 0;
};

/// Largest magnitudes among the finite pairs of a block; 0 where squares cannot leave the range of double.
struct LargestValues {
    double error = 0, candidate = 0, reference = 0;
};

/// Whether squares of a block with this largest magnitude leave the range in which double is precise.
inline bool squaresLeaveRange(double largest) {
    return largest > 0x1p480 || (largest > 0 && largest < 0x1p-480);
}
inline bool squaresLeaveRange(const LargestValues& v) {
    return squaresLeaveRange(v.error) || squaresLeaveRange(v.candidate) || squaresLeaveRange(v.reference);
}

} // namespace divdet
