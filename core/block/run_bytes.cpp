#include "block/run_bytes.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/ops/conv2d/conv_geometry.h"

namespace divdet::block {
namespace {

constexpr std::uint64_t kMostGiB = std::uint64_t{1} << 20;
std::atomic<std::uint64_t> maxBytes{kDefaultMaxRunBytes};

constexpr std::uint64_t kBeyond = std::numeric_limits<std::uint64_t>::max();

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    return a > kBeyond - b ? kBeyond : a + b;
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t out = 0;
    return __builtin_mul_overflow(a, b, &out) ? kBeyond : out;
}

std::uint64_t elementsOf(const Shape& shape) {
    const auto n = elementCount(shape);
    return n ? static_cast<std::uint64_t>(*n) : kBeyond;
}

/// What an op gathers from its inputs before it multiplies: every element once for each product with it.
std::uint64_t windowsOf(const BoundGraph& b, const Op& op) {
    if (op.kind != OpKind::conv2d) return 0;
    std::vector<Shape> in;
    for (const ValueIndex i : op.inputs) in.push_back(b.shapes[i]);
    const auto g = ops::convGeometry(in, op.attributes);
    return g ? elementsOf({g->n, g->places(), g->groups, g->terms()}) : 0;
}

std::uint64_t workOf(const BoundGraph& b, const Op& op) {
    std::uint64_t read = 0;
    for (const ValueIndex i : op.inputs) read = plus(read, elementsOf(b.shapes[i]));
    return plus(plus(times(read, kReadBytes), times(windowsOf(b, op), kWindowBytes)),
                times(elementsOf(b.shapes[op.output]), kWorkBytes));
}

std::string sizesText(const BoundGraph& b) {
    std::vector<std::string> names;
    for (const DimDefault& d : b.graph.dims)
        if (!d.fixed) names.push_back(d.name);
    return names.empty() ? std::string("the sizes in the graph") : fmt::format("{}", fmt::join(names, ", "));
}

Error tooMuch(const BoundGraph& b, std::uint64_t bytes, ValueIndex largest) {
    return {ErrorCode::refused,
            fmt::format("a run of this block would hold {} at once, and at most {} are allowed",
                        bytesText(bytes), bytesText(maxRunBytes())),
            b.graph.name,
            fmt::format("make {} smaller, or allow more (DIVDET_MAX_GIB); the most is for {} {}",
                        sizesText(b), b.graph.values[largest].name, divdet::toString(b.shapes[largest]))};
}

/// By what it takes as a value and in work, so that a convolution is named and not the image it reads.
ValueIndex largestOf(const BoundGraph& b) {
    std::vector<std::uint64_t> bytes;
    for (ValueIndex i = 0; i < b.shapes.size(); ++i)
        bytes.push_back(leastBytes(b.shapes[i], b.graph.values[i].role));
    for (const Op& op : b.graph.ops)
        bytes[op.output] = plus(bytes[op.output], times(windowsOf(b, op), kWindowBytes));
    return static_cast<ValueIndex>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

} // namespace

std::uint64_t maxRunBytes() {
    return maxBytes.load(std::memory_order_relaxed);
}

Status setMaxRunGiB(std::string_view gib) {
    std::uint64_t n = 0;
    const auto r = std::from_chars(gib.data(), gib.data() + gib.size(), n);
    if (r.ec != std::errc() || r.ptr != gib.data() + gib.size() || n < 1 || n > kMostGiB)
        return Error{ErrorCode::usage, fmt::format("'{}' is no number of GiB", gib), "DIVDET_MAX_GIB",
                     fmt::format("give a whole number from 1 to {}", kMostGiB)};
    maxBytes.store(n << 30, std::memory_order_relaxed);
    return Done{};
}

Status useMaxRunBytesOfEnvironment() {
    const char* gib = std::getenv("DIVDET_MAX_GIB");
    return gib ? setMaxRunGiB(gib) : Status(Done{});
}

std::uint64_t leastBytes(const Shape& shape, Role role) {
    return times(elementsOf(shape), role == Role::intermediate ? kResultBytes + kWorkBytes : kLeafBytes);
}

std::uint64_t runBytes(const BoundGraph& b) {
    std::uint64_t held = 0, work = 0;
    for (ValueIndex i = 0; i < b.shapes.size(); ++i)
        held = plus(held, times(elementsOf(b.shapes[i]),
                                b.graph.values[i].role == Role::intermediate ? kResultBytes : kLeafBytes));
    for (const Op& op : b.graph.ops) work = std::max(work, workOf(b, op));
    return plus(held, work);
}

Status checkRunBytes(const BoundGraph& b) {
    const std::uint64_t bytes = runBytes(b);
    if (bytes <= maxRunBytes()) return Done{};
    return tooMuch(b, bytes, largestOf(b));
}

Status checkValueBytes(const BoundGraph& b, ValueIndex value) {
    const std::uint64_t bytes = leastBytes(b.shapes[value], b.graph.values[value].role);
    if (bytes <= maxRunBytes()) return Done{};
    return tooMuch(b, bytes, value);
}

std::string bytesText(std::uint64_t bytes) {
    if (bytes >> 63) return "more than 8 EiB";
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    double n = static_cast<double>(bytes);
    for (; n >= 999.5; ++unit) n /= 1024; // three digits, never an exponent
    return fmt::format("{:.3g} {}", n, kUnits[unit]);
}

} // namespace divdet::block
