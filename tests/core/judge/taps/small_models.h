#pragma once
// Three small models with seeded weights, run tap by tap in several arithmetics, honest or with one planted
// fault: what the rules for dumps are tried on that their thresholds were not set on.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "numerics/rounding.h"
#include "tensor/convert.h"
#include "tensor/tensor.h"

namespace divdet::test {

enum class Arithmetic { fp64, fp32, fp32SplitSums, bf16, int8 };
enum class Fault {
    none,
    bf16Accumulator,   ///< every partial sum is rounded to bf16
    clippedChannel,    ///< weights of one output channel saturate at 0.3 of their largest
    wrongChannelScale, ///< one output channel comes out times 1.5
    droppedTail,       ///< the last sixteenth of the sum is left out
    staleBuffer,       ///< the output is that of another input
    shifted,           ///< the input is read one position (column, step, token) too early
    swappedWeight,     ///< the weight of the next layer
};
inline constexpr Fault kFaults[] = {Fault::bf16Accumulator, Fault::clippedChannel, Fault::wrongChannelScale,
                                    Fault::droppedTail,     Fault::staleBuffer,    Fault::shifted,
                                    Fault::swappedWeight};

inline const char* name(Arithmetic a) {
    constexpr const char* kNames[] = {"fp64", "fp32", "fp32-split", "bf16", "int8"};
    return kNames[static_cast<int>(a)];
}
inline const char* name(Fault f) {
    constexpr const char* kNames[] = {"honest",        "bf16-accumulator", "clipped-channel",
                                      "channel-scale", "dropped-tail",     "stale-buffer",
                                      "shifted",       "swapped-weight"};
    return kNames[static_cast<int>(f)];
}

/// Rows of numbers: [rows, columns].
struct Matrix {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values;
    Matrix(std::int64_t r, std::int64_t c)
        : rows(r)
        , columns(c)
        , values(static_cast<std::size_t>(r * c)) {}
    double& at(std::int64_t r, std::int64_t c) { return values[static_cast<std::size_t>(r * columns + c)]; }
    double at(std::int64_t r, std::int64_t c) const {
        return values[static_cast<std::size_t>(r * columns + c)];
    }
    const double* row(std::int64_t r) const { return values.data() + r * columns; }
};

inline Matrix randomMatrix(std::int64_t rows, std::int64_t columns, double sigma, std::mt19937& engine,
                           double mean = 0) {
    Matrix out(rows, columns);
    std::normal_distribution<double> d(mean, sigma);
    for (double& x : out.values) x = d(engine);
    return out;
}

struct ModelTap {
    std::string name;
    Tensor tensor;
};

/// One run: rounds as its arithmetic does, and keeps the taps.
class ModelRun {
public:
    ModelRun(Arithmetic arithmetic, Fault fault, int faultyLayer)
        : m_arithmetic(arithmetic)
        , m_fault(fault)
        , m_layer(faultyLayer) {}

    bool has(Fault f, int layer) const { return m_fault == f && m_layer == layer; }
    /// Index of the weight that a layer uses.
    std::size_t weightOf(int layer) const {
        return static_cast<std::size_t>(has(Fault::swappedWeight, layer) ? layer + 1 : layer);
    }
    Arithmetic arithmetic() const { return m_arithmetic; }

    double stored(double x) const {
        if (m_arithmetic == Arithmetic::fp64) return x;
        if (m_arithmetic == Arithmetic::bf16) return numerics::roundToBf16(static_cast<float>(x));
        return static_cast<float>(x);
    }
    void store(Matrix& m) const {
        for (double& x : m.values) x = stored(x);
    }

    void tap(const std::string& name, const Matrix& m, Shape shape = {}) {
        if (shape.empty()) shape = {m.rows, m.columns};
        if (m_arithmetic == Arithmetic::fp64) {
            taps.push_back({name, tensorOf<double>(DType::f64, shape, m.values)});
        } else if (m_arithmetic == Arithmetic::bf16) {
            std::vector<std::uint16_t> bits;
            for (const double x : m.values) bits.push_back(numerics::bf16FromFloat(static_cast<float>(x)));
            taps.push_back({name, tensorOf<std::uint16_t>(DType::bf16, shape, bits)});
        } else {
            const std::vector<float> f(m.values.begin(), m.values.end());
            taps.push_back({name, tensorOf<float>(DType::f32, shape, f)});
        }
    }

    /// y[r, o] = Σ_k x[r, k]·w[o, k], with the faults that live inside a product.
    Matrix linear(const Matrix& x, const Matrix& w, int layer) const;

