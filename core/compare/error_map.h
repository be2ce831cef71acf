#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compare/tolerance.h"
#include "tensor/tensor.h"

namespace divdet {

/// What a cell of a map says of its elements.
enum class MapMeasure {
    abs,  ///< |c − r|
    rel,  ///< |c − r| / |r|; inf where r = 0 and c differs
    bound ///< |c − r| over what the tolerance allows: atol + rtol·|r|, or the larger of the two where the
          ///< rule says "or"; above 1 it fails, inf where nothing is allowed. Without the rounding of the
          ///< rules that answer as a tool does. Not of rules over the whole tensor
};

/// Two dims of a tensor, and where the others are cut.
struct MapSlice {
    int rowDim = -1;              ///< −1: one row
    int columnDim = -1;           ///< −1: one column
    std::vector<std::int64_t> at; ///< an index per dim; those of the two dims are not read

    friend bool operator==(const MapSlice&, const MapSlice&) = default;
};

/// The last two dims, the others cut at `element` (flat, row-major; −1: at 0).
MapSlice defaultSlice(const Shape& shape, std::int64_t element = -1);
/// The same two dims, cut where the element lies; 0 at the two dims, so that equal cuts are equal.
MapSlice sliceThrough(MapSlice slice, const Shape& shape, std::int64_t element);

/// One cell for each element of a slice, or the worst of `rowsPerCell` × `columnsPerCell` of them.
struct ErrorMap {
    enum State : std::uint8_t { finite, infinite, notANumber }; ///< the worst one of the cell
    MapSlice slice;
    MapMeasure measure = MapMeasure::abs;
    Tolerance tolerance;                ///< of `bound`
    std::int64_t height = 0, width = 0; ///< elements of the slice
    std::int64_t rowsPerCell = 1, columnsPerCell = 1;
    int rows = 0, columns = 0;
    std::vector<double> value;         ///< row-major; the largest of the cell, of differences that are finite
    std::vector<std::uint8_t> state;   ///< State of the differences c − r
    std::vector<std::int64_t> element; ///< flat index of what decided the cell; −1: all masked
    double largest = 0, smallest = 0;  ///< of finite values above 0; both 0: there is none
    std::int64_t notFinite = 0;        ///< elements whose difference is no number
};

/// At most `mostCells` cells to a side. The same infinity on both sides is no error; NaN is one wherever it
/// stands, and wins over an infinity. Progress counts elements. Errors: mismatch for unequal shapes or a
/// slice of another rank, usage for a cut beyond an extent, for tensors without elements and for `bound` of a
/// rule over the whole tensor, unsupported for opaque dtypes, cancelled (asked once per row and per 4096
/// elements of it). `mask` as in ScanSettings.
Result<ErrorMap> errorMap(const TensorView& reference, const TensorView& candidate, const MapSlice& slice,
                          MapMeasure measure, const Tolerance& tolerance, int mostCells = 512,
                          const Progress& progress = {},
                          const std::optional<TensorView>& mask = std::nullopt);

} // namespace divdet
