#include "block/graph_json.h"
#include "dump/atomic_file.h"
#include "dump/file_bytes.h"

namespace divdet::block {

Result<Graph> readGraph(const std::filesystem::path& path) {
    const auto file = FileBytes::open(path);
    if (!file) return file.error();
    const auto bytes = (*file)->bytes();
    auto graph = parseGraph({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (graph) return graph;
    Error e = graph.error();
    e.path = e.path.empty() ? path.string() : path.string() + ": " + e.path;
    return e;
}

Status writeGraph(const Graph& graph, const std::filesystem::path& path) {
    AtomicFile file(path);
    if (auto s = file.open(); !s) return s;
    if (auto s = file.write(graphText(graph)); !s) return s;
    return file.commit();
}

} // namespace divdet::block
