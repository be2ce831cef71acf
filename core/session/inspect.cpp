#include "session/inspect.h"

#include <algorithm>
#include <cmath>

#include "base/int128.h"
#include "base/number_text.h"
#include "base/sha256.h"
#include "dump/open.h"
#include "session/result_file.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;
constexpr std::size_t kFirst = 8;

/// Neumaier's sum: exact enough that the last shown digit does not depend on the order of elements.
class CompensatedSum {
public:
    void add(double x) {
        const double t = m_sum + x;
        m_lost += std::fabs(m_sum) >= std::fabs(x) ? (m_sum - t) + x : (x - t) + m_sum;
        m_sum = t;
    }
    double value() const { return std::isfinite(m_sum) ? m_sum + m_lost : m_sum; }

private:
    double m_sum = 0, m_lost = 0;
};

double integerSum(const TensorView& v) {
    Int128 sum = 0;
    std::vector<WideInt> block(kBlock);
    const std::int64_t n = v.elements();
    for (std::int64_t at = 0; at < n; at += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, n - at));
        loadAsWideInt(v, at, {block.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
            const auto m = static_cast<Int128>(block[i].magnitude);
            sum += block[i].negative ? -m : m;
        }
    }
    return static_cast<double>(sum);
}

void fillStatistics(const TensorView& v, InspectedTap& out, const Progress& progress) {
    const std::int64_t n = v.elements();
    out.numeric = true;
    bool any = false;
    CompensatedSum sum;
    std::vector<double> block(kBlock);
    for (std::int64_t at = 0; at < n && !progress.cancelled(); at += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, n - at));
        loadAsDouble(v, at, {block.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
            const double x = block[i];
            if (out.first.size() < kFirst) out.first.push_back(x);
            sum.add(x);
            out.nan += std::isnan(x);
            out.inf += std::isinf(x);
            out.zeros += x == 0;
            if (std::isnan(x)) continue;
            out.min = any ? std::min(out.min, x) : x;
            out.max = any ? std::max(out.max, x) : x;
            any = true;
        }
    }
    const bool whole = kind(v.dtype) == DTypeKind::integer || kind(v.dtype) == DTypeKind::boolean;
    out.sum = whole ? integerSum(v) : sum.value();
    out.mean = n ? out.sum / static_cast<double>(n) : std::nan("");
    if (!any) out.min = out.max = std::nan("");
}

/// A saved comparison holds no tensors: its pairs are told by name, type and shape.
InspectedFile inspectResult(const std::filesystem::path& path) {
    InspectedFile out;
    out.path = path;
    const auto saved = readResult(path);
    if (!saved) {
        out.error = saved.error();
        return out;
    }
    const Comparison& c = *saved->result.comparison;
    const Tolerance& t = saved->result.tolerance;
    out.format = "divdet";
    out.other = {{"reference", c.referenceName},
                 {"candidate", c.candidateName},
                 {"verdict", std::string(toString(judge(c, t).verdict))},
                 {"rule", std::string(toString(t.rule))},
                 {"rtol", toleranceText(t.rtol)},
                 {"atol", toleranceText(t.atol)},
                 {"command", saved->command},
                 {"written_by", "divdet " + saved->toolVersion}};
    out.cautions = c.cautions;
    for (const auto& p : c.pairs) {
        InspectedTap& tap = out.taps.emplace_back();
        tap.name = p.name;
        tap.dtype = p.referenceDType;
        tap.shape = p.referenceShape;
        tap.elements = elementCount(p.referenceShape).value_or(0);
    }
    return out;
}

} // namespace

InspectedFile inspectFile(const InspectRequest& request, const Progress& progress) {
    if (isResultFile(request.path)) return inspectResult(request.path);
    InspectedFile out;
    out.path = request.path;
    auto dump = openDump(request.path);
    if (!dump) {
        out.error = dump.error();
        return out;
    }
    const Dump& d = **dump;
    out.format = d.format();
    out.other = d.manifest().metadata;
    for (const auto& c : d.manifest().cautions)
        if (std::find(out.cautions.begin(), out.cautions.end(), c.id) == out.cautions.end())
            out.cautions.push_back(c.id);
    for (std::size_t i = 0; i < d.taps().size() && !progress.cancelled(); ++i) {
        const TapEntry& entry = d.taps()[i];
        progress(i, d.taps().size(), entry.name);
        InspectedTap tap;
        tap.name = entry.name;
        tap.dtype = entry.dtype;
        tap.shape = entry.shape;
        tap.elements = elementCount(entry.shape).value_or(0);
        LoadOptions load = request.load;
        // Void data without a type is shown by its bytes' hash; only a comparison must know more.
        if (entry.dtype == DType::opaque && !load.opaqueAs) load.opaqueAs = DType::opaque;
        auto tensor = entry.error ? Result<Tensor>(*entry.error) : d.load(i, load);
        if (!tensor) {
            tap.error = tensor.error();
        } else {
            if (request.load.opaqueAs) tap.dtype = tensor->dtype();
            const DTypeKind k = kind(tap.dtype);
            if (k != DTypeKind::complex && k != DTypeKind::opaque)
                fillStatistics(tensor->view(), tap, progress);
            if (request.hash) {
                const Tensor plain = compacted(*tensor);
                tap.sha256 = sha256({plain.view().data,
                                     static_cast<std::size_t>(plain.elements()) * itemSize(plain.dtype())});
            }
        }
        out.taps.push_back(std::move(tap));
    }
    return out;
}

} // namespace divdet
