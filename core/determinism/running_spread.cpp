#include "determinism/running_spread.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compare/ulp.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;
constexpr std::uint8_t kVaries = 1, kNonFinite = 2;

/// A bijection of 64 bits whose every output bit depends on every input bit (splitmix64's finaliser).
std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

std::size_t bytesOf(const Tensor& t) {
    return static_cast<std::size_t>(t.elements()) * itemSize(t.dtype());
}

bool real(DType t) {
    return kind(t) != DTypeKind::complex && kind(t) != DTypeKind::opaque;
}

} // namespace

RunningSpread::Digest RunningSpread::digestOf(const Tensor& t) {
    Digest d{0x9E3779B97F4A7C15ull, 0};
    const std::size_t size = bytesOf(t);
    for (std::size_t at = 0; at < size; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, t.view().data + at, std::min<std::size_t>(8, size - at));
        d.first = mix(d.first + word);
        d.second = mix(d.second ^ (word * 0xD6E8FEB86659FD93ull)) + d.first;
    }
    return d;
}

Status RunningSpread::add(const Tensor& run) {
    if (!real(run.dtype()))
        return Error{ErrorCode::unsupported, "only real numbers are counted run by run", "",
                     "compare dumps of the runs instead"};
    const Tensor now = compacted(run);
    if (m_runs == 0) {
        m_first = now;
    } else if (now.dtype() != m_first.dtype() || now.shape() != m_first.shape()) {
        return Error{ErrorCode::mismatch, "the runs have other types or shapes of it", "",
                     "give runs of one program on one input"};
    }
    ++m_runs;
    // Most runs of a steady program equal the first, which needs no digest of its own until one does not.
    if (m_runs > 1 && std::memcmp(now.view().data, m_first.view().data, bytesOf(now)) == 0) return Done{};
    m_results.insert(digestOf(now));
    if (m_runs > 1) widen(now);
    return Done{};
}

void RunningSpread::widen(const Tensor& run) {
    const std::int64_t n = run.elements();
    const std::size_t item = itemSize(run.dtype());
    if (m_state.empty()) {
        m_state.resize(static_cast<std::size_t>(n));
        m_low.resize(m_state.size());
        loadAsDouble(m_first.view(), 0, m_low);
        m_high = m_low;
    }
    std::vector<double> values;
    for (std::int64_t from = 0; from < n; from += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, n - from));
        const auto start = static_cast<std::size_t>(from);
        const std::byte *a = m_first.view().data + start * item, *b = run.view().data + start * item;
        if (std::memcmp(a, b, count * item) == 0) continue;
        values.resize(count);
        loadAsDouble(run.view(), from, values);
        for (std::size_t i = 0; i < count; ++i) {
            if (std::memcmp(a + i * item, b + i * item, item) == 0) continue;
            const std::size_t at = start + i;
            m_state[at] |= kVaries;
            if (!std::isfinite(values[i]) || !std::isfinite(m_low[at])) {
                m_state[at] |= kNonFinite;
                continue;
            }
            m_low[at] = std::min(m_low[at], values[i]);
            m_high[at] = std::max(m_high[at], values[i]);
        }
    }
}

TapSpread RunningSpread::spread() const {
    TapSpread out;
    out.elements = m_first.elements();
    out.variants = static_cast<std::int64_t>(m_results.size());
    out.maxUlp = 0;
    for (std::size_t i = 0; i < m_state.size(); ++i) {
        if (!(m_state[i] & kVaries)) continue;
        const auto index = static_cast<std::int64_t>(i);
        if (out.varying++ == 0) out.firstVarying = index;
        if (m_state[i] & kNonFinite) {
            ++out.nonFinite;
            continue;
        }
        const double distance = m_high[i] - m_low[i];
        if (out.maxAbs.index < 0 || distance > out.maxAbs.value) out.maxAbs = {distance, index};
        out.maxUlp = std::max(*out.maxUlp, ulpDistance(m_low[i], m_high[i], m_first.dtype()));
    }
    return out;
}

} // namespace divdet
