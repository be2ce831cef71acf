#include "compare/error_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>

#include <fmt/format.h>

#include "compare/element_bound.h"
#include "compare/scan.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 4096;

/// How far the flat index moves with one step along each dim.
std::vector<std::int64_t> stepsOf(const Shape& shape) {
    std::vector<std::int64_t> steps(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) steps[i - 1] = steps[i] * shape[i];
    return steps;
}

std::int64_t extentOf(const Shape& shape, int dim) {
    return dim < 0 ? 1 : shape[static_cast<std::size_t>(dim)];
}

Status checkSlice(const Shape& shape, const MapSlice& slice) {
    const int rank = static_cast<int>(shape.size());
    if (slice.at.size() != shape.size() || slice.rowDim >= rank || slice.columnDim >= rank ||
        (slice.rowDim >= 0 && slice.rowDim == slice.columnDim))
        return Error{
            ErrorCode::mismatch, "the slice is of another shape", {}, "choose two dims of this tensor"};
    for (int d = 0; d < rank; ++d) {
        const auto i = static_cast<std::size_t>(d);
        if (d == slice.rowDim || d == slice.columnDim) continue;
        if (slice.at[i] < 0 || slice.at[i] >= shape[i])
            return Error{ErrorCode::usage,
                         fmt::format("dim {} has no index {}", d, slice.at[i]),
                         {},
                         fmt::format("choose one from 0 to {}", shape[i] - 1)};
    }
    return Done{};
}

struct Measured {
    double value;
    ErrorMap::State state;
};

/// `error` = |c − r|, with the sides for what it does not say.
Measured measured(double r, double c, double error, bool equal, MapMeasure measure, const Tolerance& t) {
    if (equal) return {0, ErrorMap::finite};
    if (std::isnan(error) || std::isnan(r) || std::isnan(c)) return {0, ErrorMap::notANumber};
    if (std::isinf(error)) return {0, ErrorMap::infinite};
    const double by = measure == MapMeasure::rel ? r : measure == MapMeasure::bound ? *elementBound(t, r) : 1;
    return {error / by, ErrorMap::finite};
}

class MapMaker {
public:
    MapMaker(const TensorView& reference, const TensorView& candidate, const std::optional<TensorView>& mask,
             ErrorMap& map)
        : m_reference(reference)
        , m_candidate(candidate)
        , m_mask(mask)
        , m_map(map)
        , m_complex(kind(reference.dtype) == DTypeKind::complex ||
                    kind(candidate.dtype) == DTypeKind::complex) {
        const auto steps = stepsOf(reference.shape);
        const auto step = [&](int dim) { return dim < 0 ? 0 : steps[static_cast<std::size_t>(dim)]; };
        m_rowStep = step(map.slice.rowDim), m_columnStep = step(map.slice.columnDim);
        for (std::size_t d = 0; d < steps.size(); ++d)
            if (static_cast<int>(d) != map.slice.rowDim && static_cast<int>(d) != map.slice.columnDim)
                m_start += steps[d] * map.slice.at[d];
    }

    /// False when it was cancelled: a row may be the whole tensor, so each of its blocks asks.
    bool addRow(std::int64_t row, const Progress& progress) {
        const std::int64_t first = m_start + row * m_rowStep;
        for (std::int64_t at = 0; at < m_map.width; at += kBlock) {
            if (progress.cancelled()) return false;
            progress(static_cast<std::uint64_t>(row * m_map.width + at),
                     static_cast<std::uint64_t>(m_map.height * m_map.width), "map");
            const auto n = static_cast<std::size_t>(std::min(kBlock, m_map.width - at));
            load(first + at * m_columnStep, n);
            for (std::size_t i = 0; i < n; ++i) {
                const std::int64_t column = at + static_cast<std::int64_t>(i);
                if (m_mask && elementAt(*m_mask, first + column * m_columnStep) == 0) continue;
                add(row, column, first + column * m_columnStep,
                    measured(std::abs(m_r[i]), std::abs(m_c[i]), std::abs(m_c[i] - m_r[i]), m_r[i] == m_c[i],
                             m_map.measure, m_map.tolerance));
            }
        }
        return true;
    }

private:
    /// Values one step of the column dim apart.
    void load(std::int64_t first, std::size_t n) {
        const auto one = [this](const TensorView& v, std::int64_t at, std::span<std::complex<double>> out) {
            if (m_complex) return loadAsComplex(v, at, out);
            loadAsDouble(v, at, std::span(m_real).first(out.size()));
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = m_real[i];
        };
        for (const auto& [view, to] : {std::pair{&m_reference, &m_r}, std::pair{&m_candidate, &m_c}}) {
            if (m_columnStep == 1) {
                one(*view, first, std::span(*to).first(n));
                continue;
            }
            for (std::size_t i = 0; i < n; ++i)
                one(*view, first + static_cast<std::int64_t>(i) * m_columnStep, std::span(*to).subspan(i, 1));
        }
    }

