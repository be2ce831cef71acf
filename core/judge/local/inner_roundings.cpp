#include "judge/local/inner_roundings.h"

#include <cmath>

#include "block/ops/support.h"
#include "tensor/float_format.h"

namespace divdet::local {
namespace {

using block::ops::doubles;

// x², its mean and the sum with eps under a root: half of each. The root, and the product with x: one each.
constexpr double kOfRms = 4;
// The same, and the difference from the mean, and the product with the gain.
constexpr double kOfLayer = 6;

double meanOf(const std::vector<double>& x, std::size_t row, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += x[row + i];
    return sum / static_cast<double>(n);
}

/// One bias per column of a product, or per channel of a convolution.
void addBiasedStart(const lower::LoweredOp& op, std::span<const Operand> in, Allowed& allowed) {
    const auto bias = doubles(in[2].value);
    const bool conv = op.kind == block::OpKind::conv2d;
    const Shape &a = in[0].value.shape(), &w = in[1].value.shape();
    std::size_t terms = static_cast<std::size_t>(a.back()), places = 1;
    if (conv) {
        terms = static_cast<std::size_t>(in[1].value.elements() / w[0]);
        places = allowed.exact.size() / (bias.size() * static_cast<std::size_t>(a[0]));
    }
    const double lost = lostOfStart(op.slots.operand, terms);
    for (std::size_t i = 0; i < allowed.bound.size(); ++i)
        allowed.bound[i] += lost * std::abs(bias[i / places % bias.size()]);
}

} // namespace

double lostOfStart(lower::Operand operand, std::size_t terms) {
    // 2^-23 a term covers an fp32 addition each and the steps of tensor cores; 8-bit floats keep fewer bits.
    const double each = operand == lower::Operand::fp8 ? 0x1p-12 : 0x1p-23;
    return (static_cast<double>(terms) + 1) * each;
}

void addInnerRoundings(const lower::LoweredOp& op, std::span<const Operand> in, Allowed& allowed) {
    if (block::opDef(op.kind).traits.matrixProduct && in.size() == 3) addBiasedStart(op, in, allowed);
    const bool layer = op.kind == block::OpKind::layernorm;
    if (!layer && op.kind != block::OpKind::rmsnorm) return;
    const DType storage = op.slots.storage;
    if (storage != DType::bf16 && storage != DType::f16) return;
    const double unit = floatFormat(storage).unitRoundoff();
    const auto x = doubles(in[0].value), gain = doubles(in[1].value);
    const std::size_t n = gain.size();
    for (std::size_t row = 0; n && row + n <= x.size(); row += n) {
        double mean = 0, root = 1;
        if (layer) {
            mean = meanOf(x, row, n);
            double squares = 0;
            for (std::size_t i = 0; i < n; ++i) squares += (x[row + i] - mean) * (x[row + i] - mean);
            root = std::sqrt(squares / static_cast<double>(n) + block::numberOr(op.attributes, "eps", 0));
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double y = layer ? (x[row + i] - mean) / root * gain[i] : allowed.exact[row + i];
            allowed.bound[row + i] += (layer ? kOfLayer : kOfRms) * unit * std::abs(y);
            if (layer) allowed.bound[row + i] += unit * std::abs(mean * gain[i]) / root;
        }
    }
}

} // namespace divdet::local
