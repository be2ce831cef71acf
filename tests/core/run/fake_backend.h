#pragma once
#include <functional>

#include "lower/lowered.h"
#include "run/backend.h"
#include "tensor/convert.h"

namespace divdet::test {

/// A device that answers the fp64 result rounded once, or what `answer` says; counts its calls.
class FakeBackend : public run::Backend {
public:
    std::function<Result<Tensor>(const lower::LoweredOp&, std::span<const Tensor>)> answer;
    std::vector<run::DeviceInfo> list{{"fake:0", "Fake", "none"}};
    int calls = 0;

    std::vector<run::DeviceInfo> devices() const override { return list; }

    Result<Tensor> runOp(const run::DeviceId&, const lower::LoweredOp& op, std::span<const Tensor> inputs,
                         const Progress&) override {
        ++calls;
        if (answer) return answer(op, inputs);
        auto exact = block::opDef(op.kind).reference64(inputs.first(op.ownInputs), op.attributes, {});
        return exact ? converted(*exact, op.slots.storage) : exact;
    }
};

} // namespace divdet::test
