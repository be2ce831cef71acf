#include "cuda/op_cases.h"

#include <cstring>

#include "block/op_def.h"
#include "kernels/kernel_test_support.h"

namespace divdet {
namespace {

using block::OpKind;
using lower::Slots;

/// Collects cases; its values are the same every time.
class Cases {
public:
    Tensor normal(Shape shape, float scale = 1) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        return f32(std::move(shape), m_values.normal(n, scale));
    }
    Tensor anyBits(Shape shape) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        return f32(std::move(shape), m_values.anyBits(n));
    }
    static Tensor f32(Shape shape, const std::vector<float>& values) {
        return tensorOf<float>(DType::f32, std::move(shape), values);
    }
    Tensor indices(std::int64_t n, std::int64_t rows) {
        std::vector<float> x(static_cast<std::size_t>(n));
        for (float& v : x) v = static_cast<float>(m_values.below(static_cast<std::size_t>(rows)));
        return f32({n}, x);
    }
    void may(const lower::LoweredOp& op, const std::vector<Tensor>& inputs) {
        m_all.push_back({op, inputs, false});
    }
    void must(const lower::LoweredOp& op, const std::vector<Tensor>& inputs) {
        m_all.push_back({op, inputs, true});
    }
    std::vector<OpCase> take() { return std::move(m_all); }

private:
    Values m_values{41};
    std::vector<OpCase> m_all;
};

lower::LoweredOp op(OpKind kind, std::size_t inputs, block::Attributes attributes = {}) {
    lower::LoweredOp o{};
    o.kind = kind;
    o.name = "y";
    o.attributes = std::move(attributes);
    for (std::size_t i = 0; i < inputs; ++i) o.inputs.push_back(i);
    o.ownInputs = inputs;
    return o;
}

/// One value of each slot that a product knows, and combinations that only make sense together.
std::vector<Slots> productSlots() {
    std::vector<Slots> all;
    const auto with = [&](auto set) {
        Slots s;
        set(s);
        all.push_back(s);
    };
    using namespace lower;
    with([](Slots&) {});
    for (const SumOrder order : {SumOrder::pairwise, SumOrder::strided})
        with([&](Slots& s) { s.order = order; });
    for (const Operand operand : {Operand::f32, Operand::tf32, Operand::bf16, Operand::fp16, Operand::int4,
                                  Operand::fp8, Operand::int8}) {
        with([&](Slots& s) { s.operand = operand; });
        for (const Accumulator a : {Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16})
            with([&](Slots& s) { s.operand = operand, s.accumulator = a; });
        for (const DType partials : {DType::f32, DType::bf16, DType::f16})
            for (const SumOrder order : {SumOrder::splitK, SumOrder::atomics})
                with([&](Slots& s) {
                    s.operand = operand, s.order = order, s.splits = 3, s.partials = partials;
                    s.orderSeed = order == SumOrder::atomics ? 0xFEDCBA9876543210ull : 0;
                });
        with([&](Slots& s) { s.operand = operand, s.tailTile = 16; });
        with([&](Slots& s) { s.operand = operand, s.missingBarrier = true, s.barrierSeed = 5; });
        with([&](Slots& s) {
            s.operand = operand, s.missingBarrier = true, s.barrierSeed = 6;
            s.order = SumOrder::atomics, s.splits = 4, s.orderSeed = 9;
        });
        with([&](Slots& s) { s.operand = operand, s.order = SumOrder::pairwise; });
        with([&](Slots& s) { s.operand = operand, s.storage = DType::bf16; });
    }
    for (const Tf32Mode mode : {Tf32Mode::nearestAway, Tf32Mode::towardZero})
        with([&](Slots& s) { s.operand = Operand::tf32, s.tf32Mode = mode; });
    with([](Slots& s) { s.operand = Operand::fp8, s.fp8Format = Fp8Format::e5m2; });
    with([](Slots& s) { s.operand = Operand::int4, s.group = 8; });
    with([](Slots& s) { s.operand = Operand::int8, s.granularity = Granularity::perTensor; });
    for (const Scales scales : {Scales::clippedWeight, Scales::clippedActivation, Scales::neighbour})
        for (const Granularity g : {Granularity::perToken, Granularity::perTensor})
            with([&](Slots& s) {
                s.operand = Operand::int8, s.granularity = g, s.scales = scales;
                s.scaleChannel = 3, s.clip = scales == Scales::neighbour ? 1.0f : 0.5f;
            });
    with([](Slots& s) { s.subnormals = Subnormals::flushed; });
    with([](Slots& s) { s.storage = DType::f16; });
    return all;
}

} // namespace