    void add(std::int64_t row, std::int64_t column, std::int64_t element, Measured m) {
        const auto cell =
            static_cast<std::size_t>(row / m_map.rowsPerCell * m_map.columns + column / m_map.columnsPerCell);
        if (m.state != ErrorMap::finite) {
            ++m_map.notFinite;
        } else if (m.value > 0 && std::isfinite(m.value)) {
            m_map.largest = std::max(m_map.largest, m.value);
            m_map.smallest = m_map.smallest > 0 ? std::min(m_map.smallest, m.value) : m.value;
        }
        const bool first = m_map.element[cell]<0, worse = m.state> m_map.state[cell];
        const bool larger = m.state == m_map.state[cell] && m.value > m_map.value[cell];
        m_map.state[cell] = std::max(m_map.state[cell], static_cast<std::uint8_t>(m.state));
        if (first || worse || larger) m_map.element[cell] = element;
        m_map.value[cell] = std::max(m_map.value[cell], m.value);
    }

    const TensorView &m_reference, &m_candidate;
    const std::optional<TensorView>& m_mask;
    ErrorMap& m_map;
    bool m_complex;
    std::int64_t m_start = 0, m_rowStep = 0, m_columnStep = 0;
    std::array<std::complex<double>, kBlock> m_r, m_c;
    std::array<double, kBlock> m_real;
};

} // namespace

MapSlice defaultSlice(const Shape& shape, std::int64_t element) {
    MapSlice out;
    const int rank = static_cast<int>(shape.size());
    out.columnDim = rank - 1;
    out.rowDim = rank > 1 ? rank - 2 : -1;
    out.at.assign(shape.size(), 0);
    return element < 0 ? out : sliceThrough(std::move(out), shape, element);
}

MapSlice sliceThrough(MapSlice slice, const Shape& shape, std::int64_t element) {
    if (element >= 0 && element < elementCount(shape).value_or(0)) slice.at = unravel(element, shape);
    for (const int dim : {slice.rowDim, slice.columnDim})
        if (dim >= 0) slice.at[static_cast<std::size_t>(dim)] = 0;
    return slice;
}

Result<ErrorMap> errorMap(const TensorView& reference, const TensorView& candidate, const MapSlice& slice,
                          MapMeasure measure, const Tolerance& tolerance, int mostCells,
                          const Progress& progress, const std::optional<TensorView>& mask) {
    if (reference.shape != candidate.shape || (mask && mask->shape != reference.shape))
        return Error{ErrorCode::mismatch, "the shapes differ", {}, "compare tensors of equal shape"};
    if (!comparable(reference.dtype, candidate.dtype))
        return Error{ErrorCode::unsupported, "these values are no numbers", {}, "read them as another dtype"};
    if (measure == MapMeasure::bound && info(tolerance.rule).wholeTensor)
        return Error{
            ErrorCode::usage,
            fmt::format("the rule {} judges the whole tensor, so no element has a share of the tolerance",
                        toString(tolerance.rule)),
            {},
            "choose another measure, or a rule that decides per element"};
    // Before the cut is looked at: a dim without an index would be said to have indices up to −1.
    if (elementCount(reference.shape) == 0)
        return Error{
            ErrorCode::usage, "the tensor has no elements", {}, "choose a tap whose dims are all above 0"};
    if (auto s = checkSlice(reference.shape, slice); !s) return s.error();
    ErrorMap out;
    out.slice = slice;
    out.measure = measure;
    out.tolerance = tolerance;
    out.height = extentOf(reference.shape, slice.rowDim);
    out.width = extentOf(reference.shape, slice.columnDim);
    const auto perCell = [&](std::int64_t extent) { return (extent + mostCells - 1) / mostCells; };
    out.rowsPerCell = std::max<std::int64_t>(1, perCell(out.height));
    out.columnsPerCell = std::max<std::int64_t>(1, perCell(out.width));
    out.rows = static_cast<int>((out.height + out.rowsPerCell - 1) / out.rowsPerCell);
    out.columns = static_cast<int>((out.width + out.columnsPerCell - 1) / out.columnsPerCell);
    const auto cells = static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns);
    out.value.resize(cells);
    out.state.resize(cells);
    out.element.assign(cells, -1);
    auto maker =
        std::make_unique<MapMaker>(reference, candidate, mask, out); // its buffers are large for a stack
    for (std::int64_t row = 0; row < out.height; ++row)
        if (!maker->addRow(row, progress))
            return Error{ErrorCode::cancelled, "the map was cancelled", {}, {}};
    return out;
}

} // namespace divdet
