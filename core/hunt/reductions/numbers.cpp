#include "hunt/reductions/numbers.h"

#include <cmath>

namespace divdet::hunt::reductions {

Result<bool> offerNumbers(Reducer& reducer, block::ValueIndex value, std::span<const float> numbers) {
    Case candidate = reducer.now();
    block::Value& v = candidate.graph.values[value];
    v.data = tensorOf<float>(DType::f32, v.data->shape(), numbers);
    return reducer.offer(std::move(candidate));
}

std::vector<float> numbersOf(const block::Value& value) {
    if (!value.data) return {};
    const auto numbers = value.data->as<float>();
    return {numbers.begin(), numbers.end()};
}

bool isPowerOfTwo(float x) {
    int exponent = 0;
    return x == 0 || std::fabs(std::frexp(x, &exponent)) == 0.5f;
}

std::vector<block::ValueIndex> leavesOf(const block::Graph& graph) {
    std::vector<block::ValueIndex> out;
    for (block::ValueIndex i = 0; i < graph.values.size(); ++i)
        if (graph.values[i].data) out.push_back(i);
    return out;
}

} // namespace divdet::hunt::reductions