std::string OpCase::text() const {
    return std::string(block::name(op.kind)) + " " + lower::toString(op.slots);
}

std::vector<OpCase> productCases(const std::vector<std::array<std::int64_t, 3>>& shapes) {
    Cases cases;
    for (const Slots& slots : productSlots())
        for (const auto& [m, k, n] : shapes) {
            auto o = op(OpKind::matmul, 2);
            o.slots = slots;
            cases.may(o, {cases.normal({m, k}), cases.normal({k, n})});
        }
    return cases.take();
}

std::vector<OpCase> fusedCases() {
    Cases cases;
    for (const lower::Operand operand : {lower::Operand::f32, lower::Operand::tf32, lower::Operand::int8})
        for (const bool fused : {false, true})
            for (const bool barrier : {false, true}) {
                auto o = op(OpKind::matmul, 3);
                o.slots.operand = operand;
                o.slots.fused = fused;
                o.slots.missingBarrier = barrier;
                const std::vector<Tensor> in{cases.normal({3, 5, 19}), cases.normal({3, 19, 37}),
                                             cases.normal({37}), cases.normal({3, 5, 37}),
                                             cases.normal({37})};
                cases.may(o, {in[0], in[1], in[2]});
                o.slots.storage = DType::bf16;
                cases.may(o, {in[0], in[1], in[2]});
                if (!fused) continue;
                for (std::size_t i : {3, 4}) o.inputs.push_back(i);
                Slots fast;
                fast.maths = lower::Maths::fast;
                fast.formula = lower::Formula::geluTanh;
                o.fused = {{OpKind::add, {}, 3, {}},
                           {OpKind::gelu, {}, std::nullopt, fast},
                           {OpKind::scale, {{"factor", 0.3}}, std::nullopt, {}},
                           {OpKind::mul, {}, 4, {}},
                           {OpKind::causal_mask, {{"offset", std::int64_t{2}}}, std::nullopt, {}},
                           {OpKind::silu, {}, std::nullopt, {}},
                           {OpKind::relu, {}, std::nullopt, {}}};
                cases.must(o, in);
                o.fused.erase(o.fused.begin()); // the residual is not the first step: it stays one of its own
                o.fused.push_back({OpKind::add, {}, 3, {}});
                cases.must(o, in);
                // A product that is added to becomes one fma, by a constant and by a tensor.
                o.fused = {{OpKind::scale, {{"factor", 0.3}}, std::nullopt, {}},
                           {OpKind::add, {}, 3, {}},
                           {OpKind::mul, {}, 4, {}},
                           {OpKind::add, {}, 4, {}},
                           {OpKind::mul, {}, 3, {}}};
                cases.must(o, in);
            }
    return cases.take();
}

