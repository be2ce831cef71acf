#include "judge/metric/token_facts.h"

#include <algorithm>
#include <cmath>

namespace divdet {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Peak {
    std::int64_t at = -1;
    double first = -kInf, second = -kInf; ///< the two largest; equal when tied
    bool broken = false;                  ///< NaN or +inf
};

Peak peakOf(std::span<const double> row) {
    Peak p;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double x = row[i];
        if (!(x < kInf)) p.broken = true;
        if (x > p.first) {
            p.second = p.first;
            p.first = x;
            p.at = static_cast<std::int64_t>(i);
        } else if (x > p.second) {
            p.second = x;
        }
    }
    return p;
}

GuessFacts guessOf(const Peak& p) {
    GuessFacts out;
    out.defined = !p.broken && p.at >= 0;
    if (!out.defined) return out;
    out.guess = p.at;
    out.tied = p.first == p.second;
    return out;
}

double largestError(std::span<const double> r, std::span<const double> c) {
    double largest = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (r[i] != c[i]) largest = std::max(largest, std::fabs(c[i] - r[i]));
    return largest;
}

/// log Σ exp(x) with the largest taken out; the terms exp(x - largest) stay in `terms`.
double logSumExp(std::span<const double> row, double largest, std::vector<double>* terms) {
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double term = std::exp(row[i] - largest);
        if (terms) (*terms)[i] = term;
        sum += term;
    }
    return largest + std::log(sum);
}

/// exp(-x) - 1 + x without cancellation; >= 0.
double excess(double x) {
    if (std::fabs(x) > 0.03) return std::expm1(-x) + x;
    return x * x * (1.0 / 2 - x * (1.0 / 6 - x * (1.0 / 24 - x * (1.0 / 120 - x / 720))));
}

/// With d = r - c and m = Σ p d over the words the reference allows: KL = log Σ p exp(-(d - m)) - log(1 - o),
/// o the candidate's weight on the other words. No term is negative, so the smallest errors count; the plain
/// form m + lse(c) - lse(r) cancels below 1e-8, but takes any size of d.
double divergence(std::span<const double> r, std::span<const double> c, const std::vector<double>& weights,
                  double lseReference, double lseCandidate) {
    double sum = 0, mean = 0, other = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (weights[i] == 0) {
            other += std::exp(c[i] - lseCandidate);
            continue;
        }
        if (c[i] == -kInf) return kInf;
        sum += weights[i];
        mean += weights[i] * (r[i] - c[i]);
    }
    mean /= sum;
    double total = 0, farthest = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if (weights[i] == 0) continue;
        const double d = r[i] - c[i] - mean;
        farthest = std::max(farthest, std::fabs(d));
        total += weights[i] * excess(d);
    }
    constexpr double kOverflows = 600; // exp(700) does
    if (farthest < kOverflows && other < 0.5) return std::log1p(total / sum) - std::log1p(-other);
    const double plain = mean + lseCandidate - lseReference;
    return std::isnan(plain) ? kInf : std::max(0.0, plain);
}

} // namespace

TokenFacts factsOf(std::span<const double> r, std::span<const double> c, std::int64_t target,
                   std::vector<double>& weights) {
    TokenFacts out;
    const Peak pr = peakOf(r), pc = peakOf(c);
    out.reference = guessOf(pr);
    out.candidate = guessOf(pc);
    if (out.reference.defined) out.margin = pr.first - pr.second;
    weights.resize(r.size());
    double lseReference = 0, lseCandidate = 0;
    if (out.reference.defined) lseReference = logSumExp(r, pr.first, &weights);
    if (out.candidate.defined) lseCandidate = logSumExp(c, pc.first, nullptr);
    if (target >= 0) {
        const auto t = static_cast<std::size_t>(target);
        if (out.reference.defined) out.reference.crossEntropy = lseReference - r[t];
        if (out.candidate.defined) out.candidate.crossEntropy = lseCandidate - c[t];
    }
    if (!out.reference.defined || !out.candidate.defined) return out;
    out.error = largestError(r, c);
    // The subtraction in `margin` and those in `error` may each be off by half an ulp.
    out.cannotFlip = out.margin > 2 * out.error * (1 + 4 * std::numeric_limits<double>::epsilon());
    out.kl = divergence(r, c, weights, lseReference, lseCandidate);
    return out;
}

} // namespace divdet
