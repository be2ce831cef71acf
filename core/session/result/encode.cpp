#include "session/result/encode.h"

namespace divdet::result {
namespace {

Node points(const std::vector<FrontierPoint>& from) {
    std::vector<double> flat;
    flat.reserve(2 * from.size());
    for (const auto& p : from) flat.insert(flat.end(), {p.magnitude, p.error});
    return bytesOf(flat);
}

} // namespace

Node encode(const Frontier& f) {
    return {{"hull", points(f.hull())}, {"stairs", points(f.stairs())}, {"capped", f.capped()}};
}

/// Occupied bins only: column, row, count, column …
Node encode(const ErrorHistogram& h) {
    std::vector<std::int64_t> flat;
    for (int row = 0; row < ErrorHistogram::kRows && !h.empty(); ++row)
        for (int column = 0; column < ErrorHistogram::kColumns; ++column)
            if (const auto n = h.count(column, row)) flat.insert(flat.end(), {column, row, n});
    return bytesOf(flat);
}

/// The four kinds of evidence are four kinds of node.
Node encode(const Evidence& e) {
    return std::visit([](const auto& v) { return Node(v); }, e);
}

} // namespace divdet::result