std::vector<OpCase> convolutionCases() {
    Cases cases;
    const block::Attributes attributes{{"groups", std::int64_t{2}},
                                       {"stride_x", std::int64_t{2}},
                                       {"pad_top", std::int64_t{1}},
                                       {"pad_right", std::int64_t{2}},
                                       {"dilation_y", std::int64_t{2}}};
    const Tensor x = cases.normal({2, 4, 9, 5}), w = cases.normal({6, 2, 3, 2}), b = cases.normal({6});
    for (const lower::Operand operand : {lower::Operand::f32, lower::Operand::bf16, lower::Operand::int8})
        for (const bool fused : {false, true}) {
            auto o = op(OpKind::conv2d, 3, attributes);
            o.slots.operand = operand;
            o.slots.fused = fused;
            cases.must(o, {x, w, b});
            if (!fused) continue;
            const auto y = *block::opDef(OpKind::conv2d)
                                .shape(std::vector<Shape>{x.shape(), w.shape(), b.shape()}, attributes);
            o.inputs.push_back(3);
            o.fused = {{OpKind::add, {}, 3, {}}, {OpKind::relu, {}, std::nullopt, {}}};
            cases.must(o, {x, w, b, cases.normal(y)});
        }
    return cases.take();
}

std::vector<OpCase> rowCases() {
    Cases cases;
    using namespace lower;
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 5, 31}, Shape{2, 257}}) {
        const Tensor x = cases.normal(shape, 2), gain = cases.normal({shape.back()}),
                     bias = cases.normal({shape.back()});
        for (const SumOrder order : {SumOrder::published, SumOrder::pairwise, SumOrder::strided,
                                     SumOrder::splitK, SumOrder::atomics})
            for (const Maths maths : {Maths::exact, Maths::fast}) {
                Slots s;
                s.order = order;
                s.maths = maths;
                s.splits = order == SumOrder::splitK || order == SumOrder::atomics ? 4 : 1;
                for (auto [o, in] : {std::pair{op(OpKind::rmsnorm, 2, {{"eps", 1e-6}}), std::vector{x, gain}},
                                     {op(OpKind::layernorm, 3, {{"eps", 1e-5}}), {x, gain, bias}},
                                     {op(OpKind::layernorm, 2, {{"eps", 1e-5}}), {x, gain}},
                                     {op(OpKind::softmax, 1), {x}},
                                     {op(OpKind::reduce_sum, 1), {x}}}) {
                    o.slots = s;
                    cases.may(o, in);
                    o.slots.storage = DType::bf16;
                    cases.may(o, in);
                }
            }
        for (const Formula formula : {Formula::onePassVariance, Formula::maskedRowNan})
            for (auto [o, in] :
                 {std::pair{op(OpKind::layernorm, 3, {{"eps", 1e-5}}), std::vector{x, gain, bias}},
                  {op(OpKind::softmax, 1), {x}}}) {
                o.slots.formula = formula;
                cases.must(o, in);
            }
        for (const Accumulator a : {Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16}) {
            auto o = op(OpKind::reduce_sum, 1);
            o.slots.accumulator = a;
            o.slots.tailTile = 8;
            cases.may(o, {x});
        }
    }
    return cases.take();
}

std::vector<OpCase> pointwiseCases() {
    Cases cases;
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 5, 7}, Shape{13, 101}}) {
        const Tensor x = cases.anyBits(shape), y = cases.normal(shape), row = cases.normal({shape.back()});
        for (const DType storage : {DType::f32, DType::bf16, DType::f16})
            for (const auto subnormals : {lower::Subnormals::kept, lower::Subnormals::flushed})
                for (auto [o, in] : {std::pair{op(OpKind::add, 2), std::vector{x, y}},
                                     {op(OpKind::mul, 2), {x, row}},
                                     {op(OpKind::scale, 1, {{"factor", 0.3}}), {x}},
                                     {op(OpKind::causal_mask, 1, {{"offset", std::int64_t{-1}}}), {x}},
                                     {op(OpKind::gelu, 1), {x}},
                                     {op(OpKind::silu, 1), {x}},
                                     {op(OpKind::relu, 1), {x}}}) {
                    o.slots.storage = storage;
                    o.slots.subnormals = subnormals;
                    if (storage == DType::f32) o.slots.maths = lower::Maths::fast;
                    cases.must(o, in);
                }
    }
    return cases.take();
}