    std::vector<ModelTap> taps;

private:
    double dot(const double* x, const double* w, std::int64_t n, bool bf16Sums) const;
    Matrix quantisedLinear(const Matrix& x, const Matrix& w, int layer) const;

    Arithmetic m_arithmetic;
    Fault m_fault;
    int m_layer;
};

inline constexpr std::int64_t kFaultyChannel = 5;

inline double ModelRun::dot(const double* x, const double* w, std::int64_t n, bool bf16Sums) const {
    if (bf16Sums) {
        float s = 0;
        for (std::int64_t k = 0; k < n; ++k)
            s = numerics::roundToBf16(s + static_cast<float>(x[k]) * static_cast<float>(w[k]));
        return s;
    }
    if (m_arithmetic == Arithmetic::fp64) {
        double s = 0;
        for (std::int64_t k = 0; k < n; ++k) s += x[k] * w[k];
        return s;
    }
    if (m_arithmetic == Arithmetic::fp32) { // one chain
        float s = 0;
        for (std::int64_t k = 0; k < n; ++k) s += static_cast<float>(x[k]) * static_cast<float>(w[k]);
        return s;
    }
    float part[8] = {};
    std::int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int l = 0; l < 8; ++l) part[l] += static_cast<float>(x[k + l]) * static_cast<float>(w[k + l]);
    for (; k < n; ++k) part[k % 8] += static_cast<float>(x[k]) * static_cast<float>(w[k]);
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

inline Matrix ModelRun::quantisedLinear(const Matrix& x, const Matrix& w, int layer) const {
    const auto step = [](const double* v, std::int64_t n) {
        double most = 1e-30;
        for (std::int64_t k = 0; k < n; ++k) most = std::max(most, std::fabs(v[k]));
        return most / 127;
    };
    const auto quantise = [](double v, double s) { return std::clamp(std::nearbyint(v / s), -127.0, 127.0); };
    Matrix qx = x, qw = w, out(x.rows, w.rows);
    std::vector<double> sx, sw;
    for (std::int64_t r = 0; r < x.rows; ++r) {
        sx.push_back(step(x.row(r), x.columns));
        for (std::int64_t k = 0; k < x.columns; ++k) qx.at(r, k) = quantise(x.at(r, k), sx.back());
    }
    for (std::int64_t o = 0; o < w.rows; ++o) {
        sw.push_back(step(w.row(o), w.columns));
        if (o == kFaultyChannel && has(Fault::clippedChannel, layer)) sw.back() *= 0.3;
        for (std::int64_t k = 0; k < w.columns; ++k) qw.at(o, k) = quantise(w.at(o, k), sw.back());
    }
    const std::int64_t used = has(Fault::droppedTail, layer) ? x.columns - x.columns / 16 : x.columns;
    for (std::int64_t r = 0; r < x.rows; ++r)
        for (std::int64_t o = 0; o < w.rows; ++o) {
            double s = 0;
            if (has(Fault::bf16Accumulator, layer))
                s = dot(qx.row(r), qw.row(o), used, true);
            else
                for (std::int64_t k = 0; k < used; ++k) s += qx.at(r, k) * qw.at(o, k);
            out.at(r, o) = s * sx[static_cast<std::size_t>(r)] * sw[static_cast<std::size_t>(o)];
        }
    return out;
}

inline Matrix ModelRun::linear(const Matrix& x, const Matrix& w, int layer) const {
    Matrix out(x.rows, w.rows);
    if (m_arithmetic == Arithmetic::int8) {
        out = quantisedLinear(x, w, layer);
    } else {
        Matrix weight = w;
        if (has(Fault::clippedChannel, layer)) {
            double most = 0;
            for (std::int64_t k = 0; k < w.columns; ++k)
                most = std::max(most, std::fabs(w.at(kFaultyChannel, k)));
            for (std::int64_t k = 0; k < w.columns; ++k)
                weight.at(kFaultyChannel, k) = std::clamp(w.at(kFaultyChannel, k), -0.3 * most, 0.3 * most);
        }
        store(weight);
        const std::int64_t used = has(Fault::droppedTail, layer) ? x.columns - x.columns / 16 : x.columns;
        for (std::int64_t r = 0; r < x.rows; ++r)
            for (std::int64_t o = 0; o < w.rows; ++o)
                out.at(r, o) = dot(x.row(r), weight.row(o), used, has(Fault::bf16Accumulator, layer));
    }
    if (has(Fault::wrongChannelScale, layer))
        for (std::int64_t r = 0; r < out.rows; ++r) out.at(r, kFaultyChannel) *= 1.5;
    store(out);
    return out;
}

/// A model's taps for an input: the weights are those of `seed`, and do not depend on the arithmetic.
using RunModel = std::vector<ModelTap> (*)(std::uint32_t seed, std::uint32_t inputSeed, Arithmetic, Fault,
                                           int faultyLayer);

/// The run's values, or those of a buffer that still holds another input's.
inline void maybeStale(Matrix& values, const ModelRun& run, int layer, RunModel model, std::uint32_t seed,
                       std::uint32_t inputSeed) {
    if (!run.has(Fault::staleBuffer, layer)) return;
    const auto other = model(seed, inputSeed + 1000, run.arithmetic(), Fault::none, layer);
    loadAsDouble(other[run.taps.size()].tensor.view(), 0, values.values);
}

/// Six 3×3 convolutions of 32 channels on 12×12 with ReLU and residuals; taps [1, channels, rows, columns].
inline std::vector<ModelTap> convolutional(std::uint32_t seed, std::uint32_t inputSeed, Arithmetic a, Fault f,
                                           int faulty) {
    constexpr std::int64_t kSide = 12, kChannels = 32, kPixels = kSide * kSide;
    constexpr int kLayers = 6;
    const Shape shape{1, kChannels, kSide, kSide};
    std::mt19937 weights(seed), inputs(inputSeed);
    std::vector<Matrix> w;
    for (int i = 0; i <= kLayers; ++i)
        w.push_back(randomMatrix(kChannels, kChannels * 9, std::sqrt(2.0 / (kChannels * 9)), weights));
    const auto patches = [&](const Matrix& from, std::int64_t shift) { // [pixel, channel and tap]
        Matrix out(kPixels, kChannels * 9);
        for (std::int64_t p = 0; p < kPixels; ++p)
            for (std::int64_t k = 0; k < kChannels * 9; ++k) {
                const std::int64_t i = p / kSide + k % 9 / 3 - 1, j = p % kSide + k % 3 - 1 - shift;
                if (i >= 0 && i < kSide && j >= 0 && j < kSide) out.at(p, k) = from.at(k / 9, i * kSide + j);
            }
        return out;
    };
    ModelRun run(a, f, faulty);
    Matrix x = randomMatrix(kChannels, kPixels, 1, inputs); // [channel, pixel]
    run.store(x);
    run.tap("input", x, shape);
    for (int i = 0; i < kLayers; ++i) {
        const std::string at = "layers." + std::to_string(i);
        const Matrix y = run.linear(patches(x, run.has(Fault::shifted, i)), w[run.weightOf(i)], i);
        Matrix conv(kChannels, kPixels);
        for (std::int64_t c = 0; c < kChannels; ++c)
            for (std::int64_t p = 0; p < kPixels; ++p) conv.at(c, p) = y.at(p, c);
        maybeStale(conv, run, i, convolutional, seed, inputSeed);
        run.tap(at + ".conv", conv, shape);
        for (double& v : conv.values) v = std::max(v, 0.0);
        run.tap(at + ".relu", conv, shape);
        for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += conv.values[k];
        run.store(x);
        run.tap(at + ".out", x, shape);
    }
    return std::move(run.taps);
}

/// Five tanh layers of 384 units over 12 steps; taps [steps, units].
inline std::vector<ModelTap> recurrent(std::uint32_t seed, std::uint32_t inputSeed, Arithmetic a, Fault f,
                                       int faulty) {
    constexpr std::int64_t kSteps = 12, kUnits = 384;
    constexpr int kLayers = 5;
    std::mt19937 weights(seed), inputs(inputSeed);
    std::vector<Matrix> in, back;
    for (int i = 0; i <= kLayers; ++i) {
        in.push_back(randomMatrix(kUnits, kUnits, 1.2 / std::sqrt(kUnits), weights));
        back.push_back(randomMatrix(kUnits, kUnits, 0.7 / std::sqrt(kUnits), weights));
    }
    ModelRun run(a, f, faulty);
    Matrix x = randomMatrix(kSteps, kUnits, 1, inputs);
    run.store(x);
    run.tap("input", x);
    for (int i = 0; i < kLayers; ++i) {
        const std::string at = "layers." + std::to_string(i);
        Matrix from = x;
        if (run.has(Fault::shifted, i))
            for (std::int64_t t = kSteps - 1; t > 0; --t)
                for (std::int64_t u = 0; u < kUnits; ++u) from.at(t, u) = from.at(t - 1, u);
        Matrix y = run.linear(from, in[run.weightOf(i)], i);
        maybeStale(y, run, i, recurrent, seed, inputSeed);
        run.tap(at + ".in", y);
        Matrix state(1, kUnits);
        for (std::int64_t t = 0; t < kSteps; ++t) {
            const Matrix r = run.linear(state, back[static_cast<std::size_t>(i)], -1);
            for (std::int64_t u = 0; u < kUnits; ++u) state.at(0, u) = std::tanh(y.at(t, u) + r.at(0, u));
            run.store(state);
            for (std::int64_t u = 0; u < kUnits; ++u) x.at(t, u) = state.at(0, u);
        }
        run.tap(at + ".states", x);
    }
    return std::move(run.taps);
}

/// Layer norm in the arithmetic's own sums (bf16 and int8 models keep norms in fp32).
inline Matrix layerNorm(const Matrix& x, const ModelRun& run) {
    Matrix out(x.rows, x.columns);
    const auto norm = [&]<class T>(T, std::int64_t r) {
        T mean = 0, spread = 0;
        for (std::int64_t k = 0; k < x.columns; ++k) mean += static_cast<T>(x.at(r, k));
        mean /= static_cast<T>(x.columns);
        for (std::int64_t k = 0; k < x.columns; ++k) {
            const T d = static_cast<T>(x.at(r, k)) - mean;
            spread += d * d;
        }
        const T scale = 1 / std::sqrt(spread / static_cast<T>(x.columns) + static_cast<T>(1e-5));
        for (std::int64_t k = 0; k < x.columns; ++k)
            out.at(r, k) = (static_cast<T>(x.at(r, k)) - mean) * scale;
    };
    for (std::int64_t r = 0; r < x.rows; ++r)
        run.arithmetic() == Arithmetic::fp64 ? norm(double{}, r) : norm(float{}, r);
    run.store(out);
    return out;
}

/// Six pre-norm feed-forward layers on tokens whose values share a mean of `Mean` times their spread.
template <int Mean>
std::vector<ModelTap> largeMean(std::uint32_t seed, std::uint32_t inputSeed, Arithmetic a, Fault f,
                                int faulty) {
    constexpr std::int64_t kTokens = 24, kWidth = 96, kHidden = 768;
    constexpr int kLayers = 6;
    std::mt19937 weights(seed), inputs(inputSeed);
    std::vector<Matrix> up, down;
    for (int i = 0; i <= kLayers; ++i) {
        up.push_back(randomMatrix(kHidden, kWidth, 1 / std::sqrt(kWidth), weights));
        down.push_back(randomMatrix(kWidth, kHidden, 1 / std::sqrt(kHidden), weights));
    }
    ModelRun run(a, f, faulty);
    Matrix x = randomMatrix(kTokens, kWidth, 1, inputs, Mean);
    run.store(x);
    run.tap("input", x);
    for (int i = 0; i < kLayers; ++i) {
        const std::string at = "layers." + std::to_string(i);
        const Matrix h = layerNorm(x, run);
        run.tap(at + ".norm", h);
        Matrix act = run.linear(h, up[static_cast<std::size_t>(i)], -1);
        for (double& v : act.values) v *= 0.5 * (1 + std::erf(v / std::sqrt(2.0)));
        run.store(act);
        run.tap(at + ".act", act);
        if (run.has(Fault::shifted, i))
            for (std::int64_t t = kTokens - 1; t > 0; --t)
                for (std::int64_t k = 0; k < kHidden; ++k) act.at(t, k) = act.at(t - 1, k);
        Matrix y = run.linear(act, down[run.weightOf(i)], i);
        maybeStale(y, run, i, largeMean<Mean>, seed, inputSeed);
        run.tap(at + ".down", y);
        for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += y.values[k];
        run.store(x);
        run.tap(at + ".out", x);
    }
    return std::move(run.taps);
}

struct SmallModel {
    const char* name;
    RunModel run;
    int faultyLayer;
    const char* faultyTap; ///< the first that a fault reaches
};
inline constexpr SmallModel kSmallModels[] = {
    {"convolutional", convolutional, 3, "layers.3.conv"},
    {"recurrent", recurrent, 2, "layers.2.in"},
    {"large-mean", largeMean<4>, 3, "layers.3.down"},
};

} // namespace divdet::test
