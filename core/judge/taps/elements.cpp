#include "judge/taps/elements.h"

#include <array>
#include <cmath>

#include "tensor/convert.h"

namespace divdet {
namespace {

TensorView channelOf(const TensorView& v, int axis, std::int64_t channel) {
    TensorView out = v;
    const auto a = static_cast<std::size_t>(axis);
    out.data += channel * v.strides[a];
    out.shape[a] = 1;
    return out;
}

} // namespace

void TapElements::tidy(std::span<double> r, std::span<double> c, const TensorView* mask,
                       std::int64_t first) const {
    if (mask) {
        std::array<double, kBlock> keep;
        loadAsDouble(*mask, first, {keep.data(), r.size()});
        for (std::size_t i = 0; i < r.size(); ++i)
            if (keep[i] == 0) r[i] = c[i] = 0;
    }
    if (!m_clean)
        for (std::size_t i = 0; i < r.size(); ++i)
            if (!std::isfinite(r[i]) || !std::isfinite(c[i])) r[i] = c[i] = 0;
    if (std::isfinite(m_sentinel))
        for (std::size_t i = 0; i < r.size(); ++i)
            if (std::fabs(r[i]) >= m_sentinel) r[i] = c[i] = 0;
    if (m_clamp)
        for (double& x : c) x = x > 0 ? x : 0;
}

void TapElements::load(std::int64_t first, std::span<double> reference, std::span<double> candidate) const {
    loadAsDouble(m_data->reference.view(), first, reference);
    loadAsDouble(m_data->candidate.view(), first, candidate);
    tidy(reference, candidate, m_data->mask ? &m_data->mask->view() : nullptr, first);
}

void TapElements::loadChannel(int axis, std::int64_t channel, std::int64_t first, std::span<double> reference,
                              std::span<double> candidate) const {
    loadAsDouble(channelOf(m_data->reference.view(), axis, channel), first, reference);
    loadAsDouble(channelOf(m_data->candidate.view(), axis, channel), first, candidate);
    if (!m_data->mask) return tidy(reference, candidate, nullptr, first);
    const TensorView mask = channelOf(m_data->mask->view(), axis, channel);
    tidy(reference, candidate, &mask, first);
}

} // namespace divdet
