#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "block/graph.h"

/// The graph as text: readable, one statement a line, and the format of repros.
///
///   {"divdet_graph": 1,
///    "name": "linear",
///    "dims": {"tokens": 64, "width": 512},
///    "steps": [
///     {"input": "x", "dims": ["tokens", "width"]},
///     {"weight": "w", "dims": ["width", "width"], "sigma": 1.0, "area_dims": ["width", "width"]},
///     {"op": "matmul", "name": "y", "inputs": ["x", "w"], "output": true}]}
///
/// Of a step: `fill` (normal), `sigma` (1), `stream` (how many inputs and weights stand before it), `area`
/// (1), `area_dims` ([]) and `limit` (1) are the Filling; `data` is the numbers themselves, row by row, with
/// "nan", "inf" and "-inf" for what JSON has no number for. `attributes` are an op's; a text in place of a
/// number names a dimension. `fixed`, beside `dims`, lists those that the structure depends on. `tap` is the
/// step's name in dumps where that is another one. `made`, beside `steps`, is the run of divdet that the
/// dumps beside the graph come from: {"device": "cpu:sm_80", "passes": ["tf32", "reassociate=splitk:8"]}.
namespace divdet::block {

inline constexpr int kGraphVersion = 1;
inline constexpr std::size_t kMaxGraphText = std::size_t{16} << 20; ///< bytes
inline constexpr std::size_t kMaxSteps = 20'000;
inline constexpr std::size_t kMaxNameLength = 256;

/// Precondition: graph.validate(). Steps stand in the order of values, which is how a graph was built.
std::string graphText(const Graph& graph);

/// The graph of such a text; graphText and parseGraph are each other's inverse (NaNs lose their payload).
/// Strict: what it does not know is an error. Errors have the place inside the document as path
/// (`steps[3].sigma`): malformed for anything that is no valid graph (with the byte where JSON itself
/// breaks), unsupported for a later version, refused beyond the limits above.
Result<Graph> parseGraph(std::string_view text);

/// parseGraph of a file; its name stands before the place. Further errors: those of FileBytes::open.
Result<Graph> readGraph(const std::filesystem::path& path);

/// Writes graphText, whole or not at all.
Status writeGraph(const Graph& graph, const std::filesystem::path& path);

} // namespace divdet::block
