#include "determinism/tap_spread.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "compare/ulp.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;

bool isComplex(DType t) {
    return kind(t) == DTypeKind::complex;
}

std::span<const std::byte> bytesOf(const Tensor& t) {
    return {t.view().data, static_cast<std::size_t>(t.elements()) * itemSize(t.dtype())};
}

/// Values of a block of one run; complex ones as two values each.
void load(const TensorView& v, std::int64_t first, std::size_t count, std::vector<double>& out) {
    if (!isComplex(v.dtype)) {
        out.resize(count);
        return loadAsDouble(v, first, out);
    }
    std::vector<std::complex<double>> parts(count);
    loadAsComplex(v, first, parts);
    out.clear();
    for (const auto& z : parts) out.push_back(z.real()), out.push_back(z.imag());
}

void addValues(std::int64_t index, std::span<const std::vector<double>> values, std::size_t at, DType dtype,
               TapSpread& out) {
    double low = values[0][at], high = low;
    bool finite = true;
    for (const auto& run : values) {
        finite = finite && std::isfinite(run[at]);
        low = std::min(low, run[at]), high = std::max(high, run[at]);
    }
    if (!finite) {
        ++out.nonFinite;
        return;
    }
    if (out.maxAbs.index < 0 || high - low > out.maxAbs.value) out.maxAbs = {high - low, index};
    if (!isComplex(dtype)) out.maxUlp = std::max(out.maxUlp.value_or(0), ulpDistance(low, high, dtype));
}

} // namespace

Result<TapSpread> spreadOf(std::span<const Tensor> runs) {
    std::vector<Tensor> plain;
    for (const Tensor& t : runs) {
        if (t.dtype() != runs[0].dtype() || t.shape() != runs[0].shape())
            return Error{ErrorCode::mismatch, "the runs have other types or shapes of it", "",
                         "give dumps of one program on one input"};
        plain.push_back(compacted(t));
    }
    const DType dtype = runs[0].dtype();
    const bool numeric = kind(dtype) != DTypeKind::opaque;
    TapSpread out;
    out.elements = runs[0].elements();
    if (numeric && !isComplex(dtype)) out.maxUlp = 0;
    std::set<std::string> digests;
    for (const Tensor& t : plain) digests.insert(sha256(bytesOf(t)));
    out.variants = static_cast<std::int64_t>(digests.size());
    if (out.variants == 1) return out;

    const std::size_t item = itemSize(dtype);
    std::vector<std::vector<double>> values(plain.size());
    for (std::int64_t from = 0; from < out.elements; from += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, out.elements - from));
        bool loaded = false;
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t index = from + static_cast<std::int64_t>(i);
            const std::size_t offset = static_cast<std::size_t>(index) * item;
            const std::byte* first = bytesOf(plain[0]).data() + offset;
            const bool same = std::all_of(plain.begin() + 1, plain.end(), [&](const Tensor& t) {
                return std::memcmp(first, bytesOf(t).data() + offset, item) == 0;
            });
            if (same) continue;
            if (out.varying++ == 0) out.firstVarying = index;
            if (!numeric) continue;
            if (!std::exchange(loaded, true))
                for (std::size_t r = 0; r < plain.size(); ++r) load(plain[r].view(), from, count, values[r]);
            const std::size_t parts = isComplex(dtype) ? 2 : 1;
            for (std::size_t p = 0; p < parts; ++p) addValues(index, values, parts * i + p, dtype, out);
        }
    }
    return out;
}

} // namespace divdet
