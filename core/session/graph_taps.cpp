#include "session/graph_taps.h"

#include <fmt/format.h>

#include "dump/name_noise.h"
#include "session/shape_options.h"
#include "tensor/convert.h"

namespace divdet {

GraphTaps::GraphTaps(const Dump& dump) {
    const auto enter = [](Index& index, std::string name, std::size_t tap) {
        const auto [slot, fresh] = index.try_emplace(std::move(name), tap);
        if (!fresh) slot->second.reset();
    };
    for (std::size_t i = 0; i < dump.taps().size(); ++i) {
        const std::string& name = dump.taps()[i].name;
        enter(m_names, name, i);
        enter(m_plain, withoutNoise(name), i);
        enter(m_folded, foldCase(withoutNoise(name)), i);
    }
}

std::optional<std::size_t> GraphTaps::find(const block::Value& value) const {
    const std::string& name = value.tap.empty() ? value.name : value.tap;
    const std::string plain = withoutNoise(name);
    for (const auto& [index, key] :
         {std::pair(&m_names, name), std::pair(&m_plain, plain), std::pair(&m_folded, foldCase(plain))})
        if (const auto at = index->find(key); at != index->end() && at->second) return at->second;
    const auto alias = m_aliases.find(name);
    return alias == m_aliases.end() ? std::nullopt : std::optional(alias->second);
}

Result<Tensor> asGraphValue(const Tensor& tap, const Shape& shape) {
    if (withoutOnes(tap.shape()) != withoutOnes(shape))
        return Error{ErrorCode::mismatch,
                     fmt::format("the tap has the shape {}, the graph says {}", toString(tap.shape()),
                                 toString(shape)),
                     "", "correct the dims in the graph, or the layout ops before it"};
    Tensor out = compacted(tap);
    if (kind(tap.dtype()) == DTypeKind::integer || tap.dtype() == DType::boolean) {
        std::vector<double> wide(static_cast<std::size_t>(tap.elements()));
        loadAsDouble(tap.view(), 0, wide);
        const std::vector<float> numbers(wide.begin(), wide.end());
        out = tensorOf<float>(DType::f32, tap.shape(), numbers);
    } else if (kind(tap.dtype()) != DTypeKind::floating) {
        return Error{ErrorCode::unsupported, fmt::format("the tap is {}", name(tap.dtype())), "",
                     "only real numbers are judged; name a dtype for void data with --candidate-dtype"};
    }
    TensorView view = out.view();
    view.shape = shape;
    view.strides = rowMajorStrides(shape, itemSize(view.dtype));
    return Tensor(std::move(view), std::make_shared<const Tensor>(out));
}

} // namespace divdet