std::vector<OpCase> dataCases() {
    Cases cases;
    const Tensor a = cases.normal({3, 5, 7});
    cases.must(op(OpKind::transpose, 1), {a});
    cases.must(op(OpKind::transpose, 1, {{"perm", "2,0,1"}}), {a});
    cases.must(op(OpKind::split_heads, 1, {{"heads", std::int64_t{5}}}), {cases.normal({7, 30})});
    cases.must(op(OpKind::split_heads, 1, {{"heads", std::int64_t{5}}, {"window", std::int64_t{7}}}),
               {cases.normal({21, 30})});
    cases.must(op(OpKind::merge_heads, 1), {cases.normal({3, 5, 7, 6})});
    cases.must(op(OpKind::merge_heads, 1), {a});
    cases.must(op(OpKind::embedding, 2), {cases.indices(23, 11), cases.normal({11, 3})});
    cases.may(op(OpKind::embedding, 2), {cases.f32({1}, {11}), cases.normal({11, 3})});
    const Tensor x = cases.normal({6, 31}, 50), scale = cases.f32({31}, std::vector<float>(31, 0.37f)),
                 zero = cases.f32({31}, std::vector<float>(31, 3.0f));
    cases.must(op(OpKind::quantize, 3), {x, scale, zero});
    cases.must(op(OpKind::dequantize, 2, {{"axis", std::int64_t{0}}}),
               {x, cases.f32({6}, {1, 2, 3, 4, 5, 6})});
    for (const lower::SumOrder order : {lower::SumOrder::published, lower::SumOrder::pairwise,
                                        lower::SumOrder::strided, lower::SumOrder::splitK})
        for (const auto accumulator : {lower::Accumulator::native, lower::Accumulator::bf16}) {
            auto o = op(OpKind::scatter_add, 2, {{"rows", std::int64_t{9}}});
            o.slots.order = order;
            o.slots.splits = order == lower::SumOrder::splitK ? 3 : 1;
            o.slots.accumulator = accumulator;
            cases.must(o, {cases.indices(101, 7), cases.normal({101, 13})});
            o.slots.order = lower::SumOrder::atomics;
            o.slots.splits = 2;
            o.slots.orderSeed = 77;
            cases.must(o, {cases.indices(101, 7), cases.normal({101, 37})});
        }
    return cases.take();
}

std::vector<OpCase> emptyCases() {
    Cases cases;
    cases.must(op(OpKind::matmul, 2), {cases.normal({3, 0}), cases.normal({0, 5})});
    cases.must(op(OpKind::matmul, 2), {cases.normal({0, 4}), cases.normal({4, 5})});
    for (const auto operand : {lower::Operand::int8, lower::Operand::fp16, lower::Operand::fp8}) {
        auto o = op(OpKind::matmul, 2);
        o.slots.operand = operand;
        o.slots.order = lower::SumOrder::splitK;
        o.slots.splits = 3;
        cases.must(o, {cases.normal({3, 0}), cases.normal({0, 5})});
    }
    cases.must(op(OpKind::relu, 1), {cases.normal({0, 4})});
    return cases.take();
}

std::string difference(const Tensor& got, const Tensor& wanted) {
    if (got.dtype() != wanted.dtype()) return "another dtype";
    if (got.shape() != wanted.shape()) return "another shape";
    const auto at = [](std::size_t i, auto x, auto y) {
        return "element " + std::to_string(i) + ": " + std::to_string(x) + ", expected " + std::to_string(y);
    };
    if (wanted.dtype() == DType::f32) {
        const auto x = got.as<float>(), y = wanted.as<float>();
        for (std::size_t i = 0; i < y.size(); ++i)
            if (!sameValue(x[i], y[i])) return at(i, x[i], y[i]);
        return {};
    }
    const auto x = got.as<std::uint16_t>(), y = wanted.as<std::uint16_t>();
    for (std::size_t i = 0; i < y.size(); ++i)
        if (x[i] != y[i]) return at(i, x[i], y[i]);
    return {};
}

} // namespace divdet
