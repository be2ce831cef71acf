#include "compare/rules/rule_block.h"

#include <cmath>

#include "compare/rules/stream_blocks.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

struct Scratch {
    RuleBlock block;
    std::array<double, RuleBlock::kSize> mask;
};

struct Part {
    std::int64_t elements = 0, mismatches = 0, first = -1;
    Element worst;
};

/// error/bound decides which element is worst; a zero or negative bound makes any error infinitely bad.
double badness(const Element& e) {
    return e.bound > 0 ? e.abs / e.bound : std::numeric_limits<double>::infinity();
}

/// Of two elements with no usable bound the larger error is the worse.
bool isWorse(const Element& a, const Element& b) {
    if (b.index < 0) return true;
    const double x = badness(a), y = badness(b);
    return x > y || (x == y && std::isinf(x) && a.abs > b.abs);
}

void add(const RuleBlock& block, std::int64_t first, int count, const double* mask, Part& part) {
    for (int n = 0; n < count; ++n) {
        const auto i = static_cast<std::size_t>(n);
        if (mask && mask[i] == 0) continue;
        ++part.elements;
        if (block.passes[i]) continue;
        ++part.mismatches;
        if (part.first < 0) part.first = first + n;
        if (!std::isfinite(block.error[i]) || !std::isfinite(block.reference[i]) ||
            !std::isfinite(block.candidate[i]))
            continue;
        const double magnitude = std::fabs(block.reference[i]);
        const Element e{first + n,      block.reference[i],         block.candidate[i],
                        block.error[i], block.error[i] / magnitude, block.bound[i]};
        if (isWorse(e, part.worst)) part.worst = e;
    }
}

void merge(const Part& later, Part& whole) {
    whole.elements += later.elements;
    whole.mismatches += later.mismatches;
    if (whole.first < 0) whole.first = later.first;
    if (later.worst.index >= 0 && isWorse(later.worst, whole.worst)) whole.worst = later.worst;
}

} // namespace

Result<RuleOutcome> countMismatches(const RuleInput& input, const BlockRule& rule, const Progress& progress) {
    Part whole;
    auto status = streamBlocks<Part, Scratch>(
        input.reference.elements(), progress, whole,
        [&](std::int64_t first, int count, Part& part, Scratch& scratch) {
            rule(first, count, scratch.block);
            if (input.mask)
                loadAsDouble(*input.mask, first, {scratch.mask.data(), static_cast<std::size_t>(count)});
            add(scratch.block, first, count, input.mask ? scratch.mask.data() : nullptr, part);
        },
        merge);
    if (!status) return status.error();
    RuleOutcome out;
    out.elements = whole.elements;
    out.mismatches = whole.mismatches;
    out.firstMismatch = whole.first;
    out.worst = whole.worst;
    out.passes = whole.mismatches == 0;
    return out;
}

} // namespace divdet::rules
